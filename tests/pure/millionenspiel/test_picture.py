"""The board as something to look at."""

import pytest

from mcmulti.domain.core.shown.board import Ring
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.domain.millionenspiel.picture import picture
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.projections.pictures.words import described
from mcmulti.projections.svg.board import drawn
from mcmulti.projections.terminal.spaces import space_lines
from tests.pure.millionenspiel.situations import BLACK, YELLOW, landing, settled, situation, table


def test_stakes_lie_in_the_middle_and_purses_beside_it() -> None:
    """Ben has 4 and 2010 staked, and the card of 50. The pawn stands on field 12, three before its target."""
    seen = picture(landing(YELLOW, {1: Pieces(4)}, {1: Pieces(tens=1, thousands=2)}, pensions={1: 50}), "en")
    assert isinstance(seen.board, Ring)
    assert len(seen.board.spaces) == 56
    assert [number for number, space in enumerate(seen.board.spaces) if space.pieces] == [12]
    assert [piece.kind.word for piece in seen.board.spaces[12].pieces] == ["pawn"]
    assert seen.board.middle is not None
    stakes = seen.board.middle.pieces
    assert [(piece.kind.word, piece.count, piece.owner) for piece in stakes] == [("10", 1, 1), ("1,000", 2, 1)]
    assert seen.seats[1].amounts == (2014, 4, 0, 0, 0, 0, 0, 50)
    assert [seat.notes for seat in seen.seats] == [("staked 0",), ("staked 2,010",), ("staked 0",)]
    assert "Ada has the dice · pawn: 12, blue" in seen.subtitle
    assert [die.value for die in seen.dice] == [1, 2]
    assert [(piece.name, piece.count) for piece in seen.piles[0].pieces] == [("5", 3), ("50", 4), ("500", 5)]


def test_stakes_are_drawn_in_a_table_and_told_in_words() -> None:
    """Six of each kind at most. Seats that have not staked yet are not mentioned."""
    state = landing(YELLOW, {}, {0: Pieces(1, 2, 3, 4, 5, 6), 2: Pieces(7)})
    seen = picture(state, "en")
    told = list(described(seen))
    assert "stakes (Ada): 1; 2 × 10; 3 × 100; 4 × 1,000; 5 × 10,000; 6 × 100,000." in told
    assert "stakes (Cleo): 7 × 1." in told
    assert "12 (blue, pawn): pawn." in told
    assert "stakes: empty." in described(picture(landing(YELLOW, {0: Pieces(1)}, {}), "en"))
    assert any("stakes (Cleo): 7 × 1" in line.plain for line in space_lines(seen, 80))
    staking = picture(situation({0: Pieces(5), 1: Pieces(5)}, {2: Pieces(1)}, waiting=(1, 0)), "de")
    assert [seat.notes for seat in staking.seats] == [(), (), ("gesetzt 1",)]


def test_it_is_about_the_million() -> None:
    state, _ = settled(landing(BLACK, {1: Pieces(ten_thousands=1), 2: Pieces(1)}, {}), 4)
    seen = picture(state, "en")
    assert "it is about the million" in seen.subtitle
    assert "1,000,000" in {card.name for card in seen.cards}


def test_the_winner_has_the_first_rank() -> None:
    stakes = {0: Pieces(ones=1), 1: Pieces(ten_thousands=10), 2: Pieces(ones=2)}
    state, _ = settled(landing(YELLOW, {}, stakes))
    assert [seat.rank for seat in picture(state, "en").seats] == [3, 1, 2]
    assert picture(state, "en").result == "Winner: Ben"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_moment_is_drawn_and_told(language: Language) -> None:
    for state in (table(5, taken=2), landing(YELLOW, {0: Pieces(3)}, {1: Pieces(1, 2, 3, 4, 5, 6)})):
        seen = picture(state, language)
        assert b"<svg" in drawn(seen)
        assert list(described(seen))

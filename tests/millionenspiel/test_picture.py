"""The board as something to look at."""

import pytest

from mcmulti.domain.core.board import Ring
from mcmulti.domain.core.telling import LANGUAGES, Language
from mcmulti.domain.millionenspiel.picture import picture
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.projections.board_svg import drawn
from mcmulti.projections.board_words import described
from tests.millionenspiel.situations import BLACK, YELLOW, landing, settled, table


def test_stakes_lie_where_the_pawn_stands_and_purses_beside_it() -> None:
    """Ben has 4 and 2010 staked, and the card of 50; the pawn stands on field 12."""
    seen = picture(landing(YELLOW, {1: Pieces(4)}, {1: Pieces(tens=1, thousands=2)}, pensions={1: 50}), "en")
    assert isinstance(seen.board, Ring)
    assert len(seen.board.spaces) == 56
    assert [number for number, space in enumerate(seen.board.spaces) if space.pieces] == [12]
    pawn, *stakes = seen.board.spaces[12].pieces
    assert pawn.kind.word == "pawn"
    assert [(piece.kind.word, piece.count, piece.owner) for piece in stakes] == [("10", 1, 1), ("1000", 2, 1)]
    assert seen.seats[1].amounts == (2014, 4, 0, 0, 0, 0, 0, 50)
    assert [die.value for die in seen.dice] == [1, 2]
    assert [(piece.name, piece.count) for piece in seen.piles[0].pieces] == [("5", 3), ("50", 4), ("500", 5)]


def test_it_is_about_the_million() -> None:
    state, _ = settled(landing(BLACK, {1: Pieces(ten_thousands=1), 2: Pieces(1)}, {}), 4)
    seen = picture(state, "en")
    assert "it is about the million" in seen.subtitle
    assert "1000000" in {card.name for card in seen.cards}


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

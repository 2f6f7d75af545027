"""How a game opens and begins."""

import pytest
from msgspec import ValidationError, convert

from mcmulti.domain.core.commands import LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course.starting import AgreeToStart
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.components import TRACK
from mcmulti.domain.millionenspiel.phases.staking import Stake
from mcmulti.domain.millionenspiel.phases.throwing import AcceptThrow
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.domain.millionenspiel.state import Setup
from tests.pure.millionenspiel.situations import RED, after, hands, landing, refused, settled, started, table
from tests.scripted_chance import ScriptedChance


def test_table_join__one_free_seat_each() -> None:
    state = table(3, taken=2)
    assert refused(state, None, TakeSeat("player-1", 2)).code == "already_seated"
    assert refused(state, None, TakeSeat("player-2", 1)).code == "seat_taken"
    assert after(state, None, TakeSeat("player-2")).names == ("Ada", "Ben", "Cleo")
    assert refused(table(3), None, TakeSeat("player-3")).code == "table_full"


def test_table_leave__before_the_start_alone() -> None:
    assert after(table(3), 1, LeaveSeat()).names == ("Ada", None, "Cleo")
    assert refused(started(), 1, LeaveSeat()).code == "game_started"


def test_table_start__when_every_seat_is_taken() -> None:
    assert refused(table(4, taken=3), 0, StartGame()).code == "seats_empty"
    assert refused(table(4, taken=2), 0, AgreeToStart()).code == "too_few_players"
    assert refused(table(4, taken=3), 0, Stake()).code == "not_started"
    assert refused(started(), None, Stake()).code == "no_seat"


def test_table_start__those_behind_a_free_seat_move_forward() -> None:
    """Of four players, Ben leaves, and the others agree.

    Cleo and Dan now have seats 1 and 2, and three throw for the dice.
    """
    state = after(table(4), 1, LeaveSeat())
    for seat in (0, 2):
        state = after(state, seat, AgreeToStart())
    state = after(state, 3, AgreeToStart(), (6, 5, 1, 1, 1, 2))
    assert state.names == ("Ada", "Cleo", "Dan")
    assert len(state.players) == 3
    assert state.order == (1, 2, 0)  # Ada threw most and stakes last


@pytest.mark.parametrize(("seats", "legal"), [(2, False), (3, True), (5, True), (6, False)])
def test_setup_players__three_to_five(seats: int, legal: bool) -> None:
    if legal:
        assert convert({"seats": seats}, Setup).seats == seats
    else:
        with pytest.raises(ValidationError):
            convert({"seats": seats}, Setup)


def test_setup_start__five_chips_of_1_the_card_of_5_and_the_pawn_on_the_arrow() -> None:
    state = started(5, (6, 6, 1, 1, 1, 1, 1, 1, 1, 1))
    assert hands(state) == [Pieces(ones=5)] * 5
    assert [player.pension for player in state.players] == [5] * 5
    assert state.pawn == 0


def test_setup_first_roller__the_highest_throw_begins_and_those_who_tie_throw_again() -> None:
    """Ada throws 7, Ben a double of 6, 12, and Cleo also 12. Ben and Cleo throw again, 5 and 9. Cleo has the dice."""
    state = started(3, (3, 4, 6, 6, 6, 6, 1, 4, 4, 5))
    assert state.roller == 2
    assert state.draws == 10
    assert state.waiting == (0, 1, 2)


def test_chance_commitment__stands_in_the_first_event() -> None:
    opened = RULESET.open("game", Setup(), ScriptedChance())
    assert [fact.rule for fact in opened.facts] == ["chance/commitment"]  # type: ignore[union-attr]
    assert table().commitment == ScriptedChance().commitment


def test_chance_reveal__the_seed_is_shown_when_somebody_has_a_million() -> None:
    """10000 on red are 1010000."""
    state, events = settled(landing(RED, {}, {1: Pieces(ten_thousands=1)}))
    assert events[-1] == SeedRevealed("00" * 32)
    assert state.seed == "00" * 32
    assert refused(state, 0, AcceptThrow()).code == "game_over"


def test_track_fields__four_sectors_of_fourteen() -> None:
    """In each 6 of its color, 2 black and 6 beige. The first is black."""
    assert len(TRACK) == 56
    for number, color in enumerate(("blue", "yellow", "green", "red")):
        sector = TRACK[14 * number : 14 * number + 14]
        assert [sector.count(each) for each in (color, "black", "beige")] == [6, 2, 6]
        assert [place for place, each in enumerate(sector) if each == "black"] == [0, 7]
        assert [place for place, each in enumerate(sector) if each == color] == [1, 3, 5, 8, 10, 12]

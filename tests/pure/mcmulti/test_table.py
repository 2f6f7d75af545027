"""The table before the start: joining, leaving, starting."""

import pytest

from mcmulti.domain.core.commands import Command, LeaveSeat, StartGame, TakeSeat
from mcmulti.domain.core.course.starting import AgreeToStart, StartAgreedTo
from mcmulti.domain.core.offers import NumberChoice
from mcmulti.domain.core.table import Chair, SeatLeft, SeatTaken
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import EndPurchases, RollDice
from mcmulti.domain.mcmulti.table import GameStarted
from tests.pure.mcmulti.situations import after, events, offered, refused, started, table

# Joining


def test_table_join__who_names_no_seat_gets_the_first_free_one() -> None:
    state = table(4, (0, 2))
    assert events(state, None, TakeSeat("eve", entropy="abc")) == [SeatTaken(1, "eve", "abc")]


def test_table_join__a_free_seat_may_be_chosen() -> None:
    state = after(table(4, (0,)), None, TakeSeat("eve", 3, "abc"))
    assert state.chairs[3] == Chair("eve", "abc")


def test_table_join__the_free_seats_are_offered_to_somebody_without_one() -> None:
    state = table(4, (0, 2))
    (offer,) = offered(state, None, "TakeSeat")
    assert offer.fields == {"seat": NumberChoice((1, 3), "seat_taken", optional=True)}
    assert offered(state, 0, "TakeSeat") == []


def test_table_join__a_taken_seat_is_refused() -> None:
    rejection = refused(table(4, (0, 2)), None, TakeSeat("eve", 2))
    assert (rejection.code, rejection.rule, rejection.field) == ("seat_taken", "table/join", "seat")


def test_table_join__a_seat_that_the_table_does_not_have_is_refused() -> None:
    rejection = refused(table(3, (0,)), None, TakeSeat("eve", 3))
    assert (rejection.rule, rejection.field) == ("table/join", "seat")


@pytest.mark.parametrize("seat", [None, 1])
def test_table_join__a_full_table_takes_nobody(seat: int | None) -> None:
    state = table(2)
    assert offered(state, None, "TakeSeat") == []
    rejection = refused(state, None, TakeSeat("eve", seat))
    assert (rejection.code, rejection.rule) == ("table_full", "table/join")


def test_table_join__who_sits_there_takes_no_second_seat() -> None:
    rejection = refused(table(4, (0,)), 0, TakeSeat("player-0", 1))
    assert (rejection.code, rejection.rule) == ("already_seated", "table/join")


def test_table_join__nobody_joins_a_game_that_has_started() -> None:
    rejection = refused(started(3), None, TakeSeat("eve"))
    assert (rejection.code, rejection.rule) == ("game_started", "table/start")


@pytest.mark.parametrize("command", [LeaveSeat(), StartGame(), RollDice()])
def test_table_join__without_a_seat_there_is_nothing_else_to_do(command: Command) -> None:
    rejection = refused(table(4), None, command)
    assert (rejection.code, rejection.rule) == ("no_seat", "table/join")
    assert {offer.command for offer in RULESET.offers(table(4, (0,)), None)} == {"TakeSeat"}


# Leaving


def test_table_leave__the_seat_is_free_again_for_anybody() -> None:
    state = table(2)
    assert events(state, 1, LeaveSeat()) == [SeatLeft(1)]
    state = after(state, 1, LeaveSeat())
    assert state.chairs[1] is None
    assert after(state, None, TakeSeat("eve")).chairs[1] == Chair("eve", "")


def test_table_leave__nobody_leaves_a_game_that_has_started() -> None:
    rejection = refused(started(), 0, LeaveSeat())
    assert (rejection.code, rejection.rule) == ("game_started", "table/start")


# Starting


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_table_start__anybody_who_sits_there_may_start(seat: int) -> None:
    assert after(table(4, first_seat=0), seat, StartGame(), (1, 1)).phase == "purchase"


def test_table_start__with_free_seats_who_opened_the_table_may_alone() -> None:
    state = table(4, (0, 1, 2), opener=1, first_seat=0)
    for other in (0, 2):
        rejection = refused(state, other, StartGame())
        assert (rejection.code, rejection.rule) == ("seats_empty", "table/start")
    assert after(state, 1, StartGame(), (1, 1)).phase == "purchase"


def test_table_start__it_starts_when_all_who_sit_there_agree() -> None:
    """Seats 0, 1, and 3 of four are taken. Two agree, and the game waits for the third, whose consent starts it."""
    state = table(4, (0, 1, 3), opener=0, first_seat=0)
    assert state.to_move == (0, 1, 3)
    for seat, agreed in ((3, 1), (0, 2)):
        assert events(state, seat, AgreeToStart()) == [StartAgreedTo(seat, agreed, 3)]
        state = after(state, seat, AgreeToStart())
    assert (state.phase, state.to_move) == ("seating", (1,))
    assert refused(state, 0, AgreeToStart()).code == "agreed_to_start"
    agreed_to, started_event, *_ = events(state, 1, AgreeToStart(), (1, 1))
    assert agreed_to == StartAgreedTo(1, 3, 3)
    assert isinstance(started_event, GameStarted)
    assert started_event.chairs == (0, 1, 3)
    assert after(state, 1, AgreeToStart(), (1, 1)).phase == "purchase"


@pytest.mark.parametrize(
    ("seat", "command"), [(None, TakeSeat("eve", 2)), (1, LeaveSeat())], ids=["somebody comes", "somebody leaves"]
)
def test_table_start__who_sits_down_or_leaves_undoes_what_was_agreed(seat: int | None, command: Command) -> None:
    """Two of three agreed, for the three who sat there. This does not count for four, nor for two."""
    state = table(4, (0, 1, 3), opener=0)
    for agreeing in (0, 3):
        state = after(state, agreeing, AgreeToStart())
    state = after(state, seat, command)
    assert state.phase == "seating"
    assert state.to_move == state.seated
    assert events(state, 0, AgreeToStart()) == [StartAgreedTo(0, 1, len(state.seated))]


@pytest.mark.parametrize("command", [StartGame(), AgreeToStart()])
def test_table_start__one_player_is_too_few(command: Command) -> None:
    rejection = refused(table(2, (1,), opener=1), 1, command)
    assert (rejection.code, rejection.rule) == ("too_few_players", "setup/seats")


def test_table_start__who_opened_it_and_does_not_sit_there_cannot_start() -> None:
    state = table(3, (0, 1), opener=2)
    assert refused(state, 0, StartGame()).code == "seats_empty"
    assert refused(state, None, StartGame()).code == "no_seat"


def test_table_start__those_behind_an_empty_seat_move_forward() -> None:
    """Seats 1 and 3 of four are taken: they become players 0 and 1, each with two quadrants."""
    (started_event, *_) = events(table(4, (1, 3), opener=3, first_seat=1), 3, StartGame(), (1, 1))
    assert isinstance(started_event, GameStarted)
    assert (started_event.chairs, started_event.owners) == ((1, 3), (0, 1, 0, 1))
    state = after(table(4, (1, 3), opener=3, first_seat=1), 3, StartGame(), (1, 1))
    assert state.names == ("Ben", "Dan")


def test_table_start__it_starts_once() -> None:
    rejection = refused(started(), 0, StartGame())
    assert (rejection.code, rejection.rule) == ("game_started", "table/start")


@pytest.mark.parametrize("command", [RollDice(), EndPurchases()])
def test_table_start__before_it_no_move_is_made(command: Command) -> None:
    rejection = refused(table(4), 0, command)
    assert (rejection.code, rejection.rule) == ("not_started", "table/start")


def test_table_start__entropy_of_the_players_is_joined_in_seat_order() -> None:
    state = table(4, (), opener=0, first_seat=2)
    for seat, entropy in ((2, "late"), (0, "early"), (3, "")):
        state = after(state, None, TakeSeat(f"player-{seat}", seat, entropy))
    assert after(state, 0, StartGame(), (1, 1)).entropy == "early,late,"

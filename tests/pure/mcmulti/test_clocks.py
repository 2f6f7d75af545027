"""Clocks: what happens when a seat's time runs out, and who may give it more time."""

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.clock import (
    BankUsed,
    Clock,
    GrantTime,
    MissesForgiven,
    TimeGranted,
    TimeOut,
    UseBank,
    pace,
)
from mcmulti.domain.core.capabilities.leaving import SeatVacated
from mcmulti.domain.core.capabilities.votes import ProposeEnd
from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.standing import Pace
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import (
    BuyAsset,
    BuyBarrels,
    EndProduction,
    EndPurchases,
    EndTurn,
    Instruct,
    RollDice,
    SellGasoline,
)
from mcmulti.domain.mcmulti.flow import turn
from mcmulti.domain.mcmulti.phases.ending import TurnBegan
from mcmulti.domain.mcmulti.phases.purchase import PurchasesEnded
from mcmulti.domain.mcmulti.state import State
from tests.pure.mcmulti.situations import after, assets_phase, events, refused, rolled, rules, site, situation, started
from tests.timed import timed


def _pace(state: State) -> Pace | None:
    return pace(state, turn(state))


def test_table_clock__so_many_seconds_from_when_a_seat_is_asked_until_another_is_however_many_commands() -> None:
    """Ada's turn 5, with 60 seconds a move and 600 in the bank. Buying barrels does not begin a new move."""
    state = timed(situation(), bank_seconds=600)
    assert _pace(state) == Pace((5, 0), 60, 660)
    bought = after(state, 0, BuyBarrels("domestic", "crude", 1))
    assert _pace(bought) == _pace(state)
    assert _pace(situation()) is None


def test_table_clock__the_turn_phases_of_one_seat_are_one_move_and_the_next_turn_another() -> None:
    """Nothing of Ada's is hit: from the market on, she is asked until her turn is over. Then Ben is, in turn 6."""
    state = timed(situation())
    thrown = after(state, 0, RollDice(), (1, 2))
    assert thrown.phase == "assets"
    assert _pace(thrown) == _pace(state) == Pace((5, 0), 60, 60)
    assert _pace(after(thrown, 0, EndTurn())) == Pace((6, 1), 60, 60)


def test_table_clock__when_the_time_is_up_the_least_moves_are_made_until_another_seat_is_asked() -> None:
    """Ada rolls and ends her turn, although she could have bought crude: one miss, however many moves that are."""
    state = timed(situation())
    happened = events(state, None, TimeOut(), (1, 2))
    moved = [event for event in happened if isinstance(event, MovedUnasked)]
    assert moved == [MovedUnasked(0, "time", "RollDice", 1, 5), MovedUnasked(0, "time", "EndTurn", 1, 5)]
    assert isinstance(happened[-1], TurnBegan)
    assert after(state, None, TimeOut(), (1, 2)).movers == (1,)
    assert rules(state, None, TimeOut(), (1, 2))[0] == "table/clock"


def test_table_clock__only_the_server_says_that_the_time_is_up_and_only_where_there_is_a_clock() -> None:
    state = timed(situation())
    assert refused(state, 0, TimeOut()).code == "not_for_seats"
    assert refused(state, 1, TimeOut()).code == "not_for_seats"
    assert refused(situation(), None, TimeOut()).rule == "turn/phases"
    assert not isinstance(RULESET.admit(state, None, TimeOut()), type(refused(state, 0, TimeOut())))


def test_table_clock__where_there_was_no_choice_nothing_is_missed() -> None:
    """Ben has no cash for the least rig in the special purchase round, so he could only have ended it."""
    poor = timed(started())
    poor = after(poor, 0, BuyAsset("rig", site("1-1")))
    assert events(poor, None, TimeOut()) == [MovedUnasked(0, "time", "EndPurchases", 1, 0), PurchasesEnded(0, 0)]
    without = timed(assets_phase(situation(cash=0)))
    assert MovedUnasked(0, "time", "EndTurn", 0, 5) in events(without, None, TimeOut())


def _missed(turn: int = 1) -> State:
    """Ada let her time run out in this turn. Now it is turn 5, which is hers, as turn 1 was."""
    state = timed(situation(assets={1: "station 1-1"}, gasoline={1: 2}))
    return replace(state, timing=state.timing.with_missed(0, 2, turn))


def test_table_clock__a_turn_of_ones_own_that_is_played_in_time_forgives_what_was_missed() -> None:
    """Ada buys, rolls a 2 and a 3, which hit nothing, and ends her turn."""
    state = rolled(after(_missed(), 0, BuyBarrels("domestic", "crude", 1)), 2, 3)
    assert state.timing.missed_by(0) == 2
    assert [event for event in events(state, 0, EndTurn()) if isinstance(event, MissesForgiven)] == [MissesForgiven(0)]
    assert rules(state, 0, EndTurn())[-1] == "table/clock"
    assert after(state, 0, EndTurn()).timing.missed_by(0) == 0


@pytest.mark.parametrize("turn", [2, 4])
def test_table_clock__a_turn_in_time_forgives_nothing_that_was_missed_since_the_one_before(turn: int) -> None:
    """Ada let her time run out as a neighbor in Ben's turn 2, or in Dan's turn 4.

    Otherwise, a player who stalls in all turns of others would never be removed.
    """
    state = rolled(_missed(turn), 2, 3)
    assert not any(isinstance(event, MissesForgiven) for event in events(state, 0, EndTurn()))
    assert after(state, 0, EndTurn()).timing.missed_by(0) == 2


@pytest.mark.parametrize(
    "trifle",
    [BuyBarrels("domestic", "crude", 1), Instruct(None), ProposeEnd("call_off"), RollDice()],
    ids=lambda command: type(command).__name__,
)
def test_table_clock__nothing_less_forgives_it(trifle: Command) -> None:
    """She does one thing before her time runs out again in the same turn.

    That is one more miss, and none is forgotten.
    """
    state = _missed()
    state = replace(state, setup=replace(state.setup, instructions=2, clock=Clock(60, misses=3)))
    dice = (2, 3)
    state = after(state, 0, trifle, dice if isinstance(trifle, RollDice) else ())
    happened = events(state, None, TimeOut(), () if isinstance(trifle, RollDice) else dice)
    assert not any(isinstance(event, MissesForgiven) for event in happened)
    assert SeatVacated(0, "missed") in happened


def test_table_clock__an_answer_as_a_neighbor_forgives_nothing() -> None:
    """Ben missed two of his turns, and sells in Ada's."""
    state = timed(situation(assets={1: "station 1-1"}, gasoline={1: 2}))
    state = rolled(replace(state, timing=state.timing.with_missed(1, 2, 4)), 1, 3)
    assert after(after(state, 1, SellGasoline(1)), 0, EndTurn()).timing.missed_by(1) == 2


def test_table_clock__a_turn_in_which_time_was_let_pass_is_not_forgiven_by_its_end() -> None:
    """Ada's time ran out while Ben was next as a neighbor. She ends the turn herself."""
    state = rolled(timed(situation(assets={0: "station 1-1", 1: "station 1-1"}, gasoline=2)), 1, 3)
    state = after(after(state, None, TimeOut()), 1, EndProduction())
    assert (state.movers, state.timing.missed_by(0)) == ((0,), 1)
    assert after(state, 0, EndTurn()).timing.missed_by(0) == 1


def test_table_clock__too_many_misses_running_vacate_the_seat() -> None:
    """Ada misses the second of the two moves that the clock allows. Ben, who missed one, stays."""
    state = timed(started(3), misses=2)
    state = after(after(state, None, TimeOut()), None, TimeOut())
    assert (state.timing.missed_by(0), state.timing.missed_by(1), state.vacant) == (1, 1, ())
    while state.movers != (0,):
        state = after(state, state.movers[0], EndPurchases())
    happened = events(state, None, TimeOut(), (1, 2))
    assert [event for event in happened if isinstance(event, SeatVacated)] == [SeatVacated(0, "missed")]
    vacated = after(state, None, TimeOut(), (1, 2))
    assert vacated.vacant == (0,)
    assert vacated.movers == (1,)


def test_table_clock__the_ghost_rolls_at_once_for_who_is_vacated_where_a_sale_was_agreed_on() -> None:
    """Ada misses her third move as a neighbor in the ghost's turn 4, before a turn of her own: it is the ghost's now.

    Its dice show a 2 and a 3, and Ben's turn comes. Nobody waits for a seat that is sold.
    """
    state = situation(3, quadrant=2, assets={0: "station 2-1"}, gasoline={0: 1}, turn=3)
    state = replace(state, setup=replace(timed(state, misses=1).setup, if_left="sold"))
    state = after(assets_phase(state), 2, EndTurn(), (5, 1))
    assert (state.now.quadrant, state.movers) == (3, (0,))
    happened = events(state, None, TimeOut(), (2, 3))
    assert SeatVacated(0, "missed") in happened
    assert after(state, None, TimeOut(), (2, 3)).movers == (1,)


def test_table_clock__a_neighbor_who_is_asked_has_a_clock_of_its_own() -> None:
    """A 1 and a 2 hit Ben's station in row 1: he sells in Ada's turn, in his own time."""
    state = rolled(timed(situation(gasoline=1, assets={1: "station 1-1"})), 1, 2)
    assert state.movers == (1,)
    assert _pace(state) == Pace((5, 1), 60, 60)
    assert _pace(after(state, 1, EndProduction())) == Pace((5, 0), 60, 60)


def test_table_bank__what_a_move_took_too_long_is_taken_from_the_bank_and_nothing_fills_it() -> None:
    """Of ten minutes, a quarter of a minute is used, then two minutes more. 7 min 45 s are left in every later move."""
    state = timed(situation(), bank_seconds=600)
    assert events(state, None, UseBank(15)) == [BankUsed(0, 15, 585)]
    assert rules(state, None, UseBank(15)) == ["table/bank"]
    used = after(after(state, None, UseBank(15)), None, UseBank(120))
    assert _pace(used) == Pace((5, 0), 60, 60 + 465)
    passed = after(after(used, 0, RollDice(), (1, 2)), 0, EndTurn())
    assert _pace(passed) == Pace((6, 1), 60, 660)
    assert passed.timing.used_by(0) == 135


def test_table_bank__no_more_is_taken_than_there_is() -> None:
    state = timed(situation(), bank_seconds=10)
    rejection = refused(state, None, UseBank(11))
    assert (rejection.code, rejection.rule, rejection.limit) == ("bank_empty", "table/bank", 10)
    empty = after(state, None, UseBank(10))
    assert refused(empty, None, UseBank(1)).code == "bank_empty"
    assert refused(state, 0, UseBank(1)).code == "not_for_seats"


def test_table_bank__when_the_time_is_up_all_of_the_bank_is_gone() -> None:
    state = timed(situation(), bank_seconds=600)
    used = after(state, None, UseBank(15))
    assert events(used, None, TimeOut(), (1, 2))[0] == BankUsed(0, 585, 0)


def test_table_grace__each_other_may_grant_who_is_asked_a_move_more_once_a_turn() -> None:
    """Ben and Cleo grant Ada a minute each. Her time ends two minutes later, and her bank stays the same."""
    state = timed(situation(), bank_seconds=600)
    assert events(state, 1, GrantTime(0)) == [TimeGranted(0, 1, 60, 5)]
    assert rules(state, 1, GrantTime(0)) == ["table/grace"]
    granted = after(after(state, 1, GrantTime(0)), 2, GrantTime(0))
    assert _pace(granted) == Pace((5, 0), 60, 660, granted=120)
    assert refused(granted, 1, GrantTime(0)).code == "granted"
    later = after(after(granted, 0, RollDice(), (1, 2)), 0, EndTurn())
    assert events(later, 2, GrantTime(1)) == [TimeGranted(1, 2, 60, 6)]


def test_table_grace__nobody_grants_time_to_itself_nor_to_who_is_not_asked() -> None:
    state = timed(situation())
    assert refused(state, 0, GrantTime(0)).code == "out_of_phase"
    rejection = refused(state, 1, GrantTime(2))
    assert (rejection.code, rejection.rule) == ("not_asked", "table/grace")
    assert refused(situation(), 1, GrantTime(0)).code == "out_of_turn"

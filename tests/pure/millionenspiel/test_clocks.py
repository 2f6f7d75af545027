"""Clocks: what happens when a seat's time runs out, and who may give it more time."""

from msgspec import Struct

from mcmulti.domain.core.capabilities.clock import BankUsed, GrantTime, TimeGranted, TimeOut, UseBank, pace
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.standing import Pace
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.phases.staking import Stake, StakePlaced
from mcmulti.domain.millionenspiel.phases.throwing import AcceptThrow
from mcmulti.domain.millionenspiel.pieces import NOTHING
from mcmulti.domain.millionenspiel.state import Millionenspiel
from tests.pure.millionenspiel.situations import after, happened, landing, of, refused, started
from tests.timed import timed


def test_table_clock__who_stakes_has_a_minute_and_after_it_the_next() -> None:
    """Ada has the dice, so Ben stakes first, then Cleo, all in round 1."""
    state = timed(started(), bank_seconds=30)
    assert pace(state, state.round) == Pace((1, 1), 60, 90)
    assert pace(after(state, 1, Stake()), 1) == Pace((1, 2), 60, 90)


def test_table_clock__whose_time_is_up_stakes_nothing() -> None:
    """Ben could have staked, so he missed it."""
    state, events = happened(timed(started()), None, TimeOut())
    assert events == [MovedUnasked(1, "time", "Stake", 1, 1), StakePlaced(1, NOTHING)]
    assert state.movers == (2,)


def test_table_clock__whose_time_is_up_accepts_the_throw() -> None:
    state = timed(landing(4, {}, {}))
    state, events = happened(state, None, TimeOut())
    assert of(events, MovedUnasked) == [MovedUnasked(0, "time", "AcceptThrow", 1, 1)]


def test_table_clock__who_stalls_once_a_round_is_removed_though_it_plays_its_own_turns_in_time() -> None:
    """Ben lets his time run out whenever Ada or Cleo has the dice, and plays when he has them.

    The third miss is the last. Cleo only missed her first stake, which her second turn in time forgives.
    """
    state, missed = timed(started()), []
    state = after(after(state, None, TimeOut()), None, TimeOut())
    while 1 in state.taken:
        [seat] = state.movers
        move = AcceptThrow() if state.phase == "declining" else Stake()
        if seat == 1 and state.roller != 1:
            assert state.phase == "staking"
            state = chanced(state, None, TimeOut())
            missed.append(state.timing.missed_by(1) if 1 in state.taken else 3)
        else:
            state = chanced(state, seat, move)
    assert missed == [2, 3]
    assert state.round == 4, "Ben had the dice in round 2, Cleo in round 3"


def chanced(state: Millionenspiel, seat: int | None, command: Struct) -> Millionenspiel:
    """The state after a command, whatever the dice show."""
    decision = RULESET.decide(state, seat, command, SeededChance(bytes(32), "game"))
    assert not isinstance(decision, Rejection), decision
    return decision.state


def test_table_bank__seconds_beyond_the_move_come_from_the_bank() -> None:
    state = timed(started(), bank_seconds=30)
    assert happened(state, None, UseBank(12))[1] == [BankUsed(1, 12, 18)]
    assert happened(after(state, None, UseBank(12)), None, TimeOut())[1][0] == BankUsed(1, 18, 0)


def test_table_grace__others_may_grant_as_long_again_once_a_round() -> None:
    state = timed(started(), bank_seconds=30)
    assert happened(state, 0, GrantTime(1))[1] == [TimeGranted(1, 0, 60, 1)]
    assert refused(after(state, 0, GrantTime(1)), 0, GrantTime(1)).code == "granted"
    assert refused(state, 0, GrantTime(2)).code == "not_asked"

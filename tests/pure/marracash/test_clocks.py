"""Clocks: what happens when a seat's time runs out, and who may give it more time."""

from mcmulti.domain.core.capabilities.clock import BankUsed, GrantTime, TimeGranted, TimeOut, UseBank, pace
from mcmulti.domain.core.course.standing import Pace
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.marracash.commands import Bid, PutUp
from mcmulti.domain.marracash.phases.auction import BidPassed
from mcmulti.domain.marracash.phases.turns import TurnStarted
from tests.pure.marracash.situations import ADA, BEN, CLEO, after, bidding, happened, refused, situation
from tests.timed import timed


def test_table_clock__each_bid_is_a_move_of_who_is_asked() -> None:
    """Ada puts up a shop in turn 4. Ben is asked, then Cleo, then Ada again, each with separate time."""
    state = timed(situation())
    assert pace(state, state.turn) == Pace((4, ADA), 60, 60)
    auction = after(state, ADA, PutUp("P4", 100))
    assert pace(auction, 4) == Pace((4, BEN), 60, 60)
    bid = bidding(auction, (BEN, 200), (CLEO, None))
    assert pace(bid, 4) == Pace((4, ADA), 60, 60)


def test_table_clock__whose_time_is_up_passes() -> None:
    auction = after(timed(situation()), ADA, PutUp("P4", 100))
    state, events = happened(auction, None, TimeOut())
    assert events == [MovedUnasked(BEN, "time", "PassBid", 1, 4), BidPassed(BEN, CLEO)]
    assert state.movers == (CLEO,)


def test_table_clock__whose_time_is_up_ends_the_turn_with_the_least_moves() -> None:
    """Two moves of a group are left to Ada, then it is Ben's turn. That is one miss."""
    state, events = happened(timed(situation()), None, TimeOut())
    moved = [event for event in events if isinstance(event, MovedUnasked)]
    assert {event.missed for event in moved} == {1}
    assert TurnStarted(BEN, 5, 2, 2) in events
    assert state.movers == (BEN,)


def test_table_bank__seconds_beyond_the_move_come_from_the_bank() -> None:
    state = timed(situation(), bank_seconds=30)
    assert happened(state, None, UseBank(12))[1] == [BankUsed(ADA, 12, 18)]
    assert happened(after(state, None, UseBank(12)), None, TimeOut())[1][0] == BankUsed(ADA, 18, 0)


def test_table_grace__others_may_grant_as_long_again_once_a_turn() -> None:
    """Cleo grants Ben time for his bid. She grants none for a second bid of his in the same turn."""
    auction = after(timed(situation()), ADA, PutUp("P4", 100))
    assert happened(auction, CLEO, GrantTime(BEN))[1] == [TimeGranted(BEN, CLEO, 60, 4)]
    granted = after(auction, CLEO, GrantTime(BEN))
    again = bidding(granted, (BEN, 200), (CLEO, 300), (ADA, None))
    assert again.movers == (BEN,)
    assert refused(again, CLEO, GrantTime(BEN)) == ("granted", "table/grace")
    assert refused(again, CLEO, Bid(400)) == ("out_of_turn", "turn/two-actions")

"""Ceilings: automatic bids for players, up to a limit that they set (`auction/ceiling`)."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.clock import Clock, TimeOut
from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.core.capabilities.undo import TakeBack
from mcmulti.domain.core.capabilities.undo.trail import MoveClosed, Undoing
from mcmulti.domain.core.chance import NO_SALT, ChanceWithheld, WithheldChance
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.offers import Offer, Range
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import Bid, BidUpTo, PassBid, PutUp, WithdrawCeiling
from mcmulti.domain.marracash.phases.auction import BidMade, BidPassed, ShopSold
from mcmulti.domain.marracash.phases.ceilings import CeilingSet, CeilingWithdrawn
from mcmulti.domain.marracash.state import Bazaar, MarraCashSetup, Shop
from tests.pure.marracash.situations import (
    ADA,
    BEN,
    CLEO,
    DAN,
    after,
    bidding,
    happened,
    offered,
    refused,
    situation,
)


def put_up(state: Bazaar | None = None) -> Bazaar:
    """Ada puts up R1 for 100. Ben, on her left, is asked. All have 1000 unless given."""
    return after(situation() if state is None else state, ADA, PutUp("R1", 100))


def up_to(state: Bazaar, *ceilings: tuple[int, int]) -> Bazaar:
    """After these seats have set these ceilings, in order."""
    for seat, most in ceilings:
        state = after(state, seat, BidUpTo(most))
    return state


def said(events: list[Any]) -> list[Any]:
    """The bids, passes, and sales among events."""
    return [event for event in events if isinstance(event, BidMade | BidPassed | ShopSold)]


def test_auction_ceiling__bids_are_made_at_once_until_one_is_left() -> None:
    """Cleo, who is not asked, sets 200, and nothing happens.

    Ben sets 300, and is asked: 125 for him, 150 for Cleo. Ada, who has no ceiling, is asked, and passes. Ben 175, Cleo
    200, Ben 225. Cleo would need 250 and passes.
    """
    state, events = happened(put_up(), CLEO, BidUpTo(200))
    assert events == [CeilingSet(CLEO, 0, NO_SALT, 200)]
    assert RULESET.to_move(state) == (BEN,)
    state, events = happened(state, BEN, BidUpTo(300))
    assert events == [CeilingSet(BEN, 0, NO_SALT, 300), BidMade(BEN, 125, CLEO), BidMade(CLEO, 150, ADA)]
    state, events = happened(state, ADA, PassBid())
    assert said(events) == [
        BidPassed(ADA, BEN),
        BidMade(BEN, 175, CLEO),
        BidMade(CLEO, 200, BEN),
        BidMade(BEN, 225, CLEO),
        BidPassed(CLEO, None),
        ShopSold("R1", BEN, 225, ADA, 100),
    ]
    assert state.cash == (1100, 775, 1000)


def test_auction_ceiling__an_auction_is_one_request_of_each_player() -> None:
    """Four play. The auctioneer sets a ceiling at once. Nobody is asked twice, however high the bids go."""
    state = up_to(put_up(situation(4)), (ADA, 500), (DAN, 775), (CLEO, 400), (BEN, 1000))
    assert state.auction is None
    assert state.shop("R1") == Shop(BEN, 0)
    assert state.cash[BEN] == 1000 - 800, "Dan goes as far as 775"


@pytest.mark.parametrize("earlier", [BEN, CLEO])
def test_auction_ceiling__of_two_equal_ones_who_comes_to_the_amount_in_turn_has_it(earlier: int) -> None:
    """Ada has passed at 100 before anybody else acts:

    Ben 125, Cleo 150, Ben 175, Cleo 200. Ben would need 225. It does not matter who set a ceiling first.
    """
    state = put_up(situation(cash={ADA: 100}))
    state = up_to(state, (earlier, 200), (BEN + CLEO - earlier, 200))
    assert state.shop("R1") == Shop(CLEO, 0)
    assert state.cash[CLEO] == 800


def test_auction_ceiling__a_bid_by_hand_of_another_size_changes_who_comes_to_it() -> None:
    """As before, but Ben bids 150 by hand before he sets his ceiling: Cleo 175, Ben 200, and Cleo passes."""
    state = up_to(put_up(situation(cash={ADA: 100})), (CLEO, 200))
    state, events = happened(state, BEN, Bid(150))
    assert said(events) == [BidMade(BEN, 150, CLEO), BidMade(CLEO, 175, BEN)]
    assert up_to(state, (BEN, 200)).shop("R1") == Shop(BEN, 0)


def test_auction_ceiling__from_the_next_bid_to_all_cash_in_steps_of_25() -> None:
    """Ben has 330, and is asked above 200; Cleo has 210 and cannot bid 225."""
    state = after(situation(cash={BEN: 330, CLEO: 210}), ADA, PutUp("R1", 200))
    [offer] = offered(state, BEN)["BidUpTo"]
    assert offer == Offer("BidUpTo", "auction/ceiling", {"most": Range(225, 325, "cash", 25)})
    for most, code in ((350, "cash"), (200, "out_of_range"), (230, "out_of_range")):
        assert refused(state, BEN, BidUpTo(most))[0] == code
    assert refused(state, CLEO, BidUpTo(225)) == ("cash", "auction/bids")


def test_auction_ceiling__only_who_may_still_bid_and_only_in_an_auction() -> None:
    state = situation()
    assert refused(state, ADA, BidUpTo(200)) == refused(state, BEN, BidUpTo(200)) == ("no_auction", "auction/ceiling")
    assert refused(state, BEN, WithdrawCeiling()) == ("no_ceiling", "auction/ceiling")
    state = bidding(put_up(situation(4)), (BEN, None))
    assert refused(state, BEN, BidUpTo(200)) == ("out_of_auction", "auction/bids")
    assert refused(state, CLEO, WithdrawCeiling()) == ("no_ceiling", "auction/ceiling")
    full = {f"G{number}": (BEN, 0) for number in range(1, 6)} | {"B1": (BEN, 0)}
    assert refused(put_up(situation(shops=full)), BEN, BidUpTo(200)) == ("signs", "auction/signs")


def test_auction_ceiling__it_is_offered_to_who_is_not_asked_at_any_time() -> None:
    """Cleo is not asked, but she may set a ceiling, and withdraw it once she has."""
    state = put_up()
    assert RULESET.offers(state, CLEO) == ()
    assert _besides(state, CLEO) >= {"BidUpTo"}
    assert "WithdrawCeiling" not in _besides(state, CLEO)
    assert _besides(up_to(state, (CLEO, 200)), CLEO) >= {"BidUpTo", "WithdrawCeiling"}
    assert not {"BidUpTo", "WithdrawCeiling"} & _besides(state, BEN), "whom it is offered to as an answer"
    assert not {"BidUpTo", "WithdrawCeiling"} & _besides(situation(), CLEO)


def _besides(state: Bazaar, seat: int) -> set[str]:
    return {offer.command for offer in RULESET.besides(state, seat)}


def test_auction_ceiling__it_is_raised_or_lowered_for_what_comes_and_bids_stand() -> None:
    """Ben sets 200 and leads with 125. He lowers it to 150, then Cleo bids 150: he passes. Or he raises it to 400."""
    state = up_to(put_up(), (BEN, 200))
    assert RULESET.to_move(state) == (CLEO,)
    lowered, events = happened(up_to(state, (BEN, 150)), CLEO, Bid(150))
    assert said(events) == [BidMade(CLEO, 150, ADA)]
    lowered, events = happened(lowered, ADA, PassBid())
    assert said(events)[:2] == [BidPassed(ADA, BEN), BidPassed(BEN, None)]
    raised = bidding(up_to(state, (BEN, 400)), (CLEO, 350), (ADA, None))
    assert raised.now.bid == 375
    assert raised.now.bidder == BEN


def test_auction_ceiling__withdrawn_its_player_is_asked_again() -> None:
    """Ben leads with 125 by his ceiling, withdraws it, and is asked when Cleo has bid 150 and Ada has passed."""
    state, events = happened(up_to(put_up(), (BEN, 200)), BEN, WithdrawCeiling())
    assert events == [CeilingWithdrawn(BEN)]
    state = bidding(state, (CLEO, 150), (ADA, None))
    assert RULESET.to_move(state) == (BEN,)
    assert state.now.bid == 150


def test_auction_ceiling__it_ends_with_the_auction() -> None:
    """Ben's 600 buys R1 for 125. In the next auction of the same turn he is asked."""
    state = bidding(up_to(put_up(), (BEN, 600)), (CLEO, None), (ADA, None))
    assert state.shop("R1").owner == BEN
    state = after(state, ADA, PutUp("R2", 100))
    assert RULESET.to_move(state) == (BEN,)
    assert RULESET.view(state, BEN).your_ceiling is None  # type: ignore[attr-defined]


def test_auction_ceiling__it_ends_when_its_player_leaves() -> None:
    """Four play. Cleo sets 500 and leaves: nothing is bid for her seat, and she is out when it is her turn to bid."""
    state = after(up_to(put_up(situation(4)), (CLEO, 500)), CLEO, Resign())
    state, events = happened(state, BEN, Bid(125))
    assert BidPassed(CLEO, DAN) in events
    assert state.now.bid == 125


def test_auction_ceiling__who_is_absent_bids_up_to_it_and_not_beyond() -> None:
    """Cleo set 150 and is away.

    Dan set nothing and is away. With a clock of 60 seconds and nothing in the bank, only Dan's time runs out, and he
    passes. Ben bids 175: Cleo's ceiling passes.
    """
    clocked = MarraCashSetup(seats=4, clock=Clock(move_seconds=60, bank_seconds=0))
    state = up_to(put_up(replace(situation(4), setup=clocked)), (CLEO, 150))
    state, events = happened(state, BEN, Bid(125))
    assert said(events) == [BidMade(BEN, 125, CLEO), BidMade(CLEO, 150, DAN)]
    state, events = happened(state, None, TimeOut())
    assert [(event.seat, event.move) for event in events if isinstance(event, MovedUnasked)] == [(DAN, "PassBid")]
    state, events = happened(bidding(state, (ADA, None)), BEN, Bid(175))
    assert said(events)[-2:] == [BidPassed(CLEO, None), ShopSold("R1", BEN, 175, ADA, 100)]
    assert state.timing.missed_by(CLEO) == 0


# What nobody may learn


def test_auction_ceiling__others_see_who_has_one_and_not_how_high() -> None:
    low, high = up_to(put_up(), (CLEO, 200)), up_to(put_up(), (CLEO, 900))
    for reader in (ADA, BEN, None):
        assert msgspec.json.encode(RULESET.view(low, reader)) == msgspec.json.encode(RULESET.view(high, reader))
    for reader in (ADA, BEN):
        assert RULESET.offers(low, reader) == RULESET.offers(high, reader)
        assert RULESET.besides(low, reader) == RULESET.besides(high, reader)
    view: Any = RULESET.view(high, CLEO)
    assert (view.ceilings, view.your_ceiling) == ((CLEO,), 900)


@pytest.mark.parametrize("command", [Bid(125), PassBid(), BidUpTo(300)])
def test_auction_ceiling__a_trial_ends_where_anothers_ceiling_would_answer(command: Any) -> None:
    """Without bidding, nobody learns whether Cleo's ceiling of 150 would bid on or pass."""
    state = up_to(put_up(), (CLEO, 150))
    offer = RULESET.admit(state, BEN, command)
    assert isinstance(offer, Offer)
    with pytest.raises(ChanceWithheld):
        RULESET.carry_out(state, BEN, command, offer, WithheldChance())


def test_auction_ceiling__what_it_says_is_for_who_set_it_until_the_game_is_over() -> None:
    """A player who takes the seat later cannot read it either."""
    redaction = RULESET.redaction("CeilingSet")
    assert redaction is not None
    state, [event] = happened(put_up(), CLEO, BidUpTo(200))
    assert not redaction.sealed(state, event, CLEO)
    assert all(redaction.sealed(state, event, reader) for reader in (ADA, BEN, None))
    tenants = (("player-0",), ("player-1",), ("player-2", "player-9"))
    later = replace(state, departures=replace(state.departures, tenants=tenants))
    assert redaction.sealed(later, event, CLEO)
    over = replace(state, auction=None, winners=(ADA,))
    assert not any(redaction.sealed(over, event, reader) for reader in (ADA, BEN, None))


def test_auction_ceiling__who_may_not_read_it_folds_a_stand_in_to_the_same_auction() -> None:
    """The following bids do not depend on what the stand-in says."""
    redaction = RULESET.redaction("CeilingSet")
    assert redaction is not None
    state, events = happened(up_to(put_up(), (CLEO, 200)), BEN, Bid(125))
    told = redaction.stand_in(("ShopPutUp", "CeilingSet"), CLEO).evolve(put_up())
    for event in events:
        told = event.evolve(told)
    assert told.auction == state.auction
    assert RULESET.view(told, BEN) == RULESET.view(state, BEN)


def test_auction_ceiling__a_trial_of_ones_own_goes_as_far_as_anybody_sees() -> None:
    """Ben is asked: 125 would be bid for him, and Cleo, who has no ceiling, would be asked."""
    state = put_up()
    offer = RULESET.admit(state, BEN, BidUpTo(300))
    assert isinstance(offer, Offer)
    facts = RULESET.carry_out(state, BEN, BidUpTo(300), offer, WithheldChance()).facts
    assert [fact.event for fact in facts] == [CeilingSet(BEN, 0, NO_SALT, 300), BidMade(BEN, 125, CLEO)]


# What cannot be taken back


def undoing(state: Bazaar) -> Bazaar:
    """The same at a table where moves can be taken back."""
    return replace(state, setup=MarraCashSetup(seats=len(state.chairs), undo="agreed"))


def test_table_undo__a_ceiling_stands_and_all_before_it() -> None:
    """Ada could take back that she put up R1, until Cleo, who is not even asked, sets or withdraws a ceiling."""
    state = put_up(undoing(situation(undoing=Undoing())))
    moved = replace(state, undoing=Undoing((state.undoing.trail[0],) * 2))
    assert isinstance(RULESET.admit(moved, ADA, TakeBack(1)), Offer)
    state, events = happened(moved, CLEO, BidUpTo(200))
    assert events[-1] == MoveClosed(CLEO, True, ())
    assert refused(state, ADA, TakeBack(1)) == ("nothing_to_take_back", "table/undo")
    state, events = happened(state, CLEO, WithdrawCeiling())
    assert events[-1] == MoveClosed(CLEO, True, ())


def test_table_undo__a_bid_that_a_ceiling_answered_stands() -> None:
    """Ben bids 125 and 150 is bid for Cleo.

    Otherwise he could take back 125, and find out for free how far she goes. A bid that no ceiling answered may be
    taken back as usual.
    """
    state, events = happened(up_to(put_up(undoing(situation())), (CLEO, 200)), BEN, Bid(125))
    assert events[-1] == MoveClosed(BEN, True, ())
    state, events = happened(up_to(put_up(undoing(situation(4))), (DAN, 200)), BEN, Bid(125))
    assert events[-1] == MoveClosed(BEN, False, ())
    assert after(state, BEN, TakeBack(1)).ceiling(DAN) == 200

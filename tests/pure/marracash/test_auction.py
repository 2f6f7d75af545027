"""Auctions."""

from collections import Counter

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Choice, Range
from mcmulti.domain.core.tuples import put
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import Bid, MoveGroup, PassBid, PutUp
from mcmulti.domain.marracash.phases.auction import BidMade, BidPassed, ShopPutUp, ShopSold
from mcmulti.domain.marracash.phases.customers import CustomersEntered
from mcmulti.domain.marracash.phases.turns import ActionsLapsed, TurnStarted
from mcmulti.domain.marracash.state import Bazaar, Crowd, Shop
from tests.pure.marracash.situations import (
    ADA,
    BEN,
    CLEO,
    DAN,
    after,
    bidding,
    empty_town,
    happened,
    offered,
    refused,
    situation,
)

SIX = {f"R{number}": (BEN, 0) for number in range(1, 6)} | {"B1": (BEN, 0)}


def test_auction_offer__any_unsold_shop_from_100_up_to_all_cash() -> None:
    """With 260 in cash, Ada opens with 100, 125, ... or 250. B2 is already sold."""
    state = situation(cash={ADA: 260}, shops={"B2": (BEN, 0)})
    [offer] = offered(state, ADA)["PutUp"]
    shops, bid = offer.fields["shop"], offer.fields["bid"]
    assert isinstance(shops, Choice)
    assert len(shops.options) == 24
    assert bid == Range(100, 250, "cash", 25)
    assert refused(state, ADA, PutUp("B2", 100)) == ("sold", "auction/offer")
    assert refused(state, ADA, PutUp("R1", 275)) == ("cash", "auction/bids")
    assert refused(state, ADA, PutUp("R1", 75)) == ("out_of_range", "auction/offer")
    assert refused(state, ADA, PutUp("R1", 110)) == ("out_of_range", "auction/offer")


def test_auction_bids__four_bid_clockwise_until_one_is_left() -> None:
    """Ben puts up R1 for 100.

    Cleo bids 125, Dan passes, Ada bids 150, Ben 175, Cleo passes, and Dan, who passed, is not asked again. Ada passes.
    Ben pays 175 for his own auction, and there is no commission.
    """
    state, events = happened(situation(4, seat=BEN), BEN, PutUp("R1", 100))
    assert events == [ShopPutUp(BEN, "R1", 100, CLEO)]
    for seat, command, event in (
        (CLEO, Bid(125), BidMade(CLEO, 125, DAN)),
        (DAN, PassBid(), BidPassed(DAN, ADA)),
        (ADA, Bid(150), BidMade(ADA, 150, BEN)),
        (BEN, Bid(175), BidMade(BEN, 175, CLEO)),
        (CLEO, PassBid(), BidPassed(CLEO, ADA)),
    ):
        assert RULESET.to_move(state) == (seat,)
        state, events = happened(state, seat, command)
        assert events == [event]
    assert refused(state, DAN, Bid(200)) == ("out_of_turn", "turn/two-actions")
    state, events = happened(state, ADA, PassBid())
    assert events == [BidPassed(ADA, None), ShopSold("R1", BEN, 175, BEN, 0)]
    assert state.cash == (1000, 825, 1000, 1000)


@pytest.mark.parametrize("auctioneer", [ADA, BEN, CLEO, DAN])
def test_auction_bids__the_first_is_asked_on_the_auctioneers_left(auctioneer: int) -> None:
    """Whoever began the round: then all others in turn, and the auctioneer last, if anyone bid more."""
    state = after(situation(4, seat=auctioneer, first=ADA), auctioneer, PutUp("R1", 100))
    left, across, right = ((auctioneer + step) % 4 for step in (1, 2, 3))
    asked = []
    for bid in (None, 125, None, None):
        asked.append(state.movers[0])
        state = bidding(state, (state.movers[0], bid))
    assert asked == [left, across, right, auctioneer]
    assert state.shop("R1").owner == across


def test_auction_bids__at_most_own_cash_and_more_than_the_highest_bid() -> None:
    state = after(situation(cash={BEN: 330}), ADA, PutUp("R1", 200))
    [offer] = offered(state, BEN)["Bid"]
    assert offer.fields == {"bid": Range(225, 325, "cash", 25)}
    assert refused(state, BEN, Bid(350)) == ("cash", "auction/bids")
    assert refused(state, BEN, Bid(200)) == ("out_of_range", "auction/bids")


def test_auction_bids__who_cannot_bid_more_is_out_without_being_asked() -> None:
    """At 300, Ben, who has 324, is one dirham short of the next bid. Cleo has 325 and is asked."""
    state = after(situation(cash={BEN: 324, CLEO: 325}), ADA, PutUp("R1", 300))
    assert RULESET.to_move(state) == (CLEO,)
    state = after(state, CLEO, Bid(325))
    assert RULESET.to_move(state) == (ADA,)
    assert after(state, ADA, Bid(350)).shop("R1") == Shop(ADA, 0), "nobody is left who can"


def test_auction_bids__a_pass_is_for_this_auction_only() -> None:
    state = bidding(after(situation(), ADA, PutUp("R1", 100)), (BEN, None), (CLEO, None))
    assert RULESET.to_move(after(state, ADA, PutUp("R2", 100))) == (BEN,)


def test_auction_signs__with_six_shops_nobody_bids_or_opens() -> None:
    """Ben has six shops: only Cleo is asked when Ada puts one up, and Ben must move when it is his turn."""
    assert RULESET.to_move(after(situation(shops=SIX), ADA, PutUp("G1", 100))) == (CLEO,)
    state = situation(seat=BEN, shops=SIX)
    assert "PutUp" not in offered(state, BEN)
    assert refused(state, BEN, PutUp("G1", 100)) == ("signs", "auction/signs")


@pytest.mark.parametrize(("price", "commission"), [(125, 100), (500, 100), (525, 200), (1000, 200)])
def test_auction_commission__100_up_to_500_and_200_from_525_if_another_buys(price: int, commission: int) -> None:
    """Four play. Ada puts up R1 for 100, Ben bids the price, and nobody goes on."""
    state = after(situation(4), ADA, PutUp("R1", 100))
    state = bidding(state, (BEN, price))
    while state.auction:
        state = bidding(state, (state.movers[0], None))
    assert state.cash == (1000 + commission, 1000 - price, 1000, 1000)
    assert state.shop("R1") == Shop(BEN, 0)


def test_auction_commission__none_on_an_own_purchase() -> None:
    assert after(situation(), ADA, PutUp("R1", 1000)).cash == (0, 1000, 1000)


def _with_waiting() -> Bazaar:
    """Ada, with 500 and both actions to do. Three blue visitors and a red one stand at fountain 3, beside B1."""
    return situation(cash={ADA: 500, BEN: 100, CLEO: 100}, groups={3: Crowd(blue=3, red=1)})


def test_auction_waiting__all_of_the_color_beside_the_shop_enter_at_once() -> None:
    """The three blue ones pay 100 + 200 + 300 = 600 to Ada. The red one stays. Nobody gets a commission."""
    state, events = happened(_with_waiting(), ADA, PutUp("B1", 500))
    assert events[-1] == CustomersEntered("B1", ADA, 3, 3, 600, None, 0)
    assert (state.group(3), state.shop("B1")) == (Crowd(red=1), Shop(ADA, 3))


def test_auction_waiting__at_another_fountain_nobody_enters() -> None:
    """B2 has no fountain beside it. Fountain 4 is only on the way to it."""
    state = situation(groups={4: Crowd(blue=2)})
    state = after(state, ADA, PutUp("B2", 1000))
    assert (state.group(4), state.shop("B2")) == (Crowd(blue=2), Shop(ADA, 0))


def test_auction_waiting__they_pay_the_buyer_and_no_commission_when_another_put_it_up() -> None:
    """Ben buys B1 for 125: he pays 125 and takes 600. Ada gets 100 for the auction, nothing for the customers."""
    state = situation(cash=500, groups={3: Crowd(blue=3)})
    state = bidding(after(state, ADA, PutUp("B1", 100)), (BEN, 125), (CLEO, None), (ADA, None))
    assert state.cash == (600, 500 - 125 + 600, 500)


def test_auction_order__what_the_waiting_pay_does_not_pay_this_price_but_a_second_auction() -> None:
    """Ada has 500: she cannot bid 525 in advance of B1's income. She pays 500, takes 600, and can open with 600."""
    state = _with_waiting()
    assert refused(state, ADA, PutUp("B1", 525)) == ("cash", "auction/bids")
    state = after(state, ADA, PutUp("B1", 500))
    assert state.cash == (600, 100, 100)
    [offer] = offered(state, ADA)["PutUp"]
    assert offer.fields["bid"] == Range(100, 600, "cash", 25)


def test_auction_unable__as_first_action_a_group_must_be_moved() -> None:
    """Ada has 99, or six shops."""
    poor, full = situation(cash={ADA: 99}), situation(shops=dict.fromkeys(SIX, (ADA, 0)))
    assert set(offered(poor, ADA)) == set(offered(full, ADA)) == {"MoveGroup"}
    assert refused(poor, ADA, PutUp("G1", 100)) == ("cash", "auction/bids")


def test_auction_unable__after_a_move_a_group_must_be_moved_again_and_its_income_counts() -> None:
    """Ada has 50.

    From 14 to 8, nobody enters anything: she must move. A green visitor for her G4 brings 100: she may put up a shop
    with the 150 she has.
    """
    idle = situation(cash={ADA: 50}, groups={14: Crowd(red=1)})
    assert set(offered(after(idle, ADA, MoveGroup(14, 8)), ADA)) == {"MoveGroup"}
    busy = situation(cash={ADA: 50}, shops={"G4": (ADA, 0)}, groups={14: Crowd(green=1)})
    busy = after(busy, ADA, MoveGroup(14, 8))
    assert busy.cash[ADA] == 150
    assert set(offered(busy, ADA)) == {"MoveGroup", "PutUp"}


def test_auction_unable__a_second_auction_lapses_and_no_move_takes_its_place() -> None:
    """Ada spends all her cash on the first shop: her turn ends, although groups are waiting."""
    state, events = happened(situation(cash={ADA: 1000}), ADA, PutUp("R1", 1000))
    assert ActionsLapsed(ADA, 1) in events
    assert state.seat == BEN


def test_auction_unable__who_can_do_neither_passes() -> None:
    """Nobody stands on any fountain, and Ben has 75: when Ada is done, it is Cleo's turn."""
    state = empty_town(cash={ADA: 100, BEN: 75}, left=1)
    state, events = happened(state, ADA, PutUp("R1", 100))
    state, events = happened(state, CLEO, PassBid())
    assert ActionsLapsed(BEN, 2) in events
    assert state.seat == CLEO


def test_auction_unable__a_group_that_stood_there_and_went_into_a_shop_leaves_nothing_to_move() -> None:
    """The last green visitor goes into Ada's G4. She has six shops, so the second action lapses."""
    shops = {"R1": (ADA, 0), "R2": (ADA, 0), "R3": (ADA, 0), "R4": (ADA, 0), "R5": (ADA, 0), "G4": (ADA, 0)}
    state = empty_town(shops=shops, groups={14: Crowd(green=1)})
    state, events = happened(state, ADA, MoveGroup(14, 8))
    assert ActionsLapsed(ADA, 1) in events
    assert state.seat == BEN


@pytest.mark.parametrize(("last", "commission"), [(500, 100), (525, 200)])
def test_auction_commission__an_auction_of_four_that_is_bid_up(last: int, commission: int) -> None:
    """Ada puts up R1 for 300.

    Ben bids 400, Cleo passes, Dan bids the last price, Ada and Ben pass. Dan pays the bank, which pays Ada 100 of 500
    and 200 of 525.
    """
    state = after(situation(4), ADA, PutUp("R1", 300))
    state, events = happened(bidding(state, (BEN, 400), (CLEO, None), (DAN, last), (ADA, None)), BEN, PassBid())
    assert events[:2] == [BidPassed(BEN, None), ShopSold("R1", DAN, last, ADA, commission)]
    assert state.cash == (1000 + commission, 1000, 1000, 1000 - last)
    moved = Counter(dict.fromkeys(("bank", "seat:0:cash", "seat:3:cash"), 0))
    for each in RULESET.books.transfers(events[1]):
        if each.unit == "dirham":
            moved[each.source] -= each.amount
            moved[each.target] += each.amount
    assert moved == {"bank": last - commission, "seat:0:cash": commission, "seat:3:cash": -last}


def test_auction_signs__the_sixth_shop_is_the_last() -> None:
    """Ada has five shops and wins a sixth as her first action: she cannot put up another, and her turn is over."""
    five = {f"R{number}": (ADA, 0) for number in range(1, 6)}
    state, events = happened(situation(shops=five, cash={BEN: 0, CLEO: 0}), ADA, PutUp("B1", 100))
    assert state.owned(ADA) == 6
    assert events[-2:] == [ActionsLapsed(ADA, 1), TurnStarted(BEN, 5, 2, 2)]


@pytest.mark.parametrize(
    ("cash", "english", "german"),
    [
        (
            1210,
            "Bid 225 to 1,200 dirham in steps of 25 for R1.",
            "225 bis 1.200 Dirham in Schritten von 25",
        ),
        (240, "Bid 225 dirham for R1.", "Auf R1 225 Dirham bieten."),
    ],
)
def test_auction_bids__the_offer_says_what_may_be_bid(cash: int, english: str, german: str) -> None:
    """After a bid of 200. A single possible bid is not a range."""
    state = after(situation(cash={BEN: cash}), ADA, PutUp("R1", 200))
    [offer] = offered(state, BEN)["Bid"]
    assert RULESET.texts.tell_offer(state, offer, "en") == english
    assert german in RULESET.texts.tell_offer(state, offer, "de")


def test_auction_bids__the_story_names_once_who_cannot_raise_and_why() -> None:
    """Ada puts up B2 for 300.

    Ben has 324, and Cleo six shops. If Dan bids 975, Ada can raise with her 1000. If he bids 1000, she cannot. Ben and
    Cleo were out before.
    """
    before = situation(4, cash={BEN: 324}, shops=dict.fromkeys(SIX, (CLEO, 0)))
    state, events = happened(before, ADA, PutUp("B2", 300))
    assert told(before, events[0]) == (
        "Ada puts up B2 and bids 300 dirham. Unable to raise: Ben (too little cash) and Cleo (no sign left).",
        "Ada versteigert B2 und bietet 300 Dirham. Nicht überbieten können: Ben (zu wenig Bargeld) und Cleo (kein"
        " Schild mehr).",
    )
    _, [bid, *_] = happened(state, DAN, Bid(975))
    assert told(state, bid) == ("Dan bids 975 dirham.", "Dan bietet 975 Dirham.")
    _, [bid, *_] = happened(state, DAN, Bid(1000))
    assert told(state, bid) == (
        "Dan bids 1,000 dirham. Unable to raise: Ada (too little cash).",
        "Dan bietet 1.000 Dirham. Nicht überbieten können: Ada (zu wenig Bargeld).",
    )


def test_auction_bids__the_story_does_not_name_who_passed_or_left() -> None:
    """Ada puts up R1 for 100. Ben, who has 150, passes. Cleo, who has 150, left. Dan bids 200: nobody is named."""
    state = situation(4, cash={BEN: 150, CLEO: 150})
    state = bidding(after(state, ADA, PutUp("R1", 100)), (BEN, None))
    state = replace(state, player_ids=put(state.player_ids, CLEO, None))
    assert told(state, BidMade(DAN, 200, ADA))[0] == "Dan bids 200 dirham."


def told(before: Bazaar, event: Event) -> tuple[str, str]:
    """What happened, in English and in German."""
    return RULESET.texts.tell(before, event, "en"), RULESET.texts.tell(before, event, "de")

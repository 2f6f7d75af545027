"""Auctions: a shop is put up, all bid in turn, and the last bidder pays."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.core.offers import Offer, Range, TextChoice, plain
from mcmulti.domain.marracash.commands import Bid, PassBid, PutUp
from mcmulti.domain.marracash.components import LEAST_BID, STEP, ShopName, auction_commission
from mcmulti.domain.marracash.phases.customers import take_in_waiting
from mcmulti.domain.marracash.phrases import Phrases
from mcmulti.domain.marracash.state import Auction, Bazaar, Dirham, Play, Shop, paid


class ShopPutUp(Event, frozen=True):
    """A shop was put up for auction, with a first bid. `asked`: the seat that may bid next, null if none can."""

    seat: Seat
    shop: ShopName
    bid: Dirham
    asked: Seat | None

    def evolve(self, state: Bazaar) -> Bazaar:
        auction = Auction(self.shop, self.seat, self.bid, self.seat, self.asked)
        return replace(state, auction=auction, left=state.left - 1, may_move=False)

    def out(self, say: Phrases) -> str:
        """Players who cannot bid more."""
        return say.unable_to_raise(self.seat, self.bid)


class BidMade(Event, frozen=True):
    """A player bid more. `asked`: the seat that may bid next, null if none can."""

    seat: Seat
    bid: Dirham
    asked: Seat | None

    def evolve(self, state: Bazaar) -> Bazaar:
        return replace(state, auction=replace(state.now, bid=self.bid, bidder=self.seat, asked=self.asked))

    def out(self, say: Phrases) -> str:
        """Players who could bid before, but cannot bid more now."""
        return say.unable_to_raise(self.seat, self.bid)


class BidPassed(Event, frozen=True):
    """A player is out of this auction. `asked`: the seat that may bid next, null if none can."""

    seat: Seat
    asked: Seat | None

    def evolve(self, state: Bazaar) -> Bazaar:
        passed = replace(state.now, passed=(*state.now.passed, self.seat), asked=self.asked)
        return replace(state.with_ceiling(self.seat, None), auction=passed)


class ShopSold(Event, frozen=True):
    """The highest bidder paid the bank and owns the shop. If the auctioneer is another player, that player got a
    commission.
    """

    shop: ShopName
    seat: Seat
    price: Dirham
    auctioneer: Seat
    commission: Dirham

    def evolve(self, state: Bazaar) -> Bazaar:
        cash = paid(paid(state.cash, self.seat, -self.price), self.auctioneer, self.commission)
        shops = state.with_shop(self.shop, Shop(self.seat, 0))
        return replace(state, cash=cash, shops=shops, auction=None, stirred=True, ceilings=())

    def transfers(self) -> tuple[Transfer, ...]:
        return (
            *transfer(f"seat:{self.seat}:cash", "bank", "dirham", self.price, "price"),
            *transfer("bank", f"seat:{self.auctioneer}:cash", "dirham", self.commission, "auction_commission"),
            *transfer("bank", f"seat:{self.seat}:shops", "shops", 1, "price"),
        )

    def form(self, say: Phrases) -> Literal["own", "other"]:
        return "own" if self.seat == self.auctioneer else "other"


def offers_putting_up(state: Bazaar, complete: bool) -> tuple[Offer, ...]:
    """Put up a shop (`auction/offer`). With `complete`, includes impossible ones, with the reason."""
    blocked = state.unable_to_open(state.seat)
    if blocked and not complete:
        return ()
    cash = state.cash[state.seat]
    bid = Range(LEAST_BID, cash // STEP * STEP, "cash", STEP)
    fields = {"shop": TextChoice(state.unsold, "sold"), "bid": bid}
    return (Offer("PutUp", "auction/offer", fields, blocked_by=blocked),)


def offers_bidding(state: Bazaar, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Bid more, or pass (`auction/bids`). Only seats that can bid more are asked."""
    auction = state.now
    least, most = auction.bid + STEP, state.cash[seat] // STEP * STEP
    return (
        Offer("Bid", "auction/bids", {"bid": Range(least, most, "cash", STEP)}),
        plain("PassBid", "auction/bids"),
    )


def put_up(play: Play, seat: int, command: PutUp, offer: Offer) -> None:
    asked = next_asked(play.state, seat, command.bid, bidder=seat, out=())
    play.record(ShopPutUp(seat, command.shop, command.bid, asked), offer.rule)


def bid(play: Play, seat: int, command: Bid, offer: Offer) -> None:
    make_bid(play, seat, command.bid, offer.rule)


def pass_bid(play: Play, seat: int, command: PassBid, offer: Offer) -> None:
    leave_auction(play, seat, offer.rule)


def make_bid(play: Play, seat: int, amount: int, rule: str) -> None:
    """The asked seat bids this many dirham."""
    asked = next_asked(play.state, seat, amount, bidder=seat, out=play.state.now.passed)
    play.record(BidMade(seat, amount, asked), rule)


def leave_auction(play: Play, seat: int, rule: str) -> None:
    """The asked seat passes."""
    auction = play.state.now
    asked = next_asked(play.state, seat, auction.bid, auction.bidder, (*auction.passed, seat))
    play.record(BidPassed(seat, asked), rule)


def next_asked(state: Bazaar, after: int, bid: int, bidder: int, out: tuple[int, ...]) -> int | None:
    """The next seat clockwise that can bid more: not the highest bidder, not out, with enough cash and a free sign."""
    players = len(state.cash)
    for step in range(1, players):
        seat = (after + step) % players
        if seat != bidder and seat not in out and state.unable_to_raise(seat, bid) is None:
            return seat
    return None


def sell(play: Play) -> None:
    """The last bidder pays: price, commission, sign, waiting visitors (`auction/order`)."""
    auction = play.state.now
    own = auction.bidder == auction.auctioneer
    commission = 0 if own else auction_commission(auction.bid)
    sold = ShopSold(auction.shop, auction.bidder, auction.bid, auction.auctioneer, commission)
    play.record(sold, "auction/bids" if own else "auction/commission")
    take_in_waiting(play, auction.bidder, auction.shop)

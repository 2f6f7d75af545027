"""The positions in which a game of MarraCash can stand between two commands."""

from collections import Counter
from collections.abc import Iterator

from mcmulti.domain.core.course.positions import Fault, Reasons, differs, no_seat, outside, repeats, wrong_length
from mcmulti.domain.core.figures import MOST
from mcmulti.domain.marracash.components import LEAST_BID, OPEN_SOUVENIRS, SHOPS, SIGNS, VISITORS
from mcmulti.domain.marracash.phases.turns import ACTIONS
from mcmulti.domain.marracash.state import CARDS, Bazaar
from mcmulti.domain.marracash.town import FOUNTAINS, colour_of

_BECAUSE = Reasons("mcmulti.domain.marracash")


def faults(state: Bazaar) -> Iterator[Fault]:
    """The faults of a position in which everybody plays."""
    seats = state.setup.seats
    missing = [
        *wrong_length("cash", state.cash, seats),
        *wrong_length("shops", state.shops, len(SHOPS)),
        *wrong_length("groups", state.groups, len(FOUNTAINS)),
        *wrong_length("ceilings", state.ceilings, seats if state.ceilings else 0),
    ]
    if missing:
        yield from missing
        return
    for seat, cash in enumerate(state.cash):
        yield from outside(f"cash[{seat}]", cash, 0, MOST)
    for name in ("first", "seat"):
        yield from no_seat(name, getattr(state, name), seats)
    for name, least, most in (("turn", 1, MOST), ("round", 1, MOST), ("left", 0, ACTIONS), ("quiet", 0, MOST)):
        yield from outside(name, getattr(state, name), least, most)
    if state.last_turns is not None:
        yield from outside("last_turns", state.last_turns, 0, seats)
    yield from differs("winners", state.winners, ())
    yield from _shops(state, seats)
    yield from _visitors(state)
    yield from _souvenirs(state)
    yield from _auction(state, seats)


def _shops(state: Bazaar, seats: int) -> Iterator[Fault]:
    for place, shop in enumerate(state.shops):
        yield from no_seat(f"shops[{place}].owner", shop.owner, seats)
        if shop.owner is None and shop.customers:
            yield Fault(f"shops[{place}].customers", _BECAUSE("unowned"))
    for seat in range(seats):
        if state.owned(seat) > SIGNS:
            yield Fault("shops", _BECAUSE("too_many_shops", seat=seat, shops=state.owned(seat), signs=SIGNS))


def _visitors(state: Bazaar) -> Iterator[Fault]:
    """The number of visitors of each color is constant: at fountains, in the queue, and in shops."""
    found = Counter(state.queue)
    for group in state.groups:
        found.update(dict(group))
    for name, shop in zip(SHOPS, state.shops, strict=True):
        found[colour_of(name)] += shop.customers
    for colour, number in VISITORS.items():
        if found[colour] != number:
            yield Fault("groups", _BECAUSE("visitors", found=found[colour], colour=colour, wanted=number))


def _souvenirs(state: Bazaar) -> Iterator[Fault]:
    if state.setup.souvenirs == "none":
        yield from differs("souvenirs", state.souvenirs, ())
        return
    cards = (*state.souvenirs, *state.unseen)
    yield from repeats("souvenirs", cards)
    if not set(cards) <= set(CARDS):
        yield Fault("souvenirs", _BECAUSE("no_card"))
    if len(state.souvenirs) > OPEN_SOUVENIRS:
        yield Fault("souvenirs", _BECAUSE("too_many_open", found=len(state.souvenirs), most=OPEN_SOUVENIRS))


def _auction(state: Bazaar, seats: int) -> Iterator[Fault]:
    auction = state.auction
    if auction is None:
        yield from differs("ceilings", state.ceilings, ())
        return
    for seat, ceiling in enumerate(state.ceilings):
        if ceiling is not None:
            yield from outside(f"ceilings[{seat}]", ceiling, 0, MOST)
    wrong = [
        fault
        for name in ("auctioneer", "bidder", "asked")
        for fault in no_seat(f"auction.{name}", getattr(auction, name), seats)
    ]
    if auction.shop not in state.unsold:
        wrong.append(Fault("auction.shop", _BECAUSE("sold")))
    if wrong:
        yield from wrong
        return
    yield from outside("auction.bid", auction.bid, LEAST_BID, max(LEAST_BID, state.cash[auction.bidder]))
    yield from repeats("auction.passed", auction.passed)
    if auction.asked is None or auction.asked in (auction.bidder, *auction.passed):
        yield Fault("auction.asked", _BECAUSE("asked"))

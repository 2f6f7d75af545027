"""MarraCash as numbers. Everything is open."""

from collections.abc import Sequence
from operator import attrgetter

import numpy as np

from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.commands import Bid, LetIn, MoveGroup, PassBid, PutUp
from mcmulti.domain.marracash.components import (
    AT_AN_ENTRANCE,
    COLOURS,
    ENDS,
    LET_IN_MOST,
    SHOPS,
    SIGNS,
    STANDSTILL,
    STEP,
    VISITORS,
)
from mcmulti.domain.marracash.state import Bazaar
from mcmulti.domain.marracash.town import ENTRANCES, FOUNTAINS
from mcmulti.training.actions import Enumerated, Numbers, Product
from mcmulti.training.encoders.generic import Subject
from mcmulti.training.layout import Part, Vector, around, by_seat, figure, flags, one_of, phases, seat_with, waiting

OPENING_MOST = 2000
"""The highest first bid that is an action, in dirham."""
BID_MOST = 6000
"""The highest later bid that is an action, in dirham."""

_FAMILIES = (
    Product(MoveGroup, {"fountain": Enumerated(tuple(FOUNTAINS)), "to": Enumerated(tuple(FOUNTAINS))}),
    Product(PutUp, {"shop": Enumerated(SHOPS), "bid": Numbers(STEP, OPENING_MOST, STEP)}),
    Product(Bid, {"bid": Numbers(STEP, BID_MOST, STEP)}),
    Product(PassBid, {}),
    Product(LetIn, {"entrance": Enumerated(ENTRANCES), "end": Enumerated(ENDS), "visitors": Numbers(1, LET_IN_MOST)}),
)
_QUEUE = sum(VISITORS.values()) - AT_AN_ENTRANCE * len(ENTRANCES)
_COLOUR_NUMBER = {colour: number for number, colour in enumerate(COLOURS)}


def _owners(state: Bazaar, seat: int, seats: int) -> Vector:
    owned = np.zeros((len(SHOPS), seats), np.float32)
    for number, shop in enumerate(state.shops):
        if shop.owner is not None:
            owned[number, (shop.owner - seat) % seats] = 1
    return owned.ravel()


def _queue(state: Bazaar, seat: int) -> Vector:
    queue = np.zeros(_QUEUE * len(COLOURS), np.float32)
    queue[[place * len(COLOURS) + _COLOUR_NUMBER[colour] for place, colour in enumerate(state.queue)]] = 1
    return queue


def _auction(state: Bazaar, seat: int, seats: int) -> Sequence[float]:
    auction, order = state.auction, around(seat, seats)
    if auction is None:
        return (0.0,) * (len(SHOPS) + 1 + 3 * seats)
    return (
        *one_of(auction.shop, SHOPS),
        auction.bid / 1000,
        *one_of(auction.bidder, order),
        *one_of(auction.auctioneer, order),
        *flags(auction.passed, order),
    )


def _parts(seats: int) -> Sequence[Part]:
    return (
        phases("actions", "bidding", "entrances"),
        waiting(seats),
        seat_with("seat", seats, "it is its turn", "seat"),
        figure("actions", "actions that the turn has left, in halves", "left", 2),
        figure("may_move", "1 if one of them may be a move", "may_move"),
        by_seat("cash", seats, "the cash of each seat, in thousands of dirham", attrgetter("cash"), 1000, 50.0),
        by_seat(
            "signs",
            seats,
            f"signs that each seat has left, in parts of {SIGNS}",
            lambda state: [SIGNS - state.owned(each) for each in range(seats)],
            SIGNS,
        ),
        Part(
            "owners",
            len(SHOPS) * seats,
            "for each shop, in the order of the action `PutUp`, and each seat: 1 if it is the owner",
            lambda state, seat: _owners(state, seat, seats),
        ),
        Part(
            "customers",
            len(SHOPS),
            "customers in each shop, in tens",
            lambda state, seat: [shop.customers for shop in state.shops],
            10,
            5.4,
        ),
        Part(
            "visitors",
            len(FOUNTAINS) * len(COLOURS),
            f"for each fountain, from the first, and each color ({', '.join(COLOURS)}): visitors there, in fives",
            lambda state, seat: [
                number
                for group in state.groups
                for number in (group.red, group.blue, group.green, group.yellow, group.purple)
            ],
            5,
            10.8,
        ),
        Part(
            "queue",
            _QUEUE * len(COLOURS),
            "for each place of the queue, from the front, and each color: 1 if such a visitor stands there",
            _queue,
        ),
        Part(
            "queue_length", 1, f"visitors in the queue, in parts of {_QUEUE}", lambda s, seat: (len(s.queue),), _QUEUE
        ),
        Part(
            "auction",
            len(SHOPS) + 1 + 3 * seats,
            "for each shop: 1 if it is put up; the highest bid, in thousands of dirham; for each seat: 1 if that is its"
            " bid, 1 if it put the shop up, 1 if it is out",
            lambda state, seat: _auction(state, seat, seats),
            1,
            50.0,
        ),
        seat_with("start_player", seats, "it begins every round", "first"),
        figure("round", "number of the round, in tens", "round", 10, 10.0),
        Part(
            "last_turns",
            2,
            "1 in the last round, and the turns that come after this one",
            lambda state, seat: (0, 0) if state.last_turns is None else (1, state.last_turns),
            1,
            4.0,
        ),
        figure("quiet_rounds", f"rounds in which nothing happened, in parts of {STANDSTILL}", "quiet", STANDSTILL),
    )


SUBJECT = Subject(
    ruleset=RULESET,
    families=_FAMILIES,
    parts=_parts,
    lost=f"First bids above {OPENING_MOST} and later bids above {BID_MOST} dirham, and ceilings.",
)

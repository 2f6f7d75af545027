"""The box game as numbers, without the instructions of others for their neighbors' turns."""

from collections.abc import Sequence
from typing import get_args

from mcmulti.domain.core.offers import Field
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti import commands as c
from mcmulti.domain.mcmulti.components import ECONOMY, ECONOMY_CHANGES_AT, FIELDS, NEWS, RED_FIELDS, STANDSTILL
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS, Buyable, Site, SiteChoice
from mcmulti.domain.oil.rules.board import QUADRANTS
from mcmulti.training.actions import Domain, Enumerated, Numbers, Product
from mcmulti.training.encoders.generic import Subject
from mcmulti.training.encoders.oil import SITES, bits, home, markets, owned, quadrants_around, still
from mcmulti.training.layout import Part, Vector, around, by_seat, figure, flags, named, one_of, phases, waiting

MOST_HITS = 12
"""The most hits of two dice on one-site assets in a quadrant: a row, a column, and their crossing twice."""
MOST_REFINED = 18
"""The most hits on refineries: nine of them, each by both dice."""


class Sites(Domain, frozen=True):
    """Every site of the board: quadrants counted from the seat's first, clockwise; then rows, then columns."""

    @property
    def size(self) -> int:
        return len(QUADRANTS) * SITES

    def value(self, index: int, home: int) -> Site:
        quadrant, place = divmod(index, SITES)
        row, column = divmod(place, 6)
        return Site((quadrant + home) % len(QUADRANTS), row + 1, column + 1)

    def index(self, value: Site, home: int) -> int:
        return (value.quadrant - home) % len(QUADRANTS) * SITES + 6 * value.row + value.column - 7

    def admitted(self, field: Field, home: int) -> Sequence[int]:
        if not isinstance(field, SiteChoice):
            raise TypeError(f"a {type(field).__name__} lists no sites")
        return [(site.quadrant - home) % 4 * 36 + 6 * site.row + site.column - 7 for site in field.options]

    def __str__(self) -> str:
        return "every site"


_BARRELS = {"market": Enumerated(MARKETS), "good": Enumerated(GOODS), "quantity": Numbers(1, FIELDS)}
_FAMILIES = (
    Product(c.EndPurchases, {}),
    Product(c.RollDice, {}),
    Product(c.EndProduction, {}),
    Product(c.EndCleanUp, {}),
    Product(c.EndTurn, {}),
    Product(c.DeclareVictory, {}),
    Product(c.BuyBarrels, {**_BARRELS}),
    Product(c.SellBarrels, {**_BARRELS}),
    Product(c.SellGasoline, {"quantity": Numbers(1, MOST_HITS)}),
    Product(c.RefineCrude, {"quantity": Numbers(1, MOST_REFINED)}),
    Product(c.PumpCrude, {"quantity": Numbers(2, 2 * MOST_HITS, 2)}),
    Product(c.StrikeOil, {"site": Sites()}),
    Product(c.BuyAsset, {"kind": Enumerated(get_args(Buyable)), "site": Sites()}),
    Product(c.SellAsset, {"kind": Enumerated(KINDS), "site": Sites()}),
    Product(c.CleanUp, {"site": Sites()}),
)
_NEWS = tuple(NEWS)
_DIE = range(1, 7)


def _board(state: State, seat: int) -> Vector:
    quadrants = [state.quadrants[index] for index in quadrants_around(state, seat)]
    return bits(*[mask for has in quadrants for mask in (has.rigs, has.wells, has.stations, has.refineries, has.idle)])


def _turn(state: State, seat: int) -> Sequence[float]:
    turn, order = state.turn, quadrants_around(state, seat)
    if turn is None:
        return (0.0,) * _TURN
    operating = turn.operating if state.phase in ("production", "neighbours") else None
    return (
        *one_of(turn.quadrant, order),
        *one_of(operating, order),
        *one_of(turn.market, MARKETS),
        *one_of(turn.red, _DIE),
        *one_of(turn.black, _DIE),
        turn.done / 3,
        turn.used / 10,
        turn.fresh_crude / 10,
        turn.fresh_gasoline / 10,
        *one_of(turn.card, _NEWS),
    )


_TURN = 4 + 4 + 2 + 6 + 6 + 4 + len(_NEWS)


def _dues(state: State, seats: int) -> Sequence[float]:
    dues = {} if state.turn is None else {due.seat: due.amount for due in state.turn.dues}
    return [dues.get(each, 0) for each in range(seats)]


def _parts(seats: int) -> Sequence[Part]:
    return (
        phases("purchase", "market", "news", "production", "neighbours", "assets"),
        waiting(seats),
        *owned(seats),
        Part(
            "owners",
            len(QUADRANTS) * seats,
            "for each quadrant, from the seat's first, clockwise, and each seat: 1 if it is the owner",
            lambda state, seat: [
                number
                for index in quadrants_around(state, seat)
                for number in one_of(state.owners[index], around(seat, seats))
            ],
        ),
        Part(
            "board",
            len(QUADRANTS) * 5 * SITES,
            f"for each quadrant and kind ({', '.join(KINDS)}, idle refinery), and each site, row by row: 1 if such an"
            " asset stands there, refineries by their top left site",
            _board,
        ),
        markets(FIELDS),
        Part(
            "consumers",
            2,
            "the price of the cheapest barrel, and barrels there, in eighties",
            lambda state, seat: (state.consumer_price, state.consumer_barrels),
            RED_FIELDS[-1],
        ),
        named("economy", "the card in force", "economy", tuple(ECONOMY)),
        figure(
            "difference",
            f"where the difference track stands, in parts of {ECONOMY_CHANGES_AT}",
            "difference",
            ECONOMY_CHANGES_AT,
            2.0,
        ),
        Part(
            "news",
            3 * len(_NEWS),
            f"for each news card ({', '.join(_NEWS)}): 1 if it is the likelier one; then, if it is the less likely one;"
            " then, if it is in force",
            lambda state, seat: (
                *one_of(state.news.likelier, _NEWS),
                *one_of(state.news.less_likely, _NEWS),
                *flags(state.news.active, _NEWS),
            ),
        ),
        Part(
            "turn",
            _TURN,
            "for each quadrant: 1 if it has the turn; then, if it produces now; for each market: 1 if this turn trades"
            " on it; for each face of the red die, then of the black one: 1 if it shows; kinds of assets behind in"
            " production, in thirds; barrels operated of the next, fresh crude and fresh gasoline, in tens; for each"
            " news card: 1 if it happens now",
            _turn,
            1,
            15.0,
        ),
        by_seat(
            "dues",
            seats,
            "what each seat owes for the news, in hundreds of millions of dollars",
            lambda state: _dues(state, seats),
            100,
            50.0,
        ),
        Part(
            "purchases",
            len(QUADRANTS),
            "for each quadrant: 1 if its go in the special purchase round is to come",
            lambda state, seat: flags(state.purchases, quadrants_around(state, seat)),
        ),
        Part(
            "declared",
            seats + len(QUADRANTS),
            "for each seat: 1 if it declared victory; for each quadrant: 1 if it has a last turn",
            lambda state, seat: (
                *one_of(state.declared_by, around(seat, seats)),
                *flags(state.last_turns or (), quadrants_around(state, seat)),
            ),
        ),
        figure(
            "target", "the cash that allows a declaration, in thousands of millions of dollars", "setup.target", 1000
        ),
        still(STANDSTILL * len(QUADRANTS)),
    )


SUBJECT = Subject(ruleset=RULESET, families=_FAMILIES, parts=_parts, home=home, lost="Nothing.")

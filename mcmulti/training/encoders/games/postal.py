"""Games by post as numbers: sheets of a documented family. Other players' sheets are not included."""

from collections.abc import Sequence
from operator import attrgetter
from typing import get_args

from msgspec import Struct

from mcmulti.domain.core.offers import NumberChoice, Offer
from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS, Buyable
from mcmulti.domain.oil.rules.quadrant import Quadrant
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.postal.components import CLIMATE_CHANGES, CLIMATES, FIELDS, HIGHEST_PRICE, STANDSTILL
from mcmulti.domain.postal.sheets.plain import ASSET_LINES, BARRELS, PUMPS, TRADE_LINES, PlainSheets, plain_sheet
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.training.actions import ActionFamily
from mcmulti.training.encoders.generic import Subject
from mcmulti.training.encoders.oil import SITES, bits, markets, owned, still
from mcmulti.training.layout import Part, Vector, around, by_seat, figure, named, one_of, waiting


class Sheets(Struct, frozen=True):
    """A family of plain sheets, by a choice for each of their lines: see `PlainSheets`.

    The first choice is whether to convert a rig, the last one is the instruction for pumps; in between, 0 means no
    line.
    """

    assets: int
    trades: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of choices for each part of a sheet, in order."""
        assets, trades = (1 + len(ASSET_LINES),) * self.assets, (1 + len(TRADE_LINES),) * self.trades
        return (2, *assets, *trades, len(PUMPS))

    def sheet(self, choices: Sequence[int]) -> OrderSheet:
        """The sheet with these choices, one for each part. Raises `IndexError` for an invalid choice."""
        if len(choices) != len(self.shape) or any(
            not 0 <= choice < number for choice, number in zip(choices, self.shape, strict=True)
        ):
            raise IndexError(f"a sheet takes choices below {self.shape}, not {tuple(choices)}")
        convert, *lines, pumps = choices
        assets = [ASSET_LINES[choice - 1] for choice in lines[: self.assets] if choice]
        trades = [TRADE_LINES[choice - 1] for choice in lines[self.assets :] if choice]
        return plain_sheet(bool(convert), assets, trades, PUMPS[pumps])


ONE_OF_EACH = PlainSheets(assets=1, trades=1)
"""Sheets that are represented by one number."""


class OneSheet(ActionFamily, frozen=True):
    """Every sheet of the small family, numbered; the last part changes fastest."""

    @property
    def size(self) -> int:
        return len(ONE_OF_EACH)

    def legal(self, offers: Sequence[Offer], home: int) -> Sequence[int]:
        return range(self.size if offers[0].admits(self.command_for(0, offers, home)) else 0)

    def command_for(self, index: int, offers: Sequence[Offer], home: int) -> SubmitOrders:
        return sent(ONE_OF_EACH[index], offers[0])

    def description(self) -> str:
        numbers = ", ".join(map(str, BARRELS))
        goods = f"{', '.join(MARKETS)} × {', '.join(GOODS)} × {numbers} barrels"
        return (
            "convert no rig, or that with a double hit; × a line for assets: none, buy"
            f" {', '.join(get_args(Buyable))} × on each plot row by row, sell {', '.join(KINDS)} × each plot; × a line"
            f" for barrels: none, buy {goods}, sell the same; × pumps sell at any price, from 10, from 20, or hold"
        )


def sent(sheet: OrderSheet, offer: Offer) -> SubmitOrders:
    """The command that sends a sheet, for the offer's round."""
    this = offer.fields["round"]
    if not isinstance(this, NumberChoice):
        raise TypeError("an offer to send orders names no round")
    return SubmitOrders(this.options[0], sheet)


def _assets(quadrants: Sequence[Quadrant], seat: int) -> Vector:
    """The assets in quadrants, which are by seat, in the seat's order."""
    seen = [quadrants[each] for each in around(seat, len(quadrants))]
    return bits(*[mask for has in seen for mask in (has.rigs, has.wells, has.stations, has.refineries)])


def _parts(seats: int) -> Sequence[Part]:
    kinds = ", ".join(KINDS)
    return (
        waiting(seats),
        *owned(seats),
        Part(
            "board",
            seats * len(KINDS) * SITES,
            f"for each seat and kind ({kinds}), and each plot, row by row: 1 if such an asset stands there, refineries"
            " by their top left plot",
            lambda state, seat: _assets(state.quadrants, seat),
        ),
        Part(
            "hits",
            seats * len(KINDS) * SITES,
            "for each seat and kind, and each plot: 1 if its last roll hit such an asset, which it may sell",
            lambda state, seat: _assets(state.hits, seat),
        ),
        Part(
            "struck",
            seats * SITES,
            "for each seat and plot: 1 if both dice hit a rig there, which it may convert",
            lambda state, seat: bits(*[state.struck[each] for each in around(seat, seats)]),
        ),
        Part(
            "order",
            seats * seats,
            "for each seat, and each place from the first: 1 if its turn of this round has that place",
            lambda state, seat: [
                number for each in around(seat, seats) for number in one_of(state.order.index(each), range(seats))
            ],
        ),
        by_seat(
            "submitted",
            seats,
            "for each seat: 1 if its sheet is in",
            lambda state: [sheet is not None for sheet in state.sheets],
        ),
        by_seat("holds", seats, "for each seat: 1 if it holds the round", attrgetter("holds")),
        markets(FIELDS),
        figure(
            "consumers",
            f"what the next sale of a pump brings, in parts of {HIGHEST_PRICE}, 0 if none can be sold",
            "consumer_price",
            HIGHEST_PRICE,
        ),
        named("climate", "the climate", "economy", tuple(CLIMATES)),
        figure(
            "climate_changes",
            f"changes of the climate in this round, in parts of {CLIMATE_CHANGES}",
            "climate_changes",
            CLIMATE_CHANGES,
        ),
        figure("conversions", "rigs converted in the game, in tens", "conversions", 10, 20.0),
        figure("round", "number of the round, in tens", "round", 10, 20.0),
        still(STANDSTILL * seats),
    )


SUBJECT = Subject(
    ruleset=RULESET,
    families=(OneSheet(SubmitOrders),),
    parts=_parts,
    lost="Sheets with more lines, with conditions, prices or other quantities; holding a round, taking a sheet back.",
)

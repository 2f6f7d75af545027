"""Random sheets: small, legal, and sometimes with a condition."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from mcmulti.bots.strategies.field import Ground, Spot
from mcmulti.bots.strategies.postal.lines import (
    buy_asset,
    buy_barrels,
    cash_from,
    climate_is,
    convert_rig,
    if_order,
    if_pumps,
    if_trade,
    sell_asset,
    sell_at_pumps,
    sell_barrels,
)
from mcmulti.bots.strategies.postal.mixed import mood
from mcmulti.bots.strategy import View
from mcmulti.client.json_object import Json

MOST_LINES = 4
"""The most lines of a phase, not counting those in a condition."""
SELLS = 0.2
"""The probability that a sellable asset is sold: selling at random ends in ruin."""
BUYABLE = ("rig", "rig", "station", "refinery")


class WildSheets:
    """Any small sheet is possible. The same seed and the same view give the same sheet."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._dice = random.Random()

    def __call__(self, view: View, seat: int, /) -> Json:
        self._dice.seed(mood(self._seed, view, seat))
        orders, trades = self._orders(view, seat), self._trades(view, view["seats"][seat])
        return {"orders": orders, "trades": trades, "pumps": self._pumps(view)}

    def _orders(self, view: View, seat: int) -> list[Json]:
        mine = view["orders"][seat]
        lines = [sell_asset(hit["kind"], _place(hit["site"])) for hit in mine["hits"] if self._dice.random() < SELLS]
        if mine["strike"] and self._dice.random() < 0.5:
            lines.append(convert_rig(_place(mine["strike"])))
        ground = Ground(view["quadrants"][seat]["assets"])
        for _ in range(self._dice.randint(0, MOST_LINES)):
            kind = self._dice.choice(BUYABLE)
            if ground.place(kind) is not None:
                lines.append(buy_asset(kind, ground.build(kind)))
        return [self._perhaps(line, if_order, view) for line in lines]

    def _trades(self, view: View, seat: dict[str, Any]) -> list[Json]:
        """On one market: existing barrels may be sold, and one or two bought at a moderate price."""
        market = self._dice.choice(("domestic", "foreign"))
        lines = []
        for good, dear in (("crude", 12), ("gasoline", 24)):
            number = self._dice.randint(0, 2)
            if number and self._dice.random() < 0.5:
                lines.append(buy_barrels(market, good, number, self._dice.randint(dear // 2, dear)))
            elif number and seat[good]:
                lines.append(sell_barrels(market, good, number, self._dice.randint(2, dear)))
        return [self._perhaps(line, if_trade, view) for line in lines]

    def _pumps(self, view: View) -> Json:
        lowest = self._dice.randint(1, view["climate"]["consumer_price"] or 1)
        match self._dice.randrange(3):
            case 0:
                return sell_at_pumps()
            case 1:
                return sell_at_pumps(lowest, self._dice.randint(1, 2))
            case _:
                return if_pumps(self._condition(view), sell_at_pumps(), {"type": "HoldPumps"})

    def _perhaps(self, line: Json, joined: Callable[[Json, list[Json]], Json], view: View) -> Json:
        """The line, or the line under a condition."""
        return joined(self._condition(view), [line]) if self._dice.random() < 0.25 else line

    def _condition(self, view: View) -> Json:
        """A condition on the current state, or on earlier events of the round."""
        asked: Sequence[Json] = (
            climate_is(view["climate"]["climate"]),
            cash_from(self._dice.randint(1, 200)),
            {
                "type": "Compares",
                "quantity": {"type": "CashOf"},
                "other": {"type": "CashOf", "seat": self._dice.randrange(len(view["seats"]))},
            },
            {"type": "BarrelDealsAre", "market": self._dice.choice(("domestic", "foreign"))},
            {"type": "AssetDealsAre", "deed": "bought", "kind": self._dice.choice(BUYABLE)},
            {"type": "RollsAre", "double": True},
        )
        return self._dice.choice(asked)


def _place(site: dict[str, int]) -> Spot:
    return site["row"], site["column"]

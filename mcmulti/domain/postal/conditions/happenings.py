"""Counts of earlier events in a round (`postal/conditions`)."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mcmulti.domain.core.event import Event
from mcmulti.domain.oil.names import Good
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.oil.rules.board import bit
from mcmulti.domain.oil.rules.production import GasolineSold
from mcmulti.domain.oil.rules.trading import BarrelsBought, BarrelsSold
from mcmulti.domain.oil.turn import DiceRolled
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.names import AssetDeed, BarrelDeed, Buyer
from mcmulti.domain.postal.refereeing.assets import AssetSold, RigConverted, at, covered

_ASSET_DEEDS: dict[AssetDeed, type[Event]] = {"bought": AssetBought, "sold": AssetSold, "converted": RigConverted}


def asset_deals(events: Iterable[object], asked: c.AssetDealsAre | q.AssetDealsOf) -> int:
    """How many assets were bought, sold, or converted."""
    return sum(
        isinstance(event, AssetBought | AssetSold | RigConverted)
        and isinstance(event, _ASSET_DEEDS[asked.deed])
        and _fits(event, asked)
        for event in events
    )


def _fits(event: AssetBought | AssetSold | RigConverted, asked: c.AssetDealsAre | q.AssetDealsOf) -> bool:
    if asked.seat not in (None, event.seat):
        return False
    kind = "rig" if isinstance(event, RigConverted) else event.kind
    if asked.kind not in (None, kind):
        return False
    return asked.plot is None or bool(covered(kind, bit(event.site)) & bit(at(event.seat, asked.plot)))


class _Deal(NamedTuple):
    seat: int
    deed: BarrelDeed
    good: Good
    market: Buyer
    barrels: int


def barrel_deals(events: Iterable[object], asked: c.BarrelDealsAre | q.BarrelDealsOf) -> int:
    """How many barrels were bought or sold."""
    return sum(
        deal.barrels
        for deal in _deals(events)
        if asked.seat in (None, deal.seat)
        and asked.deed in (None, deal.deed)
        and asked.good in (None, deal.good)
        and asked.market in (None, deal.market)
    )


def _deals(events: Iterable[object]) -> Iterator[_Deal]:
    for event in events:
        if isinstance(event, BarrelsBought):
            yield _Deal(event.seat, "bought", event.good, event.market, len(event.prices))
        elif isinstance(event, BarrelsSold):
            yield _Deal(event.seat, "sold", event.good, event.market, len(event.prices))
        elif isinstance(event, GasolineSold):
            yield _Deal(event.seat, "sold", "gasoline", "consumers", len(event.prices))


def rolls(events: Iterable[object], asked: c.RollsAre) -> int:
    """How many rolls counted; one that was rolled again did not."""
    return sum(isinstance(event, DiceRolled) and _rolled(event, asked) for event in events)


def _rolled(event: DiceRolled, asked: c.RollsAre) -> bool:
    row, column = event.red.value, event.black.value
    return (
        asked.seat in (None, event.seat)
        and asked.row in (None, row)
        and asked.column in (None, column)
        and asked.double in (None, row == column)
    )

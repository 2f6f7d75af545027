"""Double entry: what common events move, in dollars, barrels and pieces, and what for.

Accounts: ``seat:<n>:cash``, ``seat:<n>:crude``, ``seat:<n>:gasoline``, ``seat:<n>:<asset>``, ``bank``,
``market:<market>:<good>``, ``consumers`` and ``supply``.
"""

from collections.abc import Callable, Mapping
from typing import Any

from mcmulti.domain.core.posting import Transfer, transfer
from mcmulti.domain.oil import events as e
from mcmulti.domain.oil.names import GOODS, KINDS, MARKETS, Good

Transfers = tuple[Transfer, ...]


def pay(seat: int, amount: int, reason: str) -> Transfers:
    """From a player to the bank; the other way round when negative."""
    return transfer(f"seat:{seat}:cash", "bank", "dollars", amount, reason)


def dealt_out(players: int, cash: int, crude: int, gasoline: int) -> Transfers:
    """What every player starts with."""
    moved: list[Transfer] = []
    for seat in range(players):
        moved += pay(seat, -cash, "start")
        moved += transfer("supply", f"seat:{seat}:crude", "crude", crude, "start")
        moved += transfer("supply", f"seat:{seat}:gasoline", "gasoline", gasoline, "start")
    return tuple(moved)


def filled(fields: int, free: Mapping[Good, int]) -> Transfers:
    """The barrels that both markets start with, on all fields of each good but the free ones."""
    moved: list[Transfer] = []
    for market in MARKETS:
        for good in GOODS:
            moved += transfer("supply", f"market:{market}:{good}", good, fields - free[good], "start")
    return tuple(moved)


def drilled(seat: int, price: int) -> Transfers:
    """A rig becomes a well."""
    reason = "drilling"
    rig = transfer(f"seat:{seat}:rig", "supply", "rig", 1, reason)
    return pay(seat, price, reason) + rig + transfer("supply", f"seat:{seat}:well", "well", 1, reason)


def _bought(event: e.BarrelsBought) -> Transfers:
    good, reason = event.good, f"{event.good}_bought"
    source, target = f"market:{event.market}:{good}", f"seat:{event.seat}:{good}"
    paid = pay(event.seat, sum(event.prices), reason)
    return paid + transfer(source, target, good, len(event.prices), reason)


def _sold(event: e.BarrelsSold) -> Transfers:
    good, reason = event.good, f"{event.good}_sold"
    source, target = f"seat:{event.seat}:{good}", f"market:{event.market}:{good}"
    paid = pay(event.seat, -sum(event.prices), reason)
    return paid + transfer(source, target, good, len(event.prices), reason)


def _asset_bought(event: e.AssetBought) -> Transfers:
    reason = "assets_bought"
    placed = transfer("supply", f"seat:{event.seat}:{event.kind}", event.kind, 1, reason)
    return pay(event.seat, event.price, reason) + placed


def _asset_sold(event: e.AssetSold) -> Transfers:
    reason = "assets_sold"
    removed = transfer(f"seat:{event.seat}:{event.kind}", "supply", event.kind, 1, reason)
    return pay(event.seat, -event.price, reason) + removed


def _gasoline_sold(event: e.GasolineSold) -> Transfers:
    reason = "consumer_sales"
    gasoline = transfer(f"seat:{event.seat}:gasoline", "consumers", "gasoline", len(event.prices), reason)
    return pay(event.seat, -sum(event.prices), reason) + gasoline


def _refined(event: e.CrudeRefined) -> Transfers:
    seat, reason = event.seat, "refining"
    crude = transfer(f"seat:{seat}:crude", "supply", "crude", event.quantity, reason)
    return crude + transfer("supply", f"seat:{seat}:gasoline", "gasoline", event.quantity, reason)


def _pumped(event: e.CrudePumped) -> Transfers:
    return transfer("supply", f"seat:{event.seat}:crude", "crude", event.quantity, "pumping")


def _liquidated(event: e.AssetsLiquidated) -> Transfers:
    reason = "liquidation"
    moved = list(pay(event.seat, -event.proceeds, reason))
    pieces = (event.rigs, event.wells, event.stations, event.refineries)
    for kind, number in zip(KINDS, pieces, strict=True):
        moved += transfer(f"seat:{event.seat}:{kind}", "supply", kind, number, reason)
    return tuple(moved)


MOVED: Mapping[type[e.Event], Callable[[Any], Transfers]] = {
    e.BarrelsBought: _bought,
    e.BarrelsSold: _sold,
    e.AssetBought: _asset_bought,
    e.AssetSold: _asset_sold,
    e.GasolineSold: _gasoline_sold,
    e.CrudeRefined: _refined,
    e.CrudePumped: _pumped,
    e.AssetsLiquidated: _liquidated,
}
"""What tells for each event that moves the same in all rule sets what it moves."""

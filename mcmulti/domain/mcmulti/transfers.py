"""Double entry: what every event moves, in dollars, barrels and pieces, and what for.

Accounts: ``seat:<n>:cash``, ``seat:<n>:crude``, ``seat:<n>:gasoline``, ``seat:<n>:<asset>``, ``bank``,
``market:<market>:<good>``, ``consumers`` and ``supply``.
"""

from collections.abc import Callable
from typing import Any

from mcmulti.domain.mcmulti import events as e
from mcmulti.domain.mcmulti.components import FIELDS, GOODS, KINDS, MARKETS
from mcmulti.domain.posting import Transfer, transfer

Transfers = tuple[Transfer, ...]


def transfers(event: Any) -> Transfers:
    """What an event moves; empty when nothing moves."""
    moved = _MOVED.get(type(event))
    return () if moved is None else moved(event)


def _pay(seat: int, amount: int, reason: str) -> Transfers:
    """From a player to the bank; the other way round when negative."""
    return transfer(f"seat:{seat}:cash", "bank", "dollars", amount, reason)


def _started(event: e.GameStarted) -> Transfers:
    moved: list[Transfer] = []
    for seat in range(len(event.chairs)):
        moved += _pay(seat, -event.cash, "start")
        moved += transfer("supply", f"seat:{seat}:crude", "crude", event.crude, "start")
        moved += transfer("supply", f"seat:{seat}:gasoline", "gasoline", event.gasoline, "start")
    for market in MARKETS:
        for good in GOODS:
            moved += transfer("supply", f"market:{market}:{good}", good, FIELDS - event.free[good], "start")
    moved += transfer("supply", "consumers", "gasoline", 1, "start")
    return tuple(moved)


def _bought(event: e.BarrelsBought) -> Transfers:
    good, reason = event.good, f"{event.good}_bought"
    source, target = f"market:{event.market}:{good}", f"seat:{event.seat}:{good}"
    paid = _pay(event.seat, sum(event.prices), reason)
    return paid + transfer(source, target, good, len(event.prices), reason)


def _sold(event: e.BarrelsSold) -> Transfers:
    good, reason = event.good, f"{event.good}_sold"
    source, target = f"seat:{event.seat}:{good}", f"market:{event.market}:{good}"
    paid = _pay(event.seat, -sum(event.prices), reason)
    return paid + transfer(source, target, good, len(event.prices), reason)


def _asset_bought(event: e.AssetBought) -> Transfers:
    reason = "assets_bought"
    placed = transfer("supply", f"seat:{event.seat}:{event.kind}", event.kind, 1, reason)
    return _pay(event.seat, event.price, reason) + placed


def _asset_sold(event: e.AssetSold) -> Transfers:
    reason = "assets_sold"
    removed = transfer(f"seat:{event.seat}:{event.kind}", "supply", event.kind, 1, reason)
    return _pay(event.seat, -event.price, reason) + removed


def _tax_paid(event: e.TaxPaid) -> Transfers:
    return _pay(event.seat, event.paid, "taxes")


def _clean_up_paid(event: e.CleanUpPaid) -> Transfers:
    return _pay(event.seat, event.price, "clean_up")


def _used_up(event: e.BarrelsUsedUp) -> Transfers:
    return transfer(f"market:{event.market}:{event.good}", "supply", event.good, event.quantity, "used_up")


def _shifted(event: e.BarrelsShifted) -> Transfers:
    source, target = f"market:{event.source}:{event.good}", f"market:{event.target}:{event.good}"
    return transfer(source, target, event.good, event.quantity, "shifted")


def _consumer_moved(event: e.ConsumerPriceMoved) -> Transfers:
    return transfer("consumers", "supply", "gasoline", event.removed, "consumed")


def _gasoline_sold(event: e.GasolineSold) -> Transfers:
    reason = "consumer_sales"
    gasoline = transfer(f"seat:{event.seat}:gasoline", "consumers", "gasoline", len(event.prices), reason)
    return _pay(event.seat, -sum(event.prices), reason) + gasoline


def _refined(event: e.CrudeRefined) -> Transfers:
    seat, reason = event.seat, "refining"
    crude = transfer(f"seat:{seat}:crude", "supply", "crude", event.quantity, reason)
    return crude + transfer("supply", f"seat:{seat}:gasoline", "gasoline", event.quantity, reason)


def _pumped(event: e.CrudePumped) -> Transfers:
    return transfer("supply", f"seat:{event.seat}:crude", "crude", event.quantity, "pumping")


def _struck(event: e.OilStruck) -> Transfers:
    seat, reason = event.seat, "drilling"
    rig = transfer(f"seat:{seat}:rig", "supply", "rig", 1, reason)
    return _pay(seat, event.price, reason) + rig + transfer("supply", f"seat:{seat}:well", "well", 1, reason)


def _liquidated(event: e.AssetsLiquidated) -> Transfers:
    reason = "liquidation"
    moved = list(_pay(event.seat, -event.proceeds, reason))
    pieces = (event.rigs, event.wells, event.stations, event.refineries)
    for kind, number in zip(KINDS, pieces, strict=True):
        moved += transfer(f"seat:{event.seat}:{kind}", "supply", kind, number, reason)
    return tuple(moved)


_MOVED: dict[type[e.Event], Callable[[Any], Transfers]] = {
    e.GameStarted: _started,
    e.BarrelsBought: _bought,
    e.BarrelsSold: _sold,
    e.AssetBought: _asset_bought,
    e.AssetSold: _asset_sold,
    e.TaxPaid: _tax_paid,
    e.CleanUpPaid: _clean_up_paid,
    e.BarrelsUsedUp: _used_up,
    e.BarrelsShifted: _shifted,
    e.ConsumerPriceMoved: _consumer_moved,
    e.GasolineSold: _gasoline_sold,
    e.CrudeRefined: _refined,
    e.CrudePumped: _pumped,
    e.OilStruck: _struck,
    e.AssetsLiquidated: _liquidated,
}

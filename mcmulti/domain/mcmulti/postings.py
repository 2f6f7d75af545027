"""Double entry: what every event moves, in dollars, barrels and pieces.

Accounts: ``seat:<n>:cash``, ``seat:<n>:crude``, ``seat:<n>:gasoline``, ``seat:<n>:<asset>``, ``bank``,
``market:<market>:<good>``, ``consumers`` and ``supply``.
"""

from collections.abc import Callable
from typing import Any, cast

from mcmulti.domain.mcmulti import events as e
from mcmulti.domain.mcmulti.components import FIELDS, GOODS, KINDS, MARKETS
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.posting import Posting, transfer

Lines = tuple[Posting, ...]


def postings(before: State | None, event: Any) -> Lines:
    """The lines of an event, given the state it happened in; empty when nothing moves."""
    post = _POST.get(type(event))
    return () if post is None else post(cast(State, before), event)


def _pay(seat: int, amount: int) -> Lines:
    """From a player to the bank; the other way round when negative."""
    return transfer(f"seat:{seat}:cash", "bank", "dollars", amount)


def _started(before: State, event: e.GameStarted) -> Lines:
    lines: list[Posting] = []
    for seat in range(len(event.chairs)):
        lines += _pay(seat, -event.cash)
        lines += transfer("supply", f"seat:{seat}:crude", "crude", event.crude)
        lines += transfer("supply", f"seat:{seat}:gasoline", "gasoline", event.gasoline)
    for market in MARKETS:
        for good in GOODS:
            lines += transfer("supply", f"market:{market}:{good}", good, FIELDS - event.free[good])
    lines += transfer("supply", "consumers", "gasoline", 1)
    return tuple(lines)


def _bought(before: State, event: e.BarrelsBought) -> Lines:
    good = event.good
    source, target = f"market:{event.market}:{good}", f"seat:{event.seat}:{good}"
    return _pay(event.seat, sum(event.prices)) + transfer(source, target, good, len(event.prices))


def _sold(before: State, event: e.BarrelsSold) -> Lines:
    good = event.good
    source, target = f"seat:{event.seat}:{good}", f"market:{event.market}:{good}"
    return _pay(event.seat, -sum(event.prices)) + transfer(source, target, good, len(event.prices))


def _asset_bought(before: State, event: e.AssetBought) -> Lines:
    return _pay(event.seat, event.price) + transfer("supply", f"seat:{event.seat}:{event.kind}", event.kind, 1)


def _asset_sold(before: State, event: e.AssetSold) -> Lines:
    return _pay(event.seat, -event.price) + transfer(f"seat:{event.seat}:{event.kind}", "supply", event.kind, 1)


def _tax_paid(before: State, event: e.TaxPaid) -> Lines:
    return _pay(event.seat, event.paid)


def _clean_up_paid(before: State, event: e.CleanUpPaid) -> Lines:
    return _pay(event.seat, event.price)


def _used_up(before: State, event: e.BarrelsUsedUp) -> Lines:
    return transfer(f"market:{event.market}:{event.good}", "supply", event.good, event.quantity)


def _shifted(before: State, event: e.BarrelsShifted) -> Lines:
    source, target = f"market:{event.source}:{event.good}", f"market:{event.target}:{event.good}"
    return transfer(source, target, event.good, event.quantity)


def _consumer_moved(before: State, event: e.ConsumerPriceMoved) -> Lines:
    return transfer("consumers", "supply", "gasoline", event.removed)


def _gasoline_sold(before: State, event: e.GasolineSold) -> Lines:
    gasoline = transfer(f"seat:{event.seat}:gasoline", "consumers", "gasoline", len(event.prices))
    return _pay(event.seat, -sum(event.prices)) + gasoline


def _refined(before: State, event: e.CrudeRefined) -> Lines:
    seat = event.seat
    crude = transfer(f"seat:{seat}:crude", "supply", "crude", event.quantity)
    return crude + transfer("supply", f"seat:{seat}:gasoline", "gasoline", event.quantity)


def _pumped(before: State, event: e.CrudePumped) -> Lines:
    return transfer("supply", f"seat:{event.seat}:crude", "crude", event.quantity)


def _struck(before: State, event: e.OilStruck) -> Lines:
    seat = event.seat
    rig = transfer(f"seat:{seat}:rig", "supply", "rig", 1)
    return _pay(seat, event.price) + rig + transfer("supply", f"seat:{seat}:well", "well", 1)


def _liquidated(before: State, event: e.AssetsLiquidated) -> Lines:
    lines = list(_pay(event.seat, -event.proceeds))
    pieces = (event.rigs, event.wells, event.stations, event.refineries)
    for kind, number in zip(KINDS, pieces, strict=True):
        lines += transfer(f"seat:{event.seat}:{kind}", "supply", kind, number)
    return tuple(lines)


_POST: dict[type[e.Event], Callable[[State, Any], Lines]] = {
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

"""Double entry: what every event moves, in dollars, barrels and pieces, and what for."""

from collections.abc import Callable
from typing import Any

from mcmulti.domain.core.posting import transfer
from mcmulti.domain.mcmulti import events as e
from mcmulti.domain.mcmulti.components import FIELDS
from mcmulti.domain.oil.transfers import MOVED, Transfers, dealt_out, drilled, filled, pay


def transfers(event: Any) -> Transfers:
    """What an event moves; empty when nothing moves."""
    moved = _MOVED.get(type(event))
    return () if moved is None else moved(event)


def _started(event: e.GameStarted) -> Transfers:
    dealt = dealt_out(len(event.chairs), event.cash, event.crude, event.gasoline)
    return dealt + filled(FIELDS, event.free) + transfer("supply", "consumers", "gasoline", 1, "start")


def _tax_paid(event: e.TaxPaid) -> Transfers:
    return pay(event.seat, event.paid, "taxes")


def _clean_up_paid(event: e.CleanUpPaid) -> Transfers:
    return pay(event.seat, event.price, "clean_up")


def _used_up(event: e.BarrelsUsedUp) -> Transfers:
    return transfer(f"market:{event.market}:{event.good}", "supply", event.good, event.quantity, "used_up")


def _shifted(event: e.BarrelsShifted) -> Transfers:
    source, target = f"market:{event.source}:{event.good}", f"market:{event.target}:{event.good}"
    return transfer(source, target, event.good, event.quantity, "shifted")


def _consumer_moved(event: e.ConsumerPriceMoved) -> Transfers:
    return transfer("consumers", "supply", "gasoline", event.removed, "consumed")


def _struck(event: e.OilStruck) -> Transfers:
    return drilled(event.seat, event.price)


_MOVED: dict[type[e.Event], Callable[[Any], Transfers]] = {
    **MOVED,
    e.GameStarted: _started,
    e.TaxPaid: _tax_paid,
    e.CleanUpPaid: _clean_up_paid,
    e.BarrelsUsedUp: _used_up,
    e.BarrelsShifted: _shifted,
    e.ConsumerPriceMoved: _consumer_moved,
    e.OilStruck: _struck,
}

"""Double entry for the postal game. Consumers keep what they buy: nothing is said of what becomes of it."""

from collections.abc import Callable
from typing import Any

from mcmulti.domain.oil.transfers import MOVED, Transfers, dealt_out, drilled, filled
from mcmulti.domain.postal import events as e
from mcmulti.domain.postal.components import FIELDS, PLAYERS


def transfers(event: Any) -> Transfers:
    """What an event moves; empty when nothing moves."""
    moved = _MOVED.get(type(event))
    return () if moved is None else moved(event)


def _started(event: e.PostalGameStarted) -> Transfers:
    return dealt_out(PLAYERS, event.cash, event.crude, event.gasoline) + filled(FIELDS, event.free)


def _converted(event: e.RigConverted) -> Transfers:
    return drilled(event.seat, event.price)


_MOVED: dict[type[e.Event], Callable[[Any], Transfers]] = {
    **MOVED,
    e.PostalGameStarted: _started,
    e.RigConverted: _converted,
}

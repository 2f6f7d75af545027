"""Double entry for the postal game; events it has in common with the box game move what they move there.

Consumers keep what they buy: nothing is said of what becomes of it.
"""

from collections.abc import Callable
from typing import Any

from mcmulti.domain.mcmulti.transfers import transfers as common
from mcmulti.domain.oilfield.names import GOODS, MARKETS
from mcmulti.domain.postal import events as e
from mcmulti.domain.postal.components import FIELDS, PLAYERS
from mcmulti.domain.posting import Transfer, transfer

Transfers = tuple[Transfer, ...]


def transfers(event: Any) -> Transfers:
    """What an event moves; empty when nothing moves."""
    return _MOVED.get(type(event), common)(event)


def _started(event: e.PostalGameStarted) -> Transfers:
    moved: list[Transfer] = []
    for seat in range(PLAYERS):
        moved += transfer("bank", f"seat:{seat}:cash", "dollars", event.cash, "start")
        moved += transfer("supply", f"seat:{seat}:crude", "crude", event.crude, "start")
        moved += transfer("supply", f"seat:{seat}:gasoline", "gasoline", event.gasoline, "start")
    for market in MARKETS:
        for good in GOODS:
            moved += transfer("supply", f"market:{market}:{good}", good, FIELDS - event.free[good], "start")
    return tuple(moved)


def _converted(event: e.RigConverted) -> Transfers:
    seat, reason = event.seat, "drilling"
    paid = transfer(f"seat:{seat}:cash", "bank", "dollars", event.price, reason)
    rig = transfer(f"seat:{seat}:rig", "supply", "rig", 1, reason)
    return paid + rig + transfer("supply", f"seat:{seat}:well", "well", 1, reason)


_MOVED: dict[type[e.Event], Callable[[Any], Transfers]] = {
    e.PostalGameStarted: _started,
    e.RigConverted: _converted,
}

"""Buying assets from the bank, and selling them to it."""

from typing import Any, TypeVar

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.oil.names import Kind, Millions, Seat, Site
from mcmulti.domain.oil.rules.quadrant import placed, removed
from mcmulti.domain.oil.rules.transfers import pay
from mcmulti.domain.oil.state import Oilfield

F = TypeVar("F", bound=Oilfield)


class AssetBought(Event, frozen=True):
    """An asset was bought from the bank and placed."""

    seat: Seat
    kind: Kind
    site: Site
    price: Millions

    def evolve(self, state: F) -> F:
        quadrant = placed(state.quadrants[self.site.quadrant], self.kind, self.site)
        return state.rebuilt(self.seat, -self.price, self.site.quadrant, quadrant)

    def transfers(self) -> tuple[Transfer, ...]:
        reason = "assets_bought"
        placed = transfer("supply", f"seat:{self.seat}:{self.kind}", self.kind, 1, reason)
        return pay(self.seat, self.price, reason) + placed


class AssetSold(Event, frozen=True):
    """An asset was sold to the bank."""

    seat: Seat
    kind: Kind
    site: Site
    price: Millions

    def evolve(self, state: Any) -> Any:
        quadrant = removed(state.quadrants[self.site.quadrant], self.kind, self.site)
        return state.rebuilt(self.seat, self.price, self.site.quadrant, quadrant)

    def transfers(self) -> tuple[Transfer, ...]:
        reason = "assets_sold"
        removed = transfer(f"seat:{self.seat}:{self.kind}", "supply", self.kind, 1, reason)
        return pay(self.seat, -self.price, reason) + removed

"""What the dice let a quadrant operate, and the operations. Each game adds their effect on its turn."""

from typing import Any, Literal

from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.oil.names import BarrelCount, Prices, QuadrantNumber, Seat, Site
from mcmulti.domain.oil.phrases import Phrases, one_or_several
from mcmulti.domain.oil.rules.transfers import pay
from mcmulti.domain.oil.state import Oilfield, Players


class OperationBegan(Event, frozen=True):
    """A quadrant may operate what the dice hit: barrels that stations can sell, refineries refine, and wells pump.

    `strike`: the rig that can become a well.
    """

    seat: Seat
    quadrant: QuadrantNumber
    neighbour: bool
    stations: BarrelCount
    refineries: BarrelCount
    wells: BarrelCount
    strike: Site | None

    def form(self, say: object) -> Literal["own", "neighbour"]:
        return "neighbour" if self.neighbour else "own"

    def operations(self, say: Phrases) -> str:
        """What can be operated; each rule set has its own phrases for it."""
        said = []
        if self.stations:
            said.append(say.phrase("may_sell", quantity=say.up_to(self.stations, "gasoline")))
        if self.refineries:
            said.append(say.phrase("may_refine", quantity=say.up_to(self.refineries, "crude")))
        if self.wells:
            said.append(say.phrase("may_pump", quantity=say.up_to(self.wells, "crude")))
        if self.strike:
            said.append(say.phrase("may_strike", site=say.line(self.strike)))
        return say.listing(said)


class GasolineSold(Event, frozen=True):
    """Stations sold gasoline to the consumers at these prices."""

    seat: Seat
    prices: Prices

    def players(self, state: Oilfield) -> Players:
        """The players after it."""
        return state.stored(self.seat, sum(self.prices), 0, -len(self.prices))

    def transfers(self) -> tuple[Transfer, ...]:
        reason = "consumer_sales"
        gasoline = transfer(f"seat:{self.seat}:gasoline", "consumers", "gasoline", len(self.prices), reason)
        return pay(self.seat, -sum(self.prices), reason) + gasoline

    def form(self, say: object) -> Literal["one", "several"]:
        return one_or_several(len(self.prices))


class CrudeRefined(Event, frozen=True):
    """Refineries turned this many barrels of crude into gasoline."""

    seat: Seat
    quantity: BarrelCount

    def evolve(self, state: Any) -> Any:
        return replace(state, players=self.players(state), still=0)

    def players(self, state: Oilfield) -> Players:
        """The players after it."""
        return state.stored(self.seat, 0, -self.quantity, self.quantity)

    def transfers(self) -> tuple[Transfer, ...]:
        seat, reason = self.seat, "refining"
        crude = transfer(f"seat:{seat}:crude", "supply", "crude", self.quantity, reason)
        return crude + transfer("supply", f"seat:{seat}:gasoline", "gasoline", self.quantity, reason)


class CrudePumped(Event, frozen=True):
    """Wells brought this many barrels of crude."""

    seat: Seat
    quantity: BarrelCount

    def evolve(self, state: Any) -> Any:
        return replace(state, players=self.players(state), still=0)

    def players(self, state: Oilfield) -> Players:
        """The players after it."""
        return state.stored(self.seat, 0, self.quantity)

    def transfers(self) -> tuple[Transfer, ...]:
        return transfer("supply", f"seat:{self.seat}:crude", "crude", self.quantity, "pumping")

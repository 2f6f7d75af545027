"""What productive assets do: stations sell, refineries refine, wells pump, a rig strikes oil."""

from functools import lru_cache

from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Offer, Range
from mcmulti.domain.core.tuples import put
from mcmulti.domain.mcmulti.commands import PumpCrude, RefineCrude, SellGasoline, StrikeOil
from mcmulti.domain.mcmulti.components import STRIKE_STEP
from mcmulti.domain.mcmulti.state import Play, State
from mcmulti.domain.oil.names import Millions, Pieces, Seat, Site, SiteChoice
from mcmulti.domain.oil.rules import production as common
from mcmulti.domain.oil.rules.board import sites
from mcmulti.domain.oil.rules.quadrant import converted
from mcmulti.domain.oil.rules.transfers import drilled


class GasolineSold(common.GasolineSold, frozen=True):
    """Stations sold gasoline to the consumers. The last barrel sold is now their cheapest."""

    def evolve(self, state: State) -> State:
        barrels = len(self.prices)
        return replace(
            state,
            players=self.players(state),
            consumer_price=self.prices[-1],
            consumer_barrels=state.consumer_barrels + barrels,
            turn=state.now.operated(0, barrels),
            still=0,
        )


class CrudeRefined(common.CrudeRefined, frozen=True):
    """Refineries turned this many barrels of crude into gasoline, which is fresh in this turn."""

    def evolve(self, state: State) -> State:
        turn = state.now.operated(1, self.quantity)
        turn = replace(turn, fresh_gasoline=turn.fresh_gasoline + self.quantity)
        return replace(state, players=self.players(state), turn=turn, still=0)


class CrudePumped(common.CrudePumped, frozen=True):
    """Wells brought this many barrels of crude, which is fresh in this turn."""

    def evolve(self, state: State) -> State:
        turn = state.now.operated(2, self.quantity)
        turn = replace(turn, fresh_crude=turn.fresh_crude + self.quantity)
        return replace(state, players=self.players(state), turn=turn, still=0)


class OilStruck(Event, frozen=True):
    """A rig became a well, the n-th on the board."""

    seat: Seat
    site: Site
    wells: Pieces
    price: Millions

    def evolve(self, state: State) -> State:
        quadrant = converted(state.quadrants[self.site.quadrant], self.site)
        return replace(
            state,
            players=state.stored(self.seat, -self.price),
            quadrants=put(state.quadrants, self.site.quadrant, quadrant),
            turn=replace(state.now, done=3, used=0),
            still=0,
        )

    def transfers(self) -> tuple[Transfer, ...]:
        return drilled(self.seat, self.price)


def strike_price(state: State) -> int:
    """The price of the next well, by its number on the whole board (`production/rig`)."""
    return STRIKE_STEP * (state.wells + 1)


def _least(limits: dict[str, int]) -> tuple[int, str]:
    """The smallest of several limits, and its code."""
    code = min(limits, key=lambda limit: limits[limit])
    return limits[code], code


def _operating(command: str, rule: str, quantity: Range, passed: bool) -> Offer:
    """Operate this many barrels, unless the turn `passed` that step, or there are none."""
    blocked = "step_passed" if passed else None if quantity.max else quantity.limited_by
    return Offer(command, rule, {"quantity": quantity}, blocked_by=blocked)


@lru_cache(maxsize=8192)
def offer_selling(hits: int, gasoline: int, fresh: int, sales: tuple[int, ...], passed: bool) -> Offer:
    """Sell to the consumers, who pay these prices for one barrel after the other (`consumer/sale`)."""
    stock = "fresh" if fresh else "gasoline"
    most, limit = _least({"hits": hits, stock: gasoline - fresh, "consumer_floor": len(sales)})
    return _operating("SellGasoline", "production/station", Range(1, most, limit, prices=sales[:most]), passed)


@lru_cache(maxsize=4096)
def offer_refining(hits: int, idle: int, crude: int, fresh: int, passed: bool) -> Offer:
    """Refine with refineries that are hit, except `idle` ones."""
    most, limit = _least({"idle" if idle else "hits": hits - idle, "fresh" if fresh else "crude": crude - fresh})
    return _operating("RefineCrude", "production/refinery", Range(1, most, limit), passed)


@lru_cache(maxsize=256)
def offer_pumping(most: int, passed: bool) -> Offer:
    """Pump with wells that are hit."""
    return _operating("PumpCrude", "production/well", Range(2, most, "hits", step=2), passed)


@lru_cache(maxsize=4096)
def offer_striking(index: int, crossed: int, price: int, blocked: str | None) -> Offer:
    """Strike oil with a rig that both dice hit, given as bits."""
    site = SiteChoice(sites(index, crossed), "not_crossed")
    return Offer("StrikeOil", "production/rig", {"site": site}, price, blocked)


def sell_gasoline(play: Play, seat: int, command: SellGasoline, offer: Offer) -> None:
    play.record(GasolineSold(seat, offer.prices(command.quantity)), offer.rule)


def refine_crude(play: Play, seat: int, command: RefineCrude, offer: Offer) -> None:
    play.record(CrudeRefined(seat, command.quantity), offer.rule)


def pump_crude(play: Play, seat: int, command: PumpCrude, offer: Offer) -> None:
    play.record(CrudePumped(seat, command.quantity), offer.rule)


def strike_oil(play: Play, seat: int, command: StrikeOil, offer: Offer) -> None:
    play.record(OilStruck(seat, command.site, play.state.wells + 1, offer.cost), offer.rule)

"""Phase 2, second half, and phase 3: operating what the dice hit, the quadrant at turn first, then its neighbours."""

from functools import lru_cache

from mcmulti.domain.core.offers import Offer, Range, SiteChoice, barrels, plain, remembered
from mcmulti.domain.mcmulti.assets import begin_assets
from mcmulti.domain.mcmulti.commands import EndProduction, PumpCrude, RefineCrude, SellGasoline, StrikeOil
from mcmulti.domain.mcmulti.components import STRIKE_STEP
from mcmulti.domain.mcmulti.events import CrudePumped, CrudeRefined, GasolineSold, OilStruck, OperationBegan
from mcmulti.domain.mcmulti.play import Play
from mcmulti.domain.mcmulti.state import State, Turn
from mcmulti.domain.oil.board import left, lines_hit, right, sites
from mcmulti.domain.oil.hits import NO_HITS, Hits, hits

END_PRODUCTION = plain("EndProduction", "production/order", "Operate nothing more.")


def begin_production(play: Play) -> None:
    """The quadrant at turn operates first (`production/order`)."""
    turn = play.state.now
    if not _operate(play, turn, turn.quadrant):
        _pass_on(play, turn.quadrant)


def proceed(play: Play) -> None:
    """When nothing is left to operate, the next in line operates."""
    operating = play.state.now.operating
    seat = play.state.owners[operating]
    if seat is None or not _useful(offers(play.state, seat, False)):
        _pass_on(play, operating)


def _pass_on(play: Play, operated: int) -> None:
    """From the quadrant at turn to its left neighbour, then to the right one (`neighbour/lines`), then the assets."""
    turn = play.state.now
    if operated == turn.quadrant:
        operated = left(turn.quadrant)
        if _operate(play, turn, operated):
            return
    if operated == left(turn.quadrant) and _operate(play, turn, right(turn.quadrant)):
        return
    begin_assets(play)


def _operate(play: Play, turn: Turn, index: int) -> bool:
    """Let a quadrant operate if the dice hit anything that it could use."""
    state = play.state
    seat = state.owners[index]
    if seat is None:
        return False
    hit = _hit(state, turn, index)
    if hit == NO_HITS or not _useful(_offering(state, seat, index, hit, 0, 0, False)):
        return False
    neighbour = index != turn.quadrant
    began = OperationBegan(
        seat=seat,
        quadrant=index,
        neighbour=neighbour,
        stations=hit.stations,
        refineries=hit.refineries - hit.idle,
        wells=hit.wells,
        strike=sites(index, hit.crossed)[0] if hit.crossed else None,
    )
    play.record(began, "neighbour/lines" if neighbour else "production/hit")
    return True


def _useful(offers: tuple[Offer, ...]) -> bool:
    """Whether anything but ending is offered."""
    for offer in offers:
        if offer.blocked_by is None:
            return offer is not END_PRODUCTION
    return False


def strike_price(state: State) -> int:
    """What the next well costs, by its number on the whole board (`production/rig`)."""
    return STRIKE_STEP * (state.wells + 1)


def _hit(state: State, turn: Turn, index: int) -> Hits:
    """What the production roll of a turn hits in a quadrant."""
    return hits(state.quadrants[index], lines_hit(index, turn.quadrant, turn.red, turn.black))


@remembered
def offers(state: State, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Operate what the dice hit, or nothing more."""
    turn = state.now
    hit = _hit(state, turn, turn.operating)
    return _offering(state, seat, turn.operating, hit, turn.done, turn.used, complete)


def _offering(
    state: State, seat: int, index: int, hit: Hits, done: int, used: int, complete: bool
) -> tuple[Offer, ...]:
    """Each kind that is not behind, in the order station, refinery, well, rig (`production/order`).

    `done` kinds are behind; of the next one `used` barrels were operated. What the player pumped and refined in this
    turn counts in none of its quadrants (`neighbour/two-players`).
    """
    player, turn = state.players[seat], state.now
    fresh_crude = fresh_gasoline = 0
    if state.owners[turn.operating] == seat:
        fresh_crude, fresh_gasoline = turn.fresh_crude, turn.fresh_gasoline
    stations, refineries, wells = hit.stations, hit.refineries, hit.wells
    if done == 0:
        stations -= used
    elif done == 1:
        refineries -= used
    elif done == 2:
        wells -= used
    offers = []
    if stations or complete:
        offers.append(_stations(stations, player.gasoline, fresh_gasoline, state.consumer_price, done > 0))
    if refineries or complete:
        offers.append(_refineries(refineries, hit.idle, player.crude, fresh_crude, done > 1))
    if wells or complete:
        offers.append(_wells(wells, done > 2))
    if hit.crossed or complete:
        at_turn = index == turn.quadrant
        price = strike_price(state) if hit.crossed else 0
        offers.append(_strike(index, hit.crossed, price, _no_strike(at_turn, hit.crossed, player.cash < price)))
    return (*offers, END_PRODUCTION)


def _least(limits: dict[str, int]) -> tuple[int, str]:
    """The smallest of several limits, and its code."""
    code = min(limits, key=lambda limit: limits[limit])
    return limits[code], code


@lru_cache(maxsize=8192)
def _stations(hits: int, gasoline: int, fresh: int, price: int, passed: bool) -> Offer:
    stock = "fresh" if fresh else "gasoline"
    most, limit = _least({"hits": hits, stock: gasoline - fresh, "consumer_floor": price - 1})
    return Offer(
        "SellGasoline",
        "production/station",
        f"Sell up to {barrels(most)} of gasoline to the consumers, the first at {price - 1}.",
        {"quantity": Range(1, most, limit, prices=tuple(range(price - 1, price - 1 - most, -1)))},
        blocked_by="step_passed" if passed else None if most else limit,
    )


@lru_cache(maxsize=4096)
def _refineries(hits: int, idle: int, crude: int, fresh: int, passed: bool) -> Offer:
    most, limit = _least({"idle" if idle else "hits": hits - idle, "fresh" if fresh else "crude": crude - fresh})
    return Offer(
        "RefineCrude",
        "production/refinery",
        f"Refine up to {barrels(most)} of crude into gasoline.",
        {"quantity": Range(1, most, limit)},
        blocked_by="step_passed" if passed else None if most else limit,
    )


@lru_cache(maxsize=256)
def _wells(most: int, passed: bool) -> Offer:
    return Offer(
        "PumpCrude",
        "production/well",
        f"Pump up to {barrels(most)} of crude, two or four a well.",
        {"quantity": Range(2, most, "hits", step=2)},
        blocked_by="step_passed" if passed else None if most else "hits",
    )


def _no_strike(at_turn: bool, crossed: int, poor: bool) -> str | None:
    if not at_turn:
        return "neighbour"
    if not crossed:
        return "not_crossed"
    return "cash" if poor else None


@lru_cache(maxsize=4096)
def _strike(index: int, crossed: int, price: int, blocked: str | None) -> Offer:
    return Offer(
        "StrikeOil",
        "production/rig",
        f"Turn the rig into a well for {price}.",
        {"site": SiteChoice(sites(index, crossed), "not_crossed")},
        price,
        blocked,
    )


def sell_gasoline(play: Play, seat: int, command: SellGasoline) -> None:
    price = play.state.consumer_price
    prices = tuple(range(price - 1, price - 1 - command.quantity, -1))
    play.record(GasolineSold(seat, prices), "production/station")


def refine_crude(play: Play, seat: int, command: RefineCrude) -> None:
    play.record(CrudeRefined(seat, command.quantity), "production/refinery")


def pump_crude(play: Play, seat: int, command: PumpCrude) -> None:
    play.record(CrudePumped(seat, command.quantity), "production/well")


def strike_oil(play: Play, seat: int, command: StrikeOil) -> None:
    price = strike_price(play.state)
    play.record(OilStruck(seat, command.site, play.state.wells + 1, price), "production/rig")


def end_production(play: Play, seat: int, command: EndProduction) -> None:
    _pass_on(play, play.state.now.operating)

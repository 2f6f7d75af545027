"""Phase 2, second half, and phase 3: operating what the dice hit, the active quadrant first, then its neighbors."""

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.instructions import asked
from mcmulti.domain.core.offers import Offer, plain
from mcmulti.domain.mcmulti.commands import EndProduction
from mcmulti.domain.mcmulti.news.track import sale_prices
from mcmulti.domain.mcmulti.phases.assets import begin_assets
from mcmulti.domain.mcmulti.phases.operations import (
    offer_pumping,
    offer_refining,
    offer_selling,
    offer_striking,
    strike_price,
)
from mcmulti.domain.mcmulti.state import Play, State, Turn
from mcmulti.domain.oil.rules import production as common
from mcmulti.domain.oil.rules.board import left, lines_hit, right, sites
from mcmulti.domain.oil.rules.quadrant import NO_HITS, Hits, hits

END_PRODUCTION = plain("EndProduction", "production/order")


class OperationBegan(common.OperationBegan, frozen=True):
    """A quadrant may operate what the dice hit, as the active quadrant or as a neighbor."""

    def evolve(self, state: State) -> State:
        """What its owner pumped and refined in this turn is fresh in its other quadrant (`neighbour/two-players`).

        A seat asked in another's turn may have an instruction for it (`table/instruct`).
        """
        turn = state.now
        if state.owners[turn.operating] == self.seat:
            turn = replace(turn, operating=self.quadrant, done=0, used=0)
        else:
            turn = replace(turn, operating=self.quadrant, done=0, used=0, fresh_crude=0, fresh_gasoline=0)
        if not self.neighbour:
            return replace(state, phase="production", turn=turn)
        operating = replace(state, phase="neighbours", turn=turn)
        return operating if self.seat == turn.seat else asked(operating, self.seat)


def begin_production(play: Play) -> None:
    """The active quadrant operates first (`production/order`)."""
    turn = play.state.now
    if not _operate(play, turn, turn.quadrant):
        _pass_on(play, turn.quadrant)


def proceed(play: Play) -> None:
    """When nothing is left to operate, continue with the next quadrant."""
    operating = play.state.now.operating
    seat = play.state.owners[operating]
    if seat is None or not _useful(offers(play.state, seat, False)):
        _pass_on(play, operating)


def _pass_on(play: Play, operated: int) -> None:
    """Pass from the active quadrant to its left neighbor, then its right one (`neighbour/lines`), then to
    the assets.
    """
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
    """Whether anything except ending is offered."""
    for offer in offers:
        if offer.blocked_by is None:
            return offer is not END_PRODUCTION
    return False


def _hit(state: State, turn: Turn, index: int) -> Hits:
    """What the production roll of a turn hits in a quadrant."""
    return hits(state.quadrants[index], lines_hit(index, turn.quadrant, turn.red, turn.black))


def offers(state: State, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Operate what the dice hit, or end."""
    turn = state.now
    hit = _hit(state, turn, turn.operating)
    return _offering(state, seat, turn.operating, hit, turn.done, turn.used, complete)


def _offering(
    state: State, seat: int, index: int, hit: Hits, done: int, used: int, complete: bool
) -> tuple[Offer, ...]:
    """Each remaining kind, in the order station, refinery, well, rig (`production/order`).

    `done` kinds are finished; of the next one `used` barrels were operated. What the player pumped and refined in this
    turn does not count in any of its quadrants (`neighbour/two-players`).
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
        sales = sale_prices(state.setup.consumer_track, state.consumer_price)
        offers.append(offer_selling(stations, player.gasoline, fresh_gasoline, sales, done > 0))
    if refineries or complete:
        offers.append(offer_refining(refineries, hit.idle, player.crude, fresh_crude, done > 1))
    if wells or complete:
        offers.append(offer_pumping(wells, done > 2))
    if hit.crossed or complete:
        at_turn = index == turn.quadrant
        price = strike_price(state) if hit.crossed else 0
        offers.append(offer_striking(index, hit.crossed, price, _no_strike(at_turn, hit.crossed, player.cash < price)))
    return (*offers, END_PRODUCTION)


def _no_strike(at_turn: bool, crossed: int, poor: bool) -> str | None:
    if not at_turn:
        return "neighbour"
    if not crossed:
        return "not_crossed"
    return "cash" if poor else None


def end_production(play: Play, seat: int, command: EndProduction, offer: Offer) -> None:
    _pass_on(play, play.state.now.operating)

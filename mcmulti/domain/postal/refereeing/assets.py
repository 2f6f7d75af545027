"""Phase 1: selling assets, converting rigs, buying assets, in the order written."""

from msgspec.structs import replace

from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count
from mcmulti.domain.core.tuples import put
from mcmulti.domain.oil.names import KINDS, Kind, Millions, Seat, Site
from mcmulti.domain.oil.rules import assets as common
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.oil.rules.board import bit, footprint, free_blocks, free_sites, sites
from mcmulti.domain.oil.rules.quadrant import Quadrant, converted, removed
from mcmulti.domain.oil.rules.transfers import drilled
from mcmulti.domain.postal.components import CLIMATES, STRIKE_STEP
from mcmulti.domain.postal.names import Outcome, Plot
from mcmulti.domain.postal.refereeing.acting import Actions, skip
from mcmulti.domain.postal.sheets.sheet import BuyAssetOrder, ConvertRigOrder, SellAssetOrder
from mcmulti.domain.postal.state import Play, State


class AssetSold(common.AssetSold, frozen=True):
    """An asset that the player's own last roll had hit was sold to the bank."""

    def evolve(self, state: State) -> State:
        hits = removed(state.hits[self.seat], self.kind, self.site)
        state = super().evolve(state)
        return replace(state, hits=put(state.hits, self.seat, hits), struck=_spent(state, self))


class RigConverted(Event, frozen=True):
    """A rig became a well. `conversions`: the number of this conversion in the game."""

    seat: Seat
    site: Site
    conversions: Count
    price: Millions

    def evolve(self, state: State) -> State:
        """The new well was not there when the dice were rolled, so it was not hit."""
        quadrant = converted(state.quadrants[self.seat], self.site)
        hits = removed(state.hits[self.seat], "rig", self.site)
        return replace(
            state,
            players=state.stored(self.seat, -self.price),
            quadrants=put(state.quadrants, self.seat, quadrant),
            hits=put(state.hits, self.seat, hits),
            struck=_spent(state, self),
            conversions=self.conversions,
            still=0,
        )

    def transfers(self) -> tuple[Transfer, ...]:
        return drilled(self.seat, self.price)


def _spent(state: State, event: AssetSold | RigConverted) -> tuple[int, ...]:
    """The rigs that can still be converted after one of them is gone."""
    return put(state.struck, event.seat, state.struck[event.seat] & ~bit(event.site))


def strike_cost(state: State) -> int:
    """The price of the next conversion, by the number of conversions in the game (`postal/strike-cost`)."""
    return STRIKE_STEP * (state.conversions + 1)


def struck(state: State, seat: int) -> Site | None:
    """The rig that the player can convert; both dice cross in one site, so there is one at most."""
    found = sites(seat, state.struck[seat])
    return found[0] if found else None


def at(seat: int, plot: Plot) -> Site:
    """The site of a seat's quadrant that a plot names."""
    return Site(seat, plot.row, plot.column)


def standing_at(quadrant: Quadrant, site: Site) -> tuple[Kind, Site] | None:
    """The asset on a site, and the site that names it; None if empty. A refinery is found at any of its four sites."""
    on = bit(site)
    for kind in KINDS:
        assets = quadrant.standing(kind)
        found = next((each for each in sites(site.quadrant, assets) if covered(kind, bit(each)) & on), None)
        if found is not None:
            return kind, found
    return None


def covered(kind: Kind, asset: int) -> int:
    """The sites that an asset of this kind takes, as bits."""
    return footprint(asset) if kind == "refinery" else asset


def sell_asset(play: Play, seat: int, line: int, order: SellAssetOrder) -> Outcome:
    """Sell at the liquidation value of the climate, only what the player's own last roll hit (`postal/phase-1`)."""
    state = play.state
    found = standing_at(state.quadrants[seat], at(seat, order.plot))
    if found is None or found[0] != order.kind:
        return skip(play, seat, line, "nothing_there")
    if not state.hits[seat].standing(order.kind) & bit(found[1]):
        return skip(play, seat, line, "not_hit")
    play.record(AssetSold(seat, order.kind, found[1], CLIMATES[state.economy].sell[order.kind]), "postal/prices")
    return "in_full"


def convert_rig(play: Play, seat: int, line: int, order: ConvertRigOrder) -> Outcome:
    """Convert for ten times the number of the conversion in the game (`postal/strike-cost`)."""
    site = struck(play.state, seat)
    if site is None or (order.plot is not None and site != at(seat, order.plot)):
        return skip(play, seat, line, "not_struck")
    return _skip_if_dear(play, seat, line, strike_cost(play.state), order.keep) or convert(play, seat, site)


def convert(play: Play, seat: int, site: Site) -> Outcome:
    """Turn a rig into a well."""
    price = strike_cost(play.state)
    play.record(RigConverted(seat, site, play.state.conversions + 1, price), "postal/strike-cost")
    return "in_full"


def buy_asset(play: Play, seat: int, line: int, order: BuyAssetOrder) -> Outcome:
    """Buy at the purchase price of the climate, on a free site, a free block for a refinery (`postal/phase-1`)."""
    state, site = play.state, at(seat, order.plot)
    price = CLIMATES[state.economy].buy[order.kind]
    occupied = state.quadrants[seat].occupied
    if order.kind == "refinery" and not free_blocks(occupied) & bit(site):
        return skip(play, seat, line, "block")
    if not free_sites(occupied) & bit(site):
        return skip(play, seat, line, "site")
    skipped = _skip_if_dear(play, seat, line, price, order.keep)
    if skipped is None:
        play.record(AssetBought(seat, order.kind, site, price), "postal/prices")
    return skipped or "in_full"


def _skip_if_dear(play: Play, seat: int, line: int, price: int, keep: int) -> Outcome | None:
    """Skip the line if there is not enough cash, including the reserve; None if there is."""
    cash = play.state.players[seat].cash
    if cash >= price + keep:
        return None
    code, need = ("cash", price) if cash < price else ("keep_cash", price + keep)
    return skip(play, seat, line, code, cash, need)


ACTIONS: Actions = {SellAssetOrder: sell_asset, ConvertRigOrder: convert_rig, BuyAssetOrder: buy_asset}

"""Phase 1: selling assets, converting rigs, buying assets, in the order written."""

from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count
from mcmulti.domain.core.posting import Transfer
from mcmulti.domain.core.tuples import put
from mcmulti.domain.oil import assets as common
from mcmulti.domain.oil.assets import AssetBought
from mcmulti.domain.oil.board import bit, free_blocks, free_sites, sites
from mcmulti.domain.oil.figures import Millions, Seat
from mcmulti.domain.oil.quadrant import converted, removed
from mcmulti.domain.oil.site import Site
from mcmulti.domain.oil.transfers import drilled
from mcmulti.domain.postal.carrying_out import Actions, skip
from mcmulti.domain.postal.components import CLIMATES, STRIKE_STEP
from mcmulti.domain.postal.places import Plot
from mcmulti.domain.postal.play import Play
from mcmulti.domain.postal.sheet import BuyAssetOrder, ConvertRigOrder, SellAssetOrder
from mcmulti.domain.postal.state import State


class AssetSold(common.AssetSold, frozen=True):
    """An asset that the player's own last roll had hit was sold to the bank."""

    def evolve(self, state: State) -> State:
        hits = removed(state.hits[self.seat], self.kind, self.site)
        state = super().evolve(state)
        return replace(state, hits=put(state.hits, self.seat, hits), struck=_spent(state, self))


class RigConverted(Event, frozen=True):
    """A rig became a well. `conversions`: the how many-th of the game it was."""

    seat: Seat
    site: Site
    conversions: Count
    price: Millions

    def evolve(self, state: State) -> State:
        """The new well was not there when the dice fell, so it was not hit."""
        quadrant = converted(state.quadrants[self.seat], self.site)
        hits = removed(state.hits[self.seat], "rig", self.site)
        return replace(
            state,
            players=state.stored(self.seat, -self.price),
            quadrants=put(state.quadrants, self.seat, quadrant),
            hits=put(state.hits, self.seat, hits),
            struck=_spent(state, self),
            conversions=self.conversions,
            conversions_in_round=state.conversions_in_round + 1,
            still=0,
        )

    def transfers(self) -> tuple[Transfer, ...]:
        return drilled(self.seat, self.price)


def _spent(state: State, event: AssetSold | RigConverted) -> tuple[int, ...]:
    """The rigs that may still be converted after one of them is gone."""
    return put(state.struck, event.seat, state.struck[event.seat] & ~bit(event.site))


def strike_cost(state: State) -> int:
    """What the next conversion costs: by how many there were in the game (`postal/strike-cost`)."""
    return STRIKE_STEP * (state.conversions + 1)


def struck(state: State, seat: int) -> Site | None:
    """The rig that the player may convert; both dice cross in one site, so there is one at most."""
    found = sites(seat, state.struck[seat])
    return found[0] if found else None


def _at(seat: int, plot: Plot) -> Site:
    return Site(seat, plot.row, plot.column)


def sell_asset(play: Play, seat: int, line: int, order: SellAssetOrder) -> None:
    """At the liquidation value of the climate, only what the player's own last roll hit (`postal/phase-1`)."""
    state, site = play.state, _at(seat, order.plot)
    if not state.quadrants[seat].standing(order.kind) & bit(site):
        skip(play, seat, line, "nothing_there")
    elif not state.hits[seat].standing(order.kind) & bit(site):
        skip(play, seat, line, "not_hit")
    else:
        play.record(AssetSold(seat, order.kind, site, CLIMATES[state.economy].sell[order.kind]), "postal/prices")


def convert_rig(play: Play, seat: int, line: int, order: ConvertRigOrder) -> None:
    """Ten times the number of the conversion in the game (`postal/strike-cost`)."""
    site, price, cash = struck(play.state, seat), strike_cost(play.state), play.state.players[seat].cash
    if site is None or (order.plot is not None and site != _at(seat, order.plot)):
        skip(play, seat, line, "not_struck")
    elif cash < price:
        skip(play, seat, line, "cash", cash, price)
    else:
        convert(play, seat, site)


def convert(play: Play, seat: int, site: Site) -> None:
    """Turn a rig into a well."""
    price = strike_cost(play.state)
    play.record(RigConverted(seat, site, play.state.conversions + 1, price), "postal/strike-cost")


def buy_asset(play: Play, seat: int, line: int, order: BuyAssetOrder) -> None:
    """At the purchase price of the climate, on a free site, a free block for a refinery (`postal/phase-1`)."""
    state, site = play.state, _at(seat, order.plot)
    price, cash = CLIMATES[state.economy].buy[order.kind], state.players[seat].cash
    occupied = state.quadrants[seat].occupied
    if order.kind == "refinery" and not free_blocks(occupied) & bit(site):
        skip(play, seat, line, "block")
    elif not free_sites(occupied) & bit(site):
        skip(play, seat, line, "site")
    elif cash < price:
        skip(play, seat, line, "cash", cash, price)
    else:
        play.record(AssetBought(seat, order.kind, site, price), "postal/prices")


ACTIONS: Actions = {SellAssetOrder: sell_asset, ConvertRigOrder: convert_rig, BuyAssetOrder: buy_asset}

"""The special purchase round (`purchase/round`), and buying and selling assets in every phase that allows it."""

from functools import lru_cache

from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Offer, TextChoice, plain
from mcmulti.domain.mcmulti.commands import BuyAsset, EndPurchases
from mcmulti.domain.mcmulti.components import ECONOMY
from mcmulti.domain.mcmulti.phases.ending import begin_turn
from mcmulti.domain.mcmulti.state import Play, State
from mcmulti.domain.oil.names import KINDS, Kind, QuadrantNumber, Seat, SiteChoice
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.oil.rules.board import free_blocks, free_sites, sites

ONE_KIND: dict[Kind, TextChoice] = {kind: TextChoice((kind,)) for kind in KINDS}
"""The field of an offer for a single kind of asset."""


@lru_cache(maxsize=4096)
def selling(price: int, kind: Kind, quadrant: int, standing: int, rule: str, limit: str) -> Offer:
    """Sell one of the standing assets, given as bits, at this price."""
    return Offer(
        "SellAsset",
        rule,
        {"kind": ONE_KIND[kind], "site": SiteChoice(sites(quadrant, standing), limit)},
        price,
        None if standing else limit,
    )


class PurchasesEnded(Event, frozen=True):
    """A quadrant's turn in the special purchase round ended."""

    seat: Seat
    quadrant: QuadrantNumber

    def evolve(self, state: State) -> State:
        return replace(state, purchases=state.purchases[1:])


class PurchasesPutOff(Event, frozen=True):
    """A quadrant's turn in the special purchase round comes last: its seat is vacant, and somebody may sit down."""

    seat: Seat
    quadrant: QuadrantNumber

    def evolve(self, state: State) -> State:
        return replace(state, purchases=(*state.purchases[1:], state.purchases[0]))


END_PURCHASES = plain("EndPurchases", "purchase/round")


def offers(state: State, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Buy any number of rigs, stations, and refineries, or end."""
    return (*offers_buying(state, seat, state.purchases[0], "purchase/round", complete), END_PURCHASES)


def offers_buying(state: State, seat: int, quadrant: int, rule: str, complete: bool) -> tuple[Offer, ...]:
    """Buy an asset and place it in a quadrant at once: cash only, one free site, a free block for a refinery."""
    cash = state.players[seat].cash
    occupied = state.quadrants[quadrant].occupied
    return tuple(
        [
            _buying(kind, price, quadrant, occupied, rule, cash >= price)
            for kind, price in ECONOMY[state.economy].buy.items()
            if cash >= price or complete
        ]
    )


@lru_cache(maxsize=4096)
def _buying(kind: Kind, price: int, quadrant: int, occupied: int, rule: str, affordable: bool) -> Offer:
    block = kind == "refinery"
    places = _blocks(quadrant, occupied) if block else _sites(quadrant, occupied)
    blocked = None
    if not places.options:
        blocked = "no_block" if block else "quadrant_full"
    elif not affordable:
        blocked = "cash"
    return Offer(
        "BuyAsset",
        rule,
        {"kind": ONE_KIND[kind], "site": places},
        price,
        blocked,
    )


# A quadrant is asked until something is built there, and a rig can be placed anywhere a station can.


@lru_cache(maxsize=256)
def _sites(quadrant: int, occupied: int) -> SiteChoice:
    return SiteChoice(sites(quadrant, free_sites(occupied)), "site")


@lru_cache(maxsize=256)
def _blocks(quadrant: int, occupied: int) -> SiteChoice:
    return SiteChoice(sites(quadrant, free_blocks(occupied)), "block")


def buy_asset(play: Play, seat: int, command: BuyAsset, offer: Offer) -> None:
    play.record(AssetBought(seat, command.kind, command.site, offer.cost), offer.rule)


def end_purchases(play: Play, seat: int, command: EndPurchases, offer: Offer) -> None:
    play.record(PurchasesEnded(seat, play.state.purchases[0]), offer.rule)


def proceed(play: Play) -> None:
    """When every quadrant had its turn, begin the first turn. Vacant seats come last (`table/vacant`)."""
    state = play.state
    if not state.purchases:
        begin_turn(play, 1, state.first)
        return
    seats = [state.owners[quadrant] for quadrant in state.purchases]
    if seats[0] is not None and seats[0] in state.vacant and any(seat in state.taken for seat in seats):
        play.record(PurchasesPutOff(seats[0], state.purchases[0]), "table/vacant")

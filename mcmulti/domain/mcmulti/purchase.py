"""The special purchase round (`purchase/round`), and buying assets as it is done in every phase that allows it."""

from functools import lru_cache

from mcmulti.domain.mcmulti.commands import BuyAsset, EndPurchases
from mcmulti.domain.mcmulti.components import ECONOMY, EconomyName
from mcmulti.domain.mcmulti.ending import begin_turn
from mcmulti.domain.mcmulti.events import AssetBought, PurchasesEnded
from mcmulti.domain.mcmulti.play import Play
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.offers import Choice, Offer, plain
from mcmulti.domain.oilfield.board import free_blocks, free_sites, sites

END_PURCHASES = plain("EndPurchases", "purchase/round", "Buy nothing more for this quadrant.")


def offers(state: State, seat: int) -> tuple[Offer, ...]:
    """Any number of rigs, stations and refineries, or no more."""
    return (*offers_buying(state, seat, state.purchases[0], "purchase/round"), END_PURCHASES)


def offers_buying(state: State, seat: int, quadrant: int, rule: str) -> tuple[Offer, ...]:
    """Buy an asset and place it in a quadrant at once: cash only, one free site, a free block for a refinery."""
    affordable = _affordable(state.economy, state.players[seat].cash)
    return _buying(state.economy, affordable, quadrant, state.quadrants[quadrant].occupied, rule)


@lru_cache(maxsize=8192)
def _affordable(economy: EconomyName, cash: int) -> tuple[bool, ...]:
    """Whether there is cash for each kind."""
    return tuple(cash >= price for price in ECONOMY[economy].buy.values())


@lru_cache(maxsize=8192)
def _buying(
    economy: EconomyName, affordable: tuple[bool, ...], quadrant: int, occupied: int, rule: str
) -> tuple[Offer, ...]:
    offers = []
    for (kind, price), affords in zip(ECONOMY[economy].buy.items(), affordable, strict=True):
        block = kind == "refinery"
        free = sites(quadrant, free_blocks(occupied) if block else free_sites(occupied))
        blocked = None
        if not free:
            blocked = "no_block" if block else "quadrant_full"
        elif not affords:
            blocked = "cash"
        offers.append(
            Offer(
                "BuyAsset",
                rule,
                f"Buy a {kind} for {price} and place it on one of {len(free)} {'blocks' if block else 'sites'}.",
                {"kind": Choice((kind,)), "site": Choice(free, "block" if block else "site")},
                price,
                blocked,
            )
        )
    return tuple(offers)


def buy_asset(play: Play, seat: int, command: BuyAsset) -> None:
    price = ECONOMY[play.state.economy].buy[command.kind]
    play.record(AssetBought(seat, command.kind, command.site, price), play.rule)


def end_purchases(play: Play, seat: int, command: EndPurchases) -> None:
    play.record(PurchasesEnded(seat, play.state.purchases[0]), "purchase/round")


def proceed(play: Play) -> None:
    """When every quadrant had its go, the first turn begins."""
    if not play.state.purchases:
        begin_turn(play, 1, play.state.first)

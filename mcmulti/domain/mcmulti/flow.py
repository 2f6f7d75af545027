"""The flow of a game: which phase asks whom, and what happens automatically between two decisions."""

from collections.abc import Callable, Mapping
from itertools import accumulate, combinations_with_replacement
from typing import cast

from mcmulti.domain.core.capabilities.instructions import instruction_of
from mcmulti.domain.core.commands import Command, StartGame
from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.in_turn import in_turn
from mcmulti.domain.core.offers import Choice, Range, open_offers
from mcmulti.domain.mcmulti import commands, instructions, table
from mcmulti.domain.mcmulti.commands import (
    CleanUp,
    EndCleanUp,
    EndProduction,
    EndPurchases,
    EndTurn,
    OperatingOrders,
    PumpCrude,
    RollDice,
    SellAsset,
)
from mcmulti.domain.mcmulti.instructions import following
from mcmulti.domain.mcmulti.limits import LIMITS
from mcmulti.domain.mcmulti.news import effects as news
from mcmulti.domain.mcmulti.news import taxes, warming
from mcmulti.domain.mcmulti.news.warming import WARMING, clean_up_offer
from mcmulti.domain.mcmulti.phases import assets, dice, ending, market, operations, production, purchase, selling_out
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.names import KINDS, Kind, Site, SiteChoice
from mcmulti.domain.oil.rules.board import bit

_NOTHING = OperatingOrders()


def _wishes(state: State, seat: int) -> OperatingOrders:
    """What the player wants done: its instruction, unless it is off or one of its guards holds."""
    found = instruction_of(state, seat)
    if found is None or found.off is not None or found.orders.guard(state, seat) is not None:
        return _NOTHING
    orders: OperatingOrders = found.orders
    return orders


def _operate(state: State, seat: int) -> Command:
    """Pump everything, which costs nothing. Whether to give up a barrel is for the player to decide."""
    offers = open_offers(production.offers(state, seat, False))
    wishes = _wishes(state, seat)
    if wishes.away_operates:
        return following(state, seat, wishes, offers)
    for offer in offers:
        if offer.command == PumpCrude.__name__:
            return PumpCrude(cast(Range, offer.fields["quantity"]).max)
    return EndProduction()


def _settle(state: State, seat: int) -> Command:
    return _clean_up(state, seat) if state.now.card == WARMING else _forced_sale(state, seat)


def _clean_up(state: State, seat: int) -> Command:
    """Pay nothing unless instructed, except if refineries would be sold: a new one costs more than is saved."""
    offer = clean_up_offer(state, seat)
    pays = state.setup.unpaid_clean_up == "sold" or _wishes(state, seat).away_cleans_up
    if not pays or offer.blocked_by is not None:
        return EndCleanUp()
    return CleanUp(cast(SiteChoice, offer.fields["site"]).options[0])


def _forced_sale(state: State, seat: int) -> SellAsset:
    """The next sale that raises what is due (`forced/sale`); idle refineries first."""
    sellable: dict[Kind, tuple[Site, ...]] = dict.fromkeys(KINDS, ())
    for offer in open_offers(taxes.offers(state, seat)):
        (kind,) = cast(Choice[Kind], offer.fields["kind"]).options
        sellable[kind] += cast(SiteChoice, offer.fields["site"]).options
    standing = {kind: len(places) for kind, places in sellable.items()}
    wished, short = _wishes(state, seat).away_sells, state.now.dues[0].amount - state.players[seat].cash
    kind = wished if wished and standing[wished] else to_sell(standing, state.card.sell, short)
    idle = [site for site in sellable[kind] if state.quadrants[site.quadrant].idle & bit(site)]
    return SellAsset(kind, (*idle, *sellable[kind])[0])


def to_sell(standing: Mapping[Kind, int], prices: Mapping[Kind, int], short: int) -> Kind:
    """The kind of asset to sell next, out of those standing, to raise what is `short`, in millions of dollars.

    Sells the fewest assets that raise it, and of several ways the one that raises least; all if all raise too little.
    """
    pieces = sorted((kind for kind in KINDS for _ in range(standing[kind])), key=lambda kind: -prices[kind])
    raised = accumulate(prices[kind] for kind in pieces)
    fewest = next((number for number, sum_ in enumerate(raised, 1) if sum_ >= short), None)
    if fewest is None:
        return pieces[0]
    kinds = tuple(dict.fromkeys(pieces))
    ways = [
        (sum(prices[kind] for kind in way), way)
        for way in combinations_with_replacement(kinds, fewest)
        if all(way.count(kind) <= standing[kind] for kind in kinds)
    ]
    return min((way for way in ways if way[0] >= short), key=lambda way: way[0])[1][0]


DEFAULTS: dict[str, Callable[[State, int], Command]] = {
    "purchase": lambda state, seat: EndPurchases(),
    "market": lambda state, seat: RollDice(),
    "news": _settle,
    "production": _operate,
    "neighbours": _operate,
    "assets": lambda state, seat: EndTurn(),
}
"""The default answer to every question for an absent player, by phase (`table/clock`, `table/vacant`).

The player's own instruction for its absence has priority (`table/instruct`).
"""


def turn(state: State) -> int:
    """The number of the current turn, from 1; 0 before the first."""
    return state.turn.number if state.turn else 0


FLOW: GameFlow[State] = GameFlow(
    capabilities=(*in_turn(table.opening, selling_out.sell_out, longest=15_000), instructions.INSTRUCTIONS),
    limits=LIMITS,
    carriers={
        StartGame: table.start_game,
        commands.EndPurchases: purchase.end_purchases,
        commands.BuyBarrels: market.buy_barrels,
        commands.SellBarrels: market.sell_barrels,
        commands.RollDice: dice.roll_dice,
        commands.SellGasoline: operations.sell_gasoline,
        commands.RefineCrude: operations.refine_crude,
        commands.PumpCrude: operations.pump_crude,
        commands.StrikeOil: operations.strike_oil,
        commands.EndProduction: production.end_production,
        commands.BuyAsset: purchase.buy_asset,
        commands.SellAsset: assets.sell_asset,
        commands.CleanUp: warming.clean_up,
        commands.EndCleanUp: warming.end_clean_up,
        commands.EndTurn: ending.end_turn,
        commands.DeclareVictory: ending.declare_victory,
    },
    defaults=DEFAULTS,
    turn=turn,
    at_turn=lambda state: state.turn.seat if state.turn else None,
    lap=lambda state: len(state.owners),
    finish=ending.finish,
    fewest=2,
    offers={
        "purchase": purchase.offers,
        "market": market.offers,
        "news": news.offers,
        "production": production.offers,
        "neighbours": production.offers,
        "assets": assets.offers,
    },
    then=warming.lift_warming,
    steps={
        "purchase": purchase.proceed,
        "market": dice.roll_for_ghost,
        "news": news.proceed,
        "dice": dice.proceed,
        "production": production.proceed,
        "neighbours": production.proceed,
    },
)

"""The flow of a game: which phase asks whom, and what happens automatically between two decisions."""

from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.in_turn import in_turn
from mcmulti.domain.mcmulti import absence, commands, instructions, table
from mcmulti.domain.mcmulti.limits import LIMITS
from mcmulti.domain.mcmulti.news import effects as news
from mcmulti.domain.mcmulti.news import warming
from mcmulti.domain.mcmulti.phases import assets, dice, ending, market, operations, production, purchase, selling_out
from mcmulti.domain.mcmulti.state import State


def turn(state: State) -> int:
    """The number of the current turn, from 1; 0 before the first."""
    return state.turn.number if state.turn else 0


FLOW: GameFlow[State] = GameFlow(
    capabilities=(*in_turn(table.opening, selling_out.sell_out, longest=15_000), instructions.INSTRUCTIONS),
    limits=LIMITS,
    carriers={
        commands.StartGame: table.start_game,
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
    defaults=absence.DEFAULTS,
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

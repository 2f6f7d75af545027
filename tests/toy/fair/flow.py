"""How a fair flows: who may do what, and what follows from it."""

from mcmulti.domain.core import every_table
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.offers import Limit
from tests.toy.fair import days, table, trading
from tests.toy.fair.state import Fair

LIMITS = {
    limit.code: limit
    for limit in (
        *every_table.LIMITS,
        Limit("too_few_players", "table/start"),
        Limit("game_over", "fair/close"),
        Limit("out_of_turn", "fair/go"),
        Limit("purse", "fair/buy"),
        Limit("store", "fair/sell"),
        Limit("cart", "fair/cart"),
    )
}

FLOW: GameFlow[Fair] = GameFlow(
    limits=LIMITS,
    carriers={
        StartGame: table.start_game,
        trading.BuyWool: trading.buy_wool,
        trading.SellWool: trading.sell_wool,
        trading.Wait: trading.wait,
    },
    offers={"trading": trading.offers},
    defaults={"trading": lambda state, seat: trading.Wait()},
    steps={"trading": days.proceed},
    round=lambda state: state.day,
    finish=days.close,
)

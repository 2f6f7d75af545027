"""The flow of a fair: who may do what, and what follows from it."""

from mcmulti.domain.core.capabilities.leaving import Leaving
from mcmulti.domain.core.capabilities.rating import Rating
from mcmulti.domain.core.capabilities.rounds import Rounds
from mcmulti.domain.core.capabilities.votes import Votes
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.flow import GameFlow
from mcmulti.domain.core.offers import Limit
from tests.toy.fair import days, table, trading
from tests.toy.fair.state import Fair

LIMITS = {
    limit.code: limit
    for limit in (
        Limit("too_few_players", "table/start"),
        Limit("game_over", "fair/close"),
        Limit("out_of_turn", "fair/go"),
        Limit("purse", "fair/buy"),
        Limit("store", "fair/sell"),
        Limit("cart", "fair/cart"),
    )
}

FLOW: GameFlow[Fair] = GameFlow(
    capabilities=(Leaving(), Votes(), Rounds(number=lambda state: state.day), Rating()),
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
    finish=days.close,
)

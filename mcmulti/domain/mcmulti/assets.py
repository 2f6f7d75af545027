"""Phase 4: buying, selling and cleaning up assets."""

from mcmulti.domain.mcmulti.commands import SellAsset
from mcmulti.domain.mcmulti.components import ECONOMY, KINDS, EconomyName
from mcmulti.domain.mcmulti.ending import offers_end, pass_turn
from mcmulti.domain.mcmulti.events import AssetPhaseBegan, AssetSold
from mcmulti.domain.mcmulti.news import CLEAN_UP_RULE, clean_up_offer, idle_quadrants
from mcmulti.domain.mcmulti.play import Play
from mcmulti.domain.mcmulti.purchase import offers_buying
from mcmulti.domain.mcmulti.sales import selling
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.offers import Offer
from mcmulti.domain.oilfield.hits import productive_assets
from mcmulti.domain.oilfield.quadrant import Quadrant


def begin_assets(play: Play) -> None:
    """The owner of the quadrant at turn comes to its asset phase; the ghost has none (`neighbour/ghost`)."""
    turn = play.state.now
    if turn.seat is None:
        pass_turn(play)
    else:
        play.record(AssetPhaseBegan(turn.seat, turn.quadrant), "turn/phases")


def offers(state: State, seat: int) -> tuple[Offer, ...]:
    """Buy anything that fits, sell what the roll made productive, clean up or sell idle refineries, or end the turn."""
    turn = state.now
    quadrant = state.quadrants[turn.quadrant]
    productive = productive_assets(quadrant, state.lines())
    return (
        *offers_buying(state, seat, turn.quadrant, "assets/buy"),
        *_offers_productive(state.economy, turn.quadrant, productive),
        *_offers_idle(state, seat, productive.refineries),
        *offers_end(state, seat),
    )


def _offers_productive(economy: EconomyName, index: int, productive: Quadrant) -> tuple[Offer, ...]:
    return tuple(
        selling(economy, kind, index, productive.standing(kind), "assets/sell", "not_productive") for kind in KINDS
    )


def _offers_idle(state: State, seat: int, productive: int) -> tuple[Offer, ...]:
    """Idle refineries, in any quadrant of the player's, are cleaned up or sold without a hit."""
    offers = [clean_up_offer(state, seat)]
    for index in idle_quadrants(state, seat):
        idle = state.quadrants[index].idle
        if index == state.now.quadrant:
            idle &= ~productive
        if idle:
            offers.append(selling(state.economy, "refinery", index, idle, CLEAN_UP_RULE, "not_idle"))
    return tuple(offers)


def sell_asset(play: Play, seat: int, command: SellAsset) -> None:
    """Sell at the current sale price, under the rule of the offer that admits it."""
    price = ECONOMY[play.state.economy].sell[command.kind]
    play.record(AssetSold(seat, command.kind, command.site, price), play.rule)

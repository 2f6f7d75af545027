"""Phase 4: buying, selling and cleaning up assets."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.mcmulti.commands import SellAsset
from mcmulti.domain.mcmulti.news.warming import CLEAN_UP_RULE, clean_up_offer, idle_quadrants
from mcmulti.domain.mcmulti.phases.ending import offers_end, pass_turn
from mcmulti.domain.mcmulti.phases.purchase import offers_buying, selling
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.state import Play, State
from mcmulti.domain.oil.names import KINDS, QuadrantNumber, Seat
from mcmulti.domain.oil.rules import assets as common
from mcmulti.domain.oil.rules.board import Lines
from mcmulti.domain.oil.rules.quadrant import productive_assets


class AssetPhaseBegan(Event, frozen=True):
    """The asset phase of a turn began."""

    seat: Seat
    quadrant: QuadrantNumber

    def evolve(self, state: State) -> State:
        return replace(state, phase="assets")


class AssetSold(common.AssetSold, frozen=True):
    """An asset was sold to the bank, possibly to raise money for news."""

    def form(self, say: Phrases) -> Literal["forced"] | None:
        return "forced" if say.forced else None


def begin_assets(play: Play) -> None:
    """The owner of the active quadrant begins its asset phase; the ghost has none (`neighbour/ghost`)."""
    turn = play.state.now
    if turn.seat is None:
        pass_turn(play)
    else:
        play.record(AssetPhaseBegan(turn.seat, turn.quadrant), "turn/phases")


def offers(state: State, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Buy anything that fits, sell what the roll made productive, clean up or sell idle refineries, or end the turn."""
    turn = state.now
    productive = productive_assets(state.quadrants[turn.quadrant], Lines(turn.red, turn.black))
    offers = [*offers_buying(state, seat, turn.quadrant, "assets/buy", complete)]
    sell = state.card.sell
    for kind in KINDS:
        standing = productive.standing(kind)
        if standing or complete:
            offers.append(selling(sell[kind], kind, turn.quadrant, standing, "assets/sell", "not_productive"))
    if state.idle or complete:
        offers += _offers_idle(state, seat, productive.refineries)
    return (*offers, *offers_end(state, seat))


def _offers_idle(state: State, seat: int, productive: int) -> list[Offer]:
    """Clean up or sell idle refineries in any of the player's quadrants. They can be sold without a hit."""
    offers = [clean_up_offer(state, seat)]
    for index in idle_quadrants(state, seat):
        idle = state.quadrants[index].idle
        if index == state.now.quadrant:
            idle &= ~productive
        if idle:
            offers.append(selling(state.card.sell["refinery"], "refinery", index, idle, CLEAN_UP_RULE, "not_idle"))
    return offers


def sell_asset(play: Play, seat: int, command: SellAsset, offer: Offer) -> None:
    """Sell at the current sale price, in any phase that allows it."""
    play.record(AssetSold(seat, command.kind, command.site, offer.cost), offer.rule)

"""Phase 2, first half: the production roll, the difference track, the economy."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.mcmulti.commands import RollDice
from mcmulti.domain.mcmulti.components import ECONOMY, ECONOMY_CHANGES_AT
from mcmulti.domain.mcmulti.news.consumer import ConsumerPriceMoved
from mcmulti.domain.mcmulti.news.effects import double
from mcmulti.domain.mcmulti.news.track import by_red_fields
from mcmulti.domain.mcmulti.phases.production import begin_production
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.state import Play, State
from mcmulti.domain.oil import turn as common
from mcmulti.domain.oil.names import EconomyName


class DiceRolled(common.DiceRolled, frozen=True):
    """The production roll, the ghost's if the seat is None."""

    def evolve(self, state: State) -> State:
        turn = replace(state.now, red=self.red.value, black=self.black.value)
        return replace(state, phase="dice", turn=turn, draws=self.black.number)

    def form(self, say: Phrases) -> Literal["plain", "double", "ghost", "ghost_double"]:
        double = self.red.value == self.black.value
        if self.seat is None:
            return "ghost_double" if double else "ghost"
        return "double" if double else "plain"


class DifferenceAdvanced(Event, frozen=True):
    """The difference track advanced `by` the difference of the dice, `to` its new place."""

    by: Count
    to: Count

    def evolve(self, state: State) -> State:
        return replace(state, difference=self.to)

    def form(self, say: Phrases) -> Literal["on", "stays"]:
        return "on" if self.by else "stays"


class EconomyChanged(Event, frozen=True):
    """The green die named the next economy card; the difference track went back to 0."""

    green: Draw
    before: EconomyName
    after: EconomyName

    def evolve(self, state: State) -> State:
        return replace(state, economy=self.after, difference=0, draws=self.green.number)

    def form(self, say: Phrases) -> Literal["turns", "stays"]:
        return "stays" if self.before == self.after else "turns"


def roll_dice(play: Play, seat: int, command: RollDice, offer: Offer) -> None:
    _roll(play)


def roll_for_ghost(play: Play) -> None:
    """The ghost has no market phase, so its dice are rolled at once (`neighbour/ghost`)."""
    if play.state.now.seat is None:
        _roll(play)


def _roll(play: Play) -> None:
    red, black = play.draw(), play.draw()
    play.record(DiceRolled(play.state.now.seat, red, black), "dice/production-roll")
    if red.value == black.value:
        double(play, red.value)


def proceed(play: Play) -> None:
    """After the news: the difference, the economy, then production."""
    turn = play.state.now
    by = abs(turn.red - turn.black)
    to = play.state.difference + by
    play.record(DifferenceAdvanced(by, to), "dice/difference")
    if to >= ECONOMY_CHANGES_AT:
        _change_economy(play)
    begin_production(play)


def _change_economy(play: Play) -> None:
    before = play.state.economy
    green = play.draw()
    after = ECONOMY[before].next[green.value - 1]
    play.record(EconomyChanged(green, before, after), "economy/change")
    price = play.state.consumer_price
    moved = by_red_fields(play.state.setup.consumer_track, price, ECONOMY[after].demand)
    removed = play.state.consumer_barrels - 1
    if removed or moved != price:
        play.record(ConsumerPriceMoved(price, moved, removed), "economy/change")

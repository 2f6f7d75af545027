"""Phase 2, first half: the production roll, the difference track, the economy."""

from mcmulti.domain.mcmulti.commands import RollDice
from mcmulti.domain.mcmulti.components import ECONOMY, ECONOMY_CHANGES_AT
from mcmulti.domain.mcmulti.consumer import by_red_fields
from mcmulti.domain.mcmulti.events import ConsumerPriceMoved, DiceRolled, DifferenceAdvanced, EconomyChanged
from mcmulti.domain.mcmulti.news import double
from mcmulti.domain.mcmulti.play import Play
from mcmulti.domain.mcmulti.production import begin_production


def roll_dice(play: Play, seat: int, command: RollDice) -> None:
    _roll(play)


def roll_for_ghost(play: Play) -> None:
    """The ghost has no market phase; its dice are rolled at once (`neighbour/ghost`)."""
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
    moved = by_red_fields(price, ECONOMY[after].demand)
    removed = play.state.consumer_barrels - 1
    if removed or moved != price:
        play.record(ConsumerPriceMoved(price, moved, removed), "economy/change")

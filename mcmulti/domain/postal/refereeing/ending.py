"""The end: the first to have the target in cash wins at once; at a standstill the most cash wins."""

from mcmulti.domain.core.table import reveal_seed
from mcmulti.domain.oil.rules import ending as common
from mcmulti.domain.oil.rules.ending import DecidedBy
from mcmulti.domain.postal.components import CLIMATES, STANDSTILL, TARGET
from mcmulti.domain.postal.phrases import Phrases
from mcmulti.domain.postal.state import Play, State


class GameFinished(common.GameFinished, frozen=True):
    """The game is over: a player had the target, or it stood still."""

    def evolve(self, state: State) -> State:
        return self.finished(state)

    def form(self, say: Phrases) -> DecidedBy:
        return self.decided_by

    def target(self, say: Phrases) -> str:
        """The cash that wins at once."""
        return say.money(TARGET)


def finish_if_won(play: Play, seat: int) -> None:
    """End the game if the seat, which is the only one just paid, has the target (`postal/target`).

    Players who left cannot win.
    """
    if play.state.players[seat].cash >= TARGET and seat in play.state.taken:
        play.record(GameFinished(common.ranked(play.state, seat), (seat,), "target"), "postal/target")


def finish_if_still(play: Play) -> None:
    """End the game after a round if nothing changed in it and those before it (`table/standstill`)."""
    if common.stands_still(play.state, STANDSTILL):
        play.record(common.GameStoodStill(STANDSTILL), "table/standstill")
        rank(play, "table/standstill")


def rank(play: Play, rule: str) -> None:
    """Make the final sale and the standings, under this rule."""
    common.liquidate(play, CLIMATES["depression"].sell, rule)
    play.record(GameFinished(*common.richest(play.state)), rule)


def finish(play: Play, rule: str) -> None:
    """End the game now (`table/last`, `table/propose-end`)."""
    rank(play, rule)
    reveal_seed(play)


def over(play: Play) -> bool:
    """Whether the game has ended, so that nothing is carried out anymore."""
    return play.state.phase == "over"

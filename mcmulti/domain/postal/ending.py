"""The end: the first to have the target in cash wins at once; at a standstill most cash wins."""

from mcmulti.domain.oil.ending import settle, stands_still
from mcmulti.domain.oil.events import GameFinished, GameStoodStill
from mcmulti.domain.oil.state import Standing
from mcmulti.domain.postal.components import CLIMATES, STANDSTILL, TARGET
from mcmulti.domain.postal.play import Play
from mcmulti.domain.postal.state import State


def finish_if_won(play: Play, seat: int) -> None:
    """End the game if the seat, which alone has just been paid, has the target (`postal/target`)."""
    if play.state.players[seat].cash >= TARGET:
        play.record(GameFinished(_standings(play.state, seat), (seat,), "target"), "postal/target")


def finish_if_still(play: Play) -> None:
    """End the game after a round if nothing changed in it and those before it (`table/standstill`)."""
    if stands_still(play.state, STANDSTILL):
        play.record(GameStoodStill(STANDSTILL), "table/standstill")
        settle(play, CLIMATES["depression"].sell, "table/standstill", "table/standstill")


def over(play: Play) -> bool:
    """Whether the game has ended: nothing is carried out any more."""
    return play.state.phase == "over"


def _standings(state: State, winner: int) -> tuple[Standing, ...]:
    """The winner, then the others by cash, then by barrels; equals share a rank."""
    worth = {
        seat: (seat == winner, player.cash, player.crude + player.gasoline) for seat, player in enumerate(state.players)
    }
    return tuple(
        Standing(seat, 1 + sum(other > worth[seat] for other in worth.values()), *worth[seat][1:])
        for seat in sorted(worth, key=lambda seat: worth[seat], reverse=True)
    )

"""The end: the first to have the target in cash wins at once."""

from collections.abc import Iterable

from mcmulti.domain.oilfield.events import GameFinished, SeedRevealed
from mcmulti.domain.oilfield.state import Standing
from mcmulti.domain.postal.components import TARGET
from mcmulti.domain.postal.play import Play
from mcmulti.domain.postal.state import State


def finish_if_won(play: Play, seats: Iterable[int]) -> bool:
    """End the game if one of the seats has the target; the first of them wins (`postal/target`)."""
    winner = next((seat for seat in seats if play.state.players[seat].cash >= TARGET), None)
    if winner is None:
        return False
    play.record(GameFinished(_standings(play.state, winner), (winner,), "target"), "postal/target")
    play.record(SeedRevealed(play.chance.reveal()), "chance/reveal")
    return True


def _standings(state: State, winner: int) -> tuple[Standing, ...]:
    """The winner, then the others by cash, then by barrels; equals share a rank."""
    worth = {
        seat: (seat == winner, player.cash, player.crude + player.gasoline) for seat, player in enumerate(state.players)
    }
    return tuple(
        Standing(seat, 1 + sum(other > worth[seat] for other in worth.values()), *worth[seat][1:])
        for seat in sorted(worth, key=lambda seat: worth[seat], reverse=True)
    )

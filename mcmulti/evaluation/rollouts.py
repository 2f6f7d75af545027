"""Rollouts: fast players play a position on with imagined dice; the result is each seat's share of the victory."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from mcmulti.evaluation.learned import Horizon, horizon_of
from mcmulti.evaluation.policy import MOST_DECISIONS, RolloutPlayers
from mcmulti.library.state import State

VictoryShares = tuple[float, ...]
"""Each seat's share of the victory, 0 to 1: as it is at the end of a game, as expected before."""


def dice_numbered(seed: int, number: int) -> bytes:
    """The seed of dice and players in rollout `number`: the same for all positions and moves that are compared."""
    return sha256(f"mcmulti evaluation\n{seed}\n{number}\n".encode()).digest()


def rolled_out(start: State, dice: bytes) -> VictoryShares:
    """Play a position on. The game's own dice and seed have no influence."""
    return _played_on(start.redraw(dice), horizon_of(start), dice)


def rolled_out_after(start: State, action: Any, player: int, dice: bytes) -> VictoryShares:
    """Play on after an action of a seat, to the same horizon and with the same dice as `rolled_out`.

    Raises like `State.apply_action`.
    """
    return rolled_out_along(start, (action,), player, dice)


def rolled_out_along(start: State, actions: Sequence[Any], player: int, dice: bytes) -> VictoryShares:
    """Play on after some actions of a seat, one after the other, like `rolled_out_after`."""
    state = start.redraw(dice)
    for action in actions:
        state.apply_action(action, player)
    return _played_on(state, horizon_of(start), dice)


def shares_of(state: State) -> VictoryShares:
    """Each seat's share of the victory in a game that is over."""
    winners = state.winners()
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(state.game.num_players()))


def _played_on(state: State, horizon: Horizon, dice: bytes) -> VictoryShares:
    players = RolloutPlayers(state.game, int.from_bytes(dice[:4]) >> 1)
    for _ in range(MOST_DECISIONS):
        if state.is_terminal():
            return shares_of(state)
        if (shares := horizon(state)) is not None:
            return shares
        players.move(state)
    return (0.0,) * state.game.num_players()

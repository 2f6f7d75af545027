"""Learned values: rollouts end early where a network knows how likely each seat is to win."""

from collections.abc import Callable
from pathlib import Path

from mcmulti.bots.strategies.magnate.features import features
from mcmulti.bots.strategies.magnate.network import chance_of, council
from mcmulti.library.state import State

Horizon = Callable[[State], tuple[float, ...] | None]
"""The chance of each seat if a rollout can end in this position, else None."""


WEIGHTS = Path(__file__).with_name("weights.json")
"""Of the networks for the box game. ``make weights`` makes them."""


def horizon_of(start: State) -> Horizon:
    """Where rollouts from this position end. Without a learned value, only with the game."""
    make = _LEARNED.get(start.game.name)
    return _never if make is None else make(start)


def is_learned(ruleset: str) -> bool:
    """Whether there is a learned value for a rule set."""
    return ruleset in _LEARNED


def _never(state: State) -> None:
    return None


def _box_game(start: State) -> Horizon:
    """After a round: at the beginning of a turn, when every seat has rolled the dice. The network was trained there.

    The end moves on with the dice alone: the options of a decision are compared at the same distance. A table that a
    player left is played to the end, since the network has never seen one.
    """
    turn = start.table.turn
    until = start.game.num_players() + (1 if turn is None else turn.number + bool(turn.red))

    weighing = council(WEIGHTS)

    def horizon(state: State) -> tuple[float, ...] | None:
        table = state.table
        if table.phase != "market" or table.turn.number < until or table.turn.market is not None:
            return None
        if None in table.player_ids:
            return None
        chances = [chance_of(weighing(features(table, seat, rolls=False))) for seat in range(len(table.players))]
        total = sum(chances)
        return tuple(chance / total for chance in chances) if total else None

    return horizon


_LEARNED: dict[str, Callable[[State], Horizon]] = {"mcmulti": _box_game}

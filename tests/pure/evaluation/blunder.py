"""A game of two tycoons, one of which ends its turn when it could have declared victory."""

from typing import Any

from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.domain.mcmulti.commands import DeclareVictory, EndTurn
from mcmulti.evaluation.policy import wanted
from mcmulti.library.game import load_game
from mcmulti.library.record import Record


def game_with_a_blunder(seed: int) -> tuple[Record, int, int]:
    """The game, the seat that blundered, and the number of the last event of the blunder."""
    state = load_game("mcmulti", seats=2).new_initial_state(seed=seed, names=["Ann", "Bob"])
    culprit, blunder = -1, 0
    while not state.is_terminal():
        seat = state.current_player()
        for action in wanted(tycoon, state, seat):
            planted = culprit < 0 and isinstance(action, DeclareVictory)
            played: Any = EndTurn() if planted else action
            state.apply_action(played, seat)
            if planted:
                culprit, blunder = seat, len(state.events())
    return state.record(), culprit, blunder

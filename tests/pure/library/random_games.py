"""Games of random actions in the library."""

from collections.abc import Iterator
from random import Random

import mcmulti
from mcmulti import State

NAMES = mcmulti.registered_games()


def random_game(state: State, seed: int, most: int = 10_000) -> Iterator[State]:
    """The state before each action of a random game, and the last one; it is the same object, which goes on."""
    random = Random(seed)
    for _ in range(most):
        yield state
        if state.is_terminal():
            return
        state.apply_action(random.choice(state.legal_actions()))

"""Games of random actions in the library."""

from collections.abc import Iterator
from random import Random

import mcmulti
from mcmulti import State
from tests.profiles import profile_of

NAMES = mcmulti.registered_games()


def random_game(state: State, seed: int, most: int = 10_000) -> Iterator[State]:
    """The state before each action of a random game, and the last one. It is one object, which changes."""
    random = Random(seed)
    for _ in range(most):
        yield state
        if state.is_terminal():
            return
        state.apply_action(random.choice(state.legal_actions()))


def middle(name: str) -> State:
    """A running game that has been played for a while."""
    state = mcmulti.load_game(name).new_initial_state(seed=3)
    for number, now in enumerate(random_game(state, 3)):
        if number >= profile_of(name).middle and not now.is_terminal():
            return now
    raise AssertionError("it ended too early")

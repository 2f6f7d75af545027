"""Random games in environments."""

from collections.abc import Iterator
from random import Random

from mcmulti import training
from mcmulti.domain.rulesets import CURRENT
from mcmulti.training.aec import Seen, TurnsEnv
from mcmulti.training.layout import Vector

NAMES = tuple(CURRENT)


def any_of(random: Random, mask: Vector) -> int:
    """A legal action, according to the mask."""
    return int(random.choice(mask.nonzero()[0]))


def moments(env: TurnsEnv, seed: int, most: int = 300) -> Iterator[Seen]:
    """Play at random. Stop before each action and yield the observation of the agent to move."""
    random = Random(seed)
    env.reset(seed=seed)
    for _ in range(most):
        seen, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return
        assert seen is not None
        yield seen
        env.step(any_of(random, seen["action_mask"]))


def played(name: str, seed: int, most: int = 300, **options: object) -> TurnsEnv:
    """An environment after a random game."""
    env = training.env(name, **options)  # type: ignore[arg-type]
    for _ in moments(env, seed, most):
        pass
    return env

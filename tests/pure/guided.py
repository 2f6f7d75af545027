"""The example turn of a game's guide."""

from mcmulti import State
from mcmulti.api.readings.guides import example_states
from mcmulti.domain.core.wording.introduction import example_of
from mcmulti.domain.rulesets import CURRENT


def after_the_example(name: str) -> State:
    """The position after the example turn of a game."""
    example = example_of(CURRENT[name])
    assert example is not None
    return example_states(example)[-1]

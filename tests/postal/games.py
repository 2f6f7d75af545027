"""Whole random games by post."""

from collections.abc import Iterator
from random import Random

from mcmulti.domain.chance import SeededChance
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.commands import CloseRound
from mcmulti.domain.postal.setup import PostalSetup
from mcmulti.domain.postal.state import State
from mcmulti.simulation import Step, carry_on, set_up, take
from tests.postal.sheets import fill, mostly_orders


def random_steps(seed: int, most_steps: int = 400) -> Iterator[Step]:
    """A game; now and then the deadline of a round passes before all sheets are in."""
    random = Random(seed)
    chance = chance_of(seed)
    for latest in set_up(RULESET, PostalSetup(), game_id(seed), chance):
        yield latest
    for _ in range(most_steps):
        state: State = latest.state
        if state.phase == "over":
            return
        if random.random() < 0.05:
            latest = take(RULESET, state, None, CloseRound(state.round), chance)
        else:
            (latest,) = carry_on(RULESET, state, chance, random, mostly_orders, 1, fill)
        yield latest


def chance_of(seed: int) -> SeededChance:
    """The chance that a game is played with; the seed is below 256."""
    return SeededChance(bytes([seed] * 32), game_id(seed))


def game_id(seed: int) -> str:
    return f"00000000-0000-4000-8000-{seed:012x}"

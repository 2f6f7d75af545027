"""Random games in which time passes: players take long, are granted time, or let it run out."""

from collections.abc import Iterator
from random import Random
from typing import Any, TypeVar

from msgspec.structs import replace

from mcmulti.domain.core.capabilities.clock import Clock, GrantTime, TimeOut, UseBank, bank
from mcmulti.domain.core.chance import Chance, SeededChance
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import Table
from mcmulti.library.steps import Step, set_up, take
from mcmulti.simulation import carry_on

T = TypeVar("T", bound=Table)

CLOCK = Clock(60, bank_seconds=600, misses=100)


def timed(state: T, move_seconds: int = 60, **clock: int) -> T:
    """The same situation in a game with a clock."""
    setup = replace(state.setup, clock=Clock(move_seconds, **clock))
    return replace(state, setup=setup)


def timed_game(ruleset: Ruleset[Any], seats: int, seed: int, clock: Clock = CLOCK, often: int = 12) -> Iterator[Step]:
    """A random game with clocks. One command in `often` is the server's, or grants time."""
    random = Random(seed)
    game_id = f"00000000-0000-4000-8000-{seed:012x}"
    chance = SeededChance(random.randbytes(32), game_id)
    latest = None
    for latest in set_up(ruleset, ruleset.setup(seats=seats, clock=clock), game_id, chance):
        yield latest
    assert latest is not None
    while ruleset.to_move(latest.state):
        if random.randrange(often):
            (latest,) = carry_on(ruleset, latest.state, chance, random, most_steps=1)
        else:
            latest = _timed(ruleset, latest.state, chance, random)
        yield latest


def _timed(ruleset: Ruleset[Any], state: Any, chance: Chance, random: Random) -> Step:
    """What the clocks of a running game lead to."""
    (asked,) = ruleset.to_move(state)
    left, other = bank(state, asked), random.randrange(len(state.player_ids))
    if left and random.random() < 0.3:
        return take(ruleset, state, None, UseBank(random.randint(1, left)), chance)
    if any(offer.command == "GrantTime" for offer in ruleset.besides(state, other)):
        return take(ruleset, state, other, GrantTime(asked), chance)
    return take(ruleset, state, None, TimeOut(), chance)

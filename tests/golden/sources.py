"""Random games with the optional features of tables, for golden games of any rule set."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, islice
from random import Random
from typing import Any

import msgspec

from mcmulti.domain.core.capabilities.clock import BankUsed, MissesForgiven, TimeGranted
from mcmulti.domain.core.capabilities.leaving import SeatVacated, SubstituteSatDown
from mcmulti.domain.core.capabilities.undo.trail import MovesTakenBack, TakeBackAnswered
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.rulesets import CURRENT
from mcmulti.library.steps import Step, set_up
from mcmulti.simulation import carry_on, play
from tests.pure.properties.leaving_games import leaving_game
from tests.pure.properties.random_games import seats_of
from tests.sociable import sociable_game
from tests.timed import timed_game

Source = Callable[[], Iterator[list[Step]]]
Wanted = Callable[[list[Step]], bool]
Games = dict[str, tuple[Source, Wanted]]
"""Golden games by name: where they come from, and which one is wanted."""
SHORT = 250
"""Commands. Longer games are skipped to keep the files small."""
TIMED = 700
"""The same in games with clocks."""
FEW = 500
"""The same in events, in games that people leave."""


def games_of_any(name: str) -> Games:
    """The golden games of a rule set that has none of its own: for each number of players, and each option."""
    found: Games = {f"{name}-{seats}-players": (partial(random_games, name, seats), won) for seats in seats_of(name)}
    offered, least = {field.name for field in msgspec.structs.fields(CURRENT[name].setup)}, seats_of(name)[0]
    if len(seats_of(name)) > 1:
        found[f"{name}-fewer-players"] = (partial(fewer, name, 0, seats_of(name)[-1]), won)
    if "clock" in offered:
        found[f"{name}-clock"] = (partial(timed_games, name, least), all_of_clocks)
    if "undo" in offered:
        found[f"{name}-undo"] = (partial(sociable_games, name, least), undone)
    if "if_left" in offered:
        found[f"{name}-substitute"] = (partial(left_games, name), substituted)
        found[f"{name}-house"] = (partial(left_games, name), kept)
    return found


def random_games(name: str, seats: int) -> Iterator[list[Step]]:
    """Random games with this many players."""
    ruleset = CURRENT[name]
    for seed in count():
        yield list(play(ruleset, ruleset.setup(seats=seats), seed, most_steps=SHORT))


def sociable_games(name: str, seats: int) -> Iterator[list[Step]]:
    """Random games in which moves are taken back."""
    ruleset = CURRENT[name]
    for seed in count():
        yield list(sociable_game(ruleset, ruleset.setup(seats=seats, undo="agreed"), seed))


def fewer(name: str, absent: int, seats: int = 4) -> Iterator[list[Step]]:
    """Random games that start with one seat empty."""
    ruleset = CURRENT[name]
    for seed in count():
        random, game_id = Random(seed), f"00000000-0000-4000-8000-{seed:012x}"
        chance = SeededChance(random.randbytes(32), game_id)
        opening = list(set_up(ruleset, ruleset.setup(seats=seats), game_id, chance, (absent,)))
        yield [*opening, *carry_on(ruleset, opening[-1].state, chance, random, most_steps=SHORT)]


def timed_games(name: str, seats: int) -> Iterator[list[Step]]:
    """Short games with clocks, in which time often runs out, is granted, or is taken from a bank."""
    for seed in count():
        yield list(islice(timed_game(CURRENT[name], seats, seed, often=5), TIMED))


def left_games(name: str) -> Iterator[list[Step]]:
    """Games that people leave, from the first seed on."""
    for seed in count():
        yield list(leaving_game(name, seed, SHORT, as_usual=True))


def won(steps: list[Step]) -> bool:
    """It came to its end."""
    return bool(steps[-1].state.status == "finished")


def undone(steps: list[Step]) -> bool:
    """A move was taken back, and the game came to its end."""
    return won(steps) and MovesTakenBack in happened(steps)


def taken_back(steps: list[Step]) -> bool:
    """Players took back their own moves, and others' by unanimous consent.

    A consent was refused. The game came to its end.
    """
    commands = {type(step.command).__name__ for step in steps if _events(step, MovesTakenBack)}
    answers = {event.accepted for step in steps for event in _events(step, TakeBackAnswered)}
    return won(steps) and len(commands) == len(answers) == 2


def all_of_clocks(steps: list[Step]) -> bool:
    """Everything that clocks lead to happened, and the game is over."""
    return {BankUsed, TimeGranted, MissesForgiven, MovedUnasked, SeedRevealed} <= happened(steps)


def substituted(steps: list[Step]) -> bool:
    """One player resigned, another took the seat, and the game came to an end."""
    agreed = steps[-1].state.setup.if_left == "substitute"
    return agreed and _short(steps) and SubstituteSatDown in happened(steps)


def kept(steps: list[Step]) -> bool:
    """A house bot played until the player who left was back, and the game came to an end."""
    whys = {event.why for step in steps for event in _events(step, SeatVacated)}
    return _short(steps) and "returned" in whys


def happened(steps: list[Step]) -> set[type[object]]:
    """The types of all events."""
    return {type(fact.event) for step in steps for fact in step.facts}


def _short(steps: list[Step]) -> bool:
    return won(steps) and sum(len(step.facts) for step in steps) < FEW


def _events(step: Step, kind: type[Any]) -> list[Any]:
    return [fact.event for fact in step.facts if isinstance(fact.event, kind)]

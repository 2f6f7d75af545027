"""Golden games with the optional features of tables."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from random import Random
from typing import Any

from mcmulti.domain.core.capabilities.undo.trail import MovesTakenBack, TakeBackAnswered
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.mcmulti.commands import Instruct
from mcmulti.domain.mcmulti.standing_orders import OperatingOrders
from mcmulti.domain.rulesets import CURRENT
from mcmulti.library.steps import Step, set_up, take
from mcmulti.simulation import carry_on
from tests.sociable import sociable_game

SHORT = 250
"""Commands."""
SEATS = {"mcmulti": 2, "millionenspiel": 3, "marracash": 3}


def games(name: str) -> Iterator[list[Step]]:
    """Random games in which moves are taken back."""
    ruleset = CURRENT[name]
    for seed in count():
        yield list(sociable_game(ruleset, ruleset.setup(seats=SEATS[name], undo="agreed"), seed))


def fewer(name: str, absent: int) -> Iterator[list[Step]]:
    """Random games that start with one of four seats empty."""
    ruleset = CURRENT[name]
    for seed in count():
        random, game_id = Random(seed), f"00000000-0000-4000-8000-{seed:012x}"
        chance = SeededChance(random.randbytes(32), game_id)
        opening = list(set_up(ruleset, ruleset.setup(seats=4), game_id, chance, (absent,)))
        yield [*opening, *carry_on(ruleset, opening[-1].state, chance, random, most_steps=SHORT)]


def instructed() -> Iterator[list[Step]]:
    """Random games in which a seat set instructions before the first turn for others' turns."""
    ruleset = CURRENT["mcmulti"]
    for seed in count():
        random, game_id = Random(seed), f"00000000-0000-4000-8000-{seed:012x}"
        chance = SeededChance(random.randbytes(32), game_id)
        opening = list(set_up(ruleset, ruleset.setup(seats=3, instructions=5), game_id, chance))
        orders = OperatingOrders(sell_from=20, pump=True)
        opening.append(take(ruleset, opening[-1].state, 1, Instruct(orders), chance))
        yield [*opening, *carry_on(ruleset, opening[-1].state, chance, random, most_steps=SHORT)]


def won(steps: list[Step]) -> bool:
    """It came to its end."""
    return bool(steps[-1].state.status == "finished")


def taken_back(steps: list[Step]) -> bool:
    """Players took back their own moves, and others' by unanimous consent.

    A consent was refused. The game came to its end.
    """
    commands = {type(step.command).__name__ for step in steps if _events(step, MovesTakenBack)}
    answers = {event.accepted for step in steps for event in _events(step, TakeBackAnswered)}
    return steps[-1].state.status == "finished" and len(commands) == len(answers) == 2


def _events(step: Step, kind: type[Any]) -> list[Any]:
    return [fact.event for fact in step.facts if isinstance(fact.event, kind)]


GAMES: dict[str, tuple[Callable[[], Iterator[list[Step]]], Callable[[list[Step]], bool]]] = {
    **{f"{name}-undo": (partial(games, name), taken_back) for name in SEATS},
    "instructions": (instructed, won),
    "millionenspiel-fewer-players": (partial(fewer, "millionenspiel", 2), won),
    "fewer-players": (partial(fewer, "mcmulti", 1), won),
    "marracash-fewer-players": (partial(fewer, "marracash", 0), won),
}
"""The source of games, and which of them is wanted."""

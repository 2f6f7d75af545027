"""Golden games of what every table offers beside the game."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any

from mcmulti.domain.core.takeback import MovesTakenBack, TakeBackAnswered
from mcmulti.domain.rulesets import CURRENT
from mcmulti.simulation import Step
from tests.sociable import sociable_game

SEATS = {"mcmulti": 2, "millionenspiel": 3, "marracash": 3}


def games(name: str) -> Iterator[list[Step]]:
    """Random games in which moves are taken back."""
    ruleset = CURRENT[name]
    for seed in count():
        yield list(sociable_game(ruleset, ruleset.setup(seats=SEATS[name], undo="agreed"), seed))


def taken_back(steps: list[Step]) -> bool:
    """One's own moves were, and others' because all agreed; somebody did not agree; the game came to its end."""
    commands = {type(step.command).__name__ for step in steps if _events(step, MovesTakenBack)}
    answers = {event.accepted for step in steps for event in _events(step, TakeBackAnswered)}
    return steps[-1].state.status == "finished" and len(commands) == len(answers) == 2


def _events(step: Step, kind: type[Any]) -> list[Any]:
    return [fact.event for fact in step.facts if isinstance(fact.event, kind)]


GAMES: dict[str, tuple[Callable[[], Iterator[list[Step]]], Callable[[list[Step]], bool]]] = {
    f"{name}-undo": (partial(games, name), taken_back) for name in SEATS
}
"""Where games come from, and which of them is wanted."""

"""The course of a game: what could be read off it at the end of each turn, and the dice that fell."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from mcmulti.domain.core.gauges import Gauges
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.codec import event_decoder, opened_with
from mcmulti.events.envelope import Recorded
from mcmulti.projections.fairness import FACES


class Stage(NamedTuple):
    """The gauges at the end of a turn, or after the last event there is; turn 0 is all that came before the first."""

    turn: int
    gauges: Gauges


class Course(NamedTuple):
    """A game from beginning to end. `names` are the players' by seat, `faces` how often each die showed 1 to 6."""

    ruleset: Ruleset[Any]
    names: tuple[str | None, ...]
    stages: tuple[Stage, ...]
    faces: dict[str, list[int]]


def course(events: Iterable[Recorded]) -> Course:
    """The course of a game, from its first event on. Raises `UnknownRuleset`, and ValueError without any event."""
    ruleset: Ruleset[Any] | None = None
    state: Any = None
    turn = 0
    stages: list[Stage] = []
    faces: defaultdict[str, list[int]] = defaultdict(lambda: [0] * FACES)
    for event in events:
        if ruleset is None:
            ruleset = opened_with(event)
            decode = event_decoder(ruleset.name, ruleset.version)
        happened = decode(event.data)
        for die in ruleset.dice.thrown(happened):
            faces[die.name][die.face - 1] += 1
        before, state = state, ruleset.evolve(state, happened)
        now = ruleset.turn(state)
        if now != turn:
            stages.append(Stage(turn, ruleset.books.gauges(before)))
            turn = now
    if ruleset is None:
        raise ValueError("a game without events has no course")
    stages.append(Stage(turn, ruleset.books.gauges(state)))
    return Course(ruleset, ruleset.outcome(state).names, tuple(stages), dict(faces))

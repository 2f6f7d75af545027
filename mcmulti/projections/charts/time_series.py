"""A game as time series: what could be read off it at the end of each turn, and the dice that fell."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.shown.gauges import Gauges
from mcmulti.domain.core.table import NOBODY, Called, presented
from mcmulti.events.log.codec import event_decoder, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.proof.fairness import FACES


class Reading(NamedTuple):
    """The gauges at the end of a turn, or after the last event there is; turn 0 is all that came before the first.

    `luck`: by seat what its dice had brought up to then, of all kinds, in percent of the average.
    """

    turn: int
    gauges: Gauges
    luck: Mapping[int, int]


class TimeSeries(NamedTuple):
    """A game from beginning to end. `names` are the players' by seat, `faces` how often each die showed 1 to 6.

    `goal`: how much money is to be reached, None if there is no such sum.
    """

    ruleset: Ruleset[Any]
    names: tuple[str | None, ...]
    readings: tuple[Reading, ...]
    faces: dict[str, list[int]]
    goal: int | None


def time_series(events: Iterable[Recorded], called: Called = NOBODY) -> TimeSeries:
    """The time series of a game, from its first event on. Raises `UnknownRuleset`, and ValueError without any event."""
    ruleset: Ruleset[Any] | None = None
    state: Any = None
    turn = 0
    readings: list[Reading] = []
    faces: defaultdict[str, list[int]] = defaultdict(lambda: [0] * FACES)
    brought: Counter[int] = Counter()
    average: defaultdict[int, float] = defaultdict(float)

    def luck() -> dict[int, int]:
        return {seat: round(100 * brought[seat] / expected) for seat, expected in average.items() if expected}

    for event in events:
        if ruleset is None:
            ruleset = opened_with(event)
            decode = event_decoder(ruleset.name, ruleset.version)
        happened = decode(event.data)
        for die in ruleset.dice.thrown(happened):
            faces[die.name][die.face - 1] += 1
        for lucky in ruleset.dice.luck(state, happened) if state is not None else ():
            brought[lucky.seat] += lucky.actual
            average[lucky.seat] += lucky.expected / lucky.ways
        before, state = state, presented(ruleset.evolve(state, happened), called)
        now = ruleset.turn(state)
        if now != turn:
            readings.append(Reading(turn, ruleset.books.gauges(before), luck()))
            turn = now
    if ruleset is None:
        raise ValueError("a game without events has no time_series")
    readings.append(Reading(turn, ruleset.books.gauges(state), luck()))
    goal = None if ruleset.picture is None else ruleset.picture(state, "en").goal
    return TimeSeries(ruleset, ruleset.outcome(state).names, tuple(readings), dict(faces), goal)

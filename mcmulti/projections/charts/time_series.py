"""A game as time series: its gauges at the end of each turn, and its dice."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.shown.gauges import Gauges
from mcmulti.domain.core.table import NOBODY, Called, presented
from mcmulti.events.log.codec import event_decoder, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.projections.fold import Fold, Growing
from mcmulti.projections.proof.fairness import by_die

READING = 3_000
"""Approximate bytes of a reading."""


class Reading(NamedTuple):
    """The gauges at the end of a turn, or after the latest event; turn 0 is everything before the first turn.

    `luck`: by seat, what its dice had brought up to then, of all kinds, in percent of the average.
    """

    turn: int
    gauges: Gauges
    luck: Mapping[int, int]


class TimeSeries(NamedTuple):
    """A game from beginning to end. `names`: the players' names by seat. `faces`: how often each die showed 1 to 6.

    `goal`: the amount of money to be reached, None if there is none.
    """

    ruleset: Ruleset[Any]
    names: tuple[str | None, ...]
    readings: tuple[Reading, ...]
    faces: dict[str, list[int]]
    goal: int | None


class Curves(Fold):
    """A game as time series, collected event by event."""

    def __init__(self) -> None:
        self._ruleset: Ruleset[Any] | None = None
        self._state: Any = None
        self._turn = 0
        self._readings: Growing[Reading] = Growing()
        self._thrown: Counter[tuple[str, int]] = Counter()
        self._brought: Counter[int] = Counter()
        self._average: defaultdict[int, float] = defaultdict(float)

    @property
    def shared(self) -> int:
        return READING * len(self._readings)

    def step(self, events: Iterable[Recorded], now: Position | None = None) -> None:
        """Raises `UnknownRuleset`."""
        for event in events:
            self._add(event)

    def _add(self, event: Recorded) -> None:
        ruleset = self._ruleset = self._ruleset or opened_with(event)
        happened = event_decoder(ruleset.name, ruleset.version)(event.data)
        for die in ruleset.dice.thrown(happened):
            self._thrown[die.name, die.face] += 1
        before = self._state
        for lucky in ruleset.dice.luck(before, happened) if before is not None else ():
            self._brought[lucky.seat] += lucky.actual
            self._average[lucky.seat] += lucky.expected / lucky.ways
        self._state = ruleset.evolve(before, happened)
        turn = ruleset.turn(self._state)
        if turn != self._turn:
            self._readings.append(Reading(self._turn, ruleset.books.gauges(before), self._luck()))
            self._turn = turn

    def _luck(self) -> dict[int, int]:
        return {
            seat: round(100 * self._brought[seat] / expected) for seat, expected in self._average.items() if expected
        }

    def series(self, called: Called = NOBODY) -> TimeSeries:
        """The game so far; `called`: the players' names. Raises ValueError if there are no events."""
        if self._ruleset is None:
            raise ValueError("a game without events has no time series")
        ruleset, state = self._ruleset, presented(self._state, called)
        last = Reading(self._turn, ruleset.books.gauges(state), self._luck())
        goal = None if ruleset.picture is None else ruleset.picture(state, "en").goal
        return TimeSeries(ruleset, ruleset.outcome(state).names, (*self._readings, last), by_die(self._thrown), goal)


def time_series(events: Iterable[Recorded], called: Called = NOBODY) -> TimeSeries:
    """The time series of a game, from its first event on. Raises `UnknownRuleset`, and ValueError if there are no
    events.
    """
    curves = Curves()
    curves.step(events)
    return curves.series(called)

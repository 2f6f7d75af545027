"""Rounds of a game, and the report of each as JSON, as a letter of eighty columns, and as Markdown."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct

from mcmulti.domain.core.capabilities.rounds import Past, RoundNumber, RoundReport, rounds_of
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import NOBODY, Called, presented
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.codec import event_decoder, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import Seq
from mcmulti.events.log.positions import Position
from mcmulti.events.store.redaction import Onlooking, legible
from mcmulti.projections.fold import STATE, Fold, Growing

PAST = 800
"""Approximate bytes of an event in a report, in addition to its data."""


class RoundSpan(Struct, frozen=True):
    """A round in the log.

    `first`: its first event. `last`: its last event so far. `status`: whether it was refereed or waits for orders.
    """

    round: RoundNumber
    first: Seq
    last: Seq
    status: Literal["refereed", "open"]


class NoRounds(Exception):
    """The game is not played in rounds."""


class UnknownRound(Exception):
    """The game has no such round."""


class OpenRound(Exception):
    """The round is not refereed yet."""


class RoundTrail(Fold):
    """The rounds of a game, collected event by event, as everybody may read them.

    A round begins with the event that raises its number, and is refereed when another begins or the game ends.
    """

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        """Raises `NoRounds`."""
        played = rounds_of(ruleset)
        if played is None or ruleset.report is None:
            raise NoRounds(f"{ruleset.title} is not played in rounds.")
        self._ruleset, self._played, self._tell = ruleset, played, ruleset.report
        self._decode = event_decoder(ruleset.name, ruleset.version)
        self._read = Onlooking()
        self._over: Growing[RoundSpan] = Growing()
        self._number = 0
        self._before: Any = None
        self._past: tuple[Past, ...] = ()
        self._size = 0
        self._state: Any = None

    def fits(self, now: Position) -> bool:
        return self._read.fits(now)

    @property
    def own(self) -> int:
        return 2 * STATE + self._size

    @property
    def shared(self) -> int:
        return PAST * len(self._over)

    def step(self, events: Sequence[Recorded], now: Position) -> None:
        for _ in self.trace(self._read.legible(events, now)):
            pass

    def trace(self, events: Iterable[Recorded]) -> Iterator["RoundTrail"]:
        """Process the next events, which can be folded. Yields itself at the end of each round, before the
        next begins.
        """
        past: list[Past] = list(self._past)
        for event in events:
            fact = self._decode(event.data)
            after = self._ruleset.evolve(self._state, fact)
            number = self._played.number(after)
            if number != self._number:
                if self._number:
                    self._past = tuple(past)
                    yield self
                    self._over.append(RoundSpan(self._number, past[0].seq, past[-1].seq, "refereed"))
                self._number, self._before, past, self._size = number, self._state, [], 0
            past.append(Past(event.seq, fact, event.rule))
            self._size += PAST + len(event.data)
            self._state = after
        self._past = tuple(past)

    def spans(self) -> tuple[RoundSpan, ...]:
        """The rounds so far."""
        if not self._number:
            return ()
        status: Literal["refereed", "open"] = "open" if self._ruleset.status(self._state) != "finished" else "refereed"
        return (*self._over, RoundSpan(self._number, self._past[0].seq, self._past[-1].seq, status))

    def span(self, number: int) -> RoundSpan:
        """A refereed round. Raises `UnknownRound` and `OpenRound`."""
        found = next((span for span in self.spans() if span.round == number), None)
        if found is None:
            raise UnknownRound(f"The game has no round {number}.")
        if found.status == "open":
            raise OpenRound(f"Round {number} has not been refereed yet, so it has no report.")
        return found

    def report(self, language: Language = "en", called: Called = NOBODY) -> RoundReport:
        """The report of the latest round, which must be complete; `called`: the players' names."""
        before = None if self._before is None else presented(self._before, called)
        return self._tell(before, self._past, language)


def rounds(events: Sequence[Recorded]) -> tuple[RoundSpan, ...]:
    """The rounds of a game, from its first event on. Raises `NoRounds`."""
    return _trail(opened_with(events[0]), legible(events)).spans()


def report(events: Sequence[Recorded], number: int, language: Language = "en", called: Called = NOBODY) -> RoundReport:
    """The report of a round; `called`: the players' names. Raises `NoRounds`, `UnknownRound`, and `OpenRound`."""
    ruleset, readable = opened_with(events[0]), legible(events)
    last = _trail(ruleset, readable).span(number).last
    return _trail(ruleset, [event for event in readable if event.seq <= last]).report(language, called)


def _trail(ruleset: Ruleset[Any], events: Sequence[Recorded]) -> RoundTrail:
    trail = RoundTrail(ruleset)
    for _ in trail.trace(events):
        pass
    return trail


def reports(events: Sequence[Recorded], language: Language = "en", called: Called = NOBODY) -> Iterator[RoundReport]:
    """The reports of all refereed rounds, in order. Raises `NoRounds`."""
    trail = RoundTrail(opened_with(events[0]))

    def told() -> Iterator[RoundReport]:
        for each in trail.trace(legible(events)):
            yield each.report(language, called)
        if trail.spans() and trail.spans()[-1].status == "refereed":
            yield trail.report(language, called)

    return told()

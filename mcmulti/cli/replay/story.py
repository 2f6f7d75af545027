"""A recorded game with random access. States are kept at intervals, so that any moment is near one."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from mcmulti.client.sources import SourceError
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.shown.gauges import Holding
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.table import NOBODY, Called, presented
from mcmulti.domain.core.wording.telling import Language, cash_word, word
from mcmulti.events.log.codec import UnknownRuleset, event_decoder, fold, opened_with
from mcmulti.events.log.envelope import Recorded, broken_link
from mcmulti.projections.labels import REPLAY
from mcmulti.projections.pictures.fit import plain
from mcmulti.projections.reports.replay import By, Frame, frames

STRIDE = 64
"""Events between two kept states: the most that must be folded to show a moment."""


class Unplayable(SourceError):
    """The events cannot be replayed. The message is a sentence that names the first faulty one."""


class StoryLine(NamedTuple):
    """One event of the story, for display and search. `quiet`: whether lists of what happened leave it out."""

    seq: int
    turn: int
    type: str
    sentence: str
    rule: str
    quiet: bool


class HoldingRow(NamedTuple):
    """A seat: `has` is what it has, `more` how that changed in this event.

    By unit of the books, and the total worth if that is another number, in the order of `headings`.
    """

    seat: int
    name: str
    has: tuple[int, ...]
    more: tuple[int, ...]
    to_move: bool


class Story:
    """The whole log of a game. Moments are named by the number of the last event before them, from 1.

    Raises `Unplayable` if the events are not a whole log that folds. A log whose hash chain is broken may still fold;
    see `doubt`.
    """

    def __init__(self, events: Sequence[Recorded], called: Called = NOBODY) -> None:
        self.events: tuple[Recorded, ...] = ()
        self.called = called
        self.ruleset = _ruleset(events)
        self._now: Any = None
        self._kept: list[Any] = [None]
        self._turns: list[int] = [0]
        self._told: dict[Language, tuple[StoryLine, ...]] = {}
        self.go_on(events)

    def go_on(self, events: Sequence[Recorded]) -> None:
        """Append further events. Raises `Unplayable` if they do not follow; the story is then unchanged."""
        ruleset = self.ruleset
        decode = event_decoder(ruleset.name, ruleset.version)
        state, turns, kept = self._now, list[int](), list[Any]()
        for seq, event in enumerate(events, start=self.last + 1):
            if event.seq != seq:
                raise Unplayable(f"Event {seq} is missing: event {event.seq} is in its place.")
            if event.rule not in ruleset.texts.rules["en"]:
                raise Unplayable(f"Event {seq} names an unknown rule: {event.rule}.")
            try:
                state = presented(ruleset.evolve(state, decode(event.data)), self.called)
            except (LookupError, ValueError, AttributeError, TypeError, RecursionError) as error:
                raise Unplayable(f"Cannot replay event {seq}: {error}.") from error
            turns.append(ruleset.turn(state))
            if seq % STRIDE == 0:
                kept.append(state)
        self.events, self._now = (*self.events, *events), state
        self._turns += turns
        self._kept += kept

    @property
    def doubt(self) -> str | None:
        """The fault of the hash chain, in a sentence; None if there is none."""
        fault = broken_link(self.events)
        return fault and f"{fault[0].upper()}{fault[1:]}."

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self.events)

    def state(self, seq: int) -> Any:
        """The state after event `seq`; None for 0."""
        near = seq // STRIDE
        state = fold(self.ruleset, self.events[near * STRIDE : seq], self._kept[near])
        return None if state is None else presented(state, self.called)

    def frames(self, first: int, last: int, language: Language, by: By = "event") -> Iterator[Frame]:
        """The frames from event `first` to `last`, as a spectator sees them."""
        events = self.events[first - 1 : last]
        return frames(self.ruleset, self.state(first - 1), events, language=language, by=by, called=self.called)

    def rule_text(self, seq: int, language: Language) -> str:
        """The text of the rule behind event `seq`."""
        return self.ruleset.texts.rules[language][self.events[seq - 1].rule]

    def view(self, seq: int) -> Any:
        """What a spectator sees after event `seq`, as JSON; None for 0."""
        return None if seq == 0 else msgspec.json.decode(msgspec.json.encode(self.ruleset.view(self.state(seq), None)))

    def picture(self, seq: int, language: Language) -> Picture | None:
        """The board after event `seq`; None for a game without a picture."""
        return None if self.ruleset.picture is None else self.ruleset.picture(self.state(seq), language)

    def holdings(self, seq: int) -> tuple[Holding, ...]:
        """Everybody's holdings after event `seq`. Empty before the start."""
        return () if seq == 0 else self.ruleset.books.gauges(self.state(seq)).holdings

    def headings(self, seq: int, language: Language) -> tuple[str, ...]:
        """The names of the columns of holdings after event `seq`. Empty before the start."""
        for holding in self.holdings(seq):
            money, words = self.ruleset.books.money, self.ruleset.texts.words
            units = ((cash_word if unit == money else word)(words, language, unit) for unit in holding.amounts)
            return (*units, *([] if holding.worth is None else [REPLAY[language].worth]))
        return ()

    def rows(self, seq: int, language: Language) -> tuple[HoldingRow, ...]:
        """Everybody's holdings after event `seq`, with their changes by that event. Empty before the start."""
        before = {holding.seat: _figures(holding) for holding in self.holdings(seq - 1)}
        waited_for, names = self.to_move(seq), self.names(seq)
        table = []
        for holding in self.holdings(seq):
            has = _figures(holding)
            had = before.get(holding.seat, has)
            more = tuple(now - then for now, then in zip(has, had, strict=True))
            name = names[holding.seat] or f"{REPLAY[language].seat} {holding.seat + 1}"
            table.append(HoldingRow(holding.seat, name, has, more, holding.seat in waited_for))
        return tuple(table)

    def turn(self, seq: int) -> int:
        """The turn that event `seq` belongs to, 0 before the first."""
        return self._turns[seq]

    @property
    def turns(self) -> int:
        """The number of turns."""
        return self._turns[-1]

    def first_of(self, turn: int) -> int:
        """The first event of a turn. If the turn is not in the log, that of the next turn in it."""
        return min(bisect_left(self._turns, turn, lo=1), self.last)

    def last_of(self, turn: int) -> int:
        """The last event of a turn."""
        return max(bisect_right(self._turns, turn) - 1, 1)

    def to_move(self, seq: int) -> tuple[int, ...]:
        """The seats the game waits for after event `seq`."""
        return self.ruleset.to_move(self.state(seq))

    def names(self, seq: int) -> tuple[str | None, ...]:
        """The names by seat after event `seq`, on one line each; None for an empty seat."""
        return tuple(name and plain(name) for name in self.ruleset.outcome(self.state(seq)).names)

    def lines(self, language: Language) -> tuple[StoryLine, ...]:
        """Every event of the story. Built once for each language."""
        told = self._told.get(language, ())
        if len(told) < self.last:
            told = self._told[language] = (*told, *self._lines_after(len(told), language))
        return told

    def _lines_after(self, after: int, language: Language) -> Iterator[StoryLine]:
        state = self.state(after)
        decode = event_decoder(self.ruleset.name, self.ruleset.version)
        for event, turn in zip(self.events[after:], self._turns[after + 1 :], strict=True):
            happened = decode(event.data)
            sentence = plain(self.ruleset.texts.tell(state, happened, language))
            yield StoryLine(event.seq, turn, event.type, sentence, event.rule, happened.quiet)
            state = presented(self.ruleset.evolve(state, happened), self.called)

    def found(self, wanted: str, language: Language) -> tuple[int, ...]:
        """The events whose sentence, type, or rule id contains the text, ignoring case."""
        text = wanted.casefold()
        return tuple(
            line.seq
            for line in self.lines(language)
            if any(text in place.casefold() for place in (line.sentence, line.type, line.rule))
        )


def _ruleset(events: Sequence[Recorded]) -> Ruleset[Any]:
    try:
        return opened_with(events[0])
    except (UnknownRuleset, ValueError) as error:
        raise Unplayable(f"Cannot replay the game: {error}.") from error


def _figures(holding: Holding) -> tuple[int, ...]:
    return (*holding.amounts.values(), *([] if holding.worth is None else [holding.worth]))

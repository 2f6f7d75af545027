"""Rounds of a game, and the report of each as JSON, as a letter of eighty columns, and as Markdown."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from mcmulti.domain.core.rounds import Past, RoundNumber, RoundReport
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.telling import Language
from mcmulti.events.codec import event_decoder, opened_with
from mcmulti.events.envelope import Recorded
from mcmulti.events.item import Seq
from mcmulti.events.redaction import legible


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


class _Round(NamedTuple):
    """A round with what stood before it."""

    span: RoundSpan
    before: Any
    events: tuple[Past, ...]


def rounds(events: Sequence[Recorded]) -> tuple[RoundSpan, ...]:
    """The rounds of a game, from its first event on. Raises `NoRounds`."""
    return tuple(each.span for each in _rounds(_ruleset(events), events))


def report(events: Sequence[Recorded], number: int, language: Language = "en") -> RoundReport:
    """The report of a round. Raises `NoRounds`, `UnknownRound` and `OpenRound`."""
    ruleset = _ruleset(events)
    for each in _rounds(ruleset, events):
        if each.span.round == number:
            if each.span.status == "open":
                raise OpenRound(f"Round {number} is not refereed yet: there is no report of it.")
            return _report(ruleset, each, language)
    raise UnknownRound(f"The game has no round {number}.")


def reports(events: Sequence[Recorded], language: Language = "en") -> Iterator[RoundReport]:
    """The reports of all rounds that were refereed, in order. Raises `NoRounds`."""
    ruleset = _ruleset(events)
    return (_report(ruleset, each, language) for each in _rounds(ruleset, events) if each.span.status == "refereed")


def _ruleset(events: Sequence[Recorded]) -> Ruleset[Any]:
    ruleset = opened_with(events[0])
    if ruleset.round is None or ruleset.report is None:
        raise NoRounds(f"{ruleset.title} is not played in rounds.")
    return ruleset


def _report(ruleset: Ruleset[Any], of: _Round, language: Language) -> RoundReport:
    if ruleset.report is None:
        raise NoRounds(f"{ruleset.title} is not played in rounds.")
    return ruleset.report(of.before, of.events, language)


def _rounds(ruleset: Ruleset[Any], events: Sequence[Recorded]) -> Iterator[_Round]:
    """A round begins with the event that raises its number, and is refereed when another begins or the game ends."""
    if ruleset.round is None:
        raise NoRounds(f"{ruleset.title} is not played in rounds.")
    decode = event_decoder(ruleset.name, ruleset.version)
    state: Any = None
    before: Any = None
    number = 0
    past: list[Past] = []
    for event in legible(events):
        fact = decode(event.data)
        after = ruleset.evolve(state, fact)
        if ruleset.round(after) != number:
            if number:
                yield _Round(RoundSpan(number, past[0].seq, past[-1].seq, "refereed"), before, tuple(past))
            number, before, past = ruleset.round(after), state, []
        past.append(Past(event.seq, fact, event.rule))
        state = after
    if number:
        status: Literal["refereed", "open"] = "refereed" if ruleset.status(state) == "finished" else "open"
        yield _Round(RoundSpan(number, past[0].seq, past[-1].seq, status), before, tuple(past))

"""Rounds of a game, and the report of each as JSON, as a letter of eighty columns, and as Markdown."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from mcmulti.domain.core.capabilities.rounds import Rounds, rounds_of
from mcmulti.domain.core.capabilities.rounds.reports import Past, RoundNumber, RoundReport
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import NOBODY, Called, presented
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.codec import event_decoder, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import Seq
from mcmulti.events.store.redaction import legible


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
    ruleset, played, _ = _in_rounds(events)
    return tuple(each.span for each in _rounds(ruleset, played, events))


def report(events: Sequence[Recorded], number: int, language: Language = "en", called: Called = NOBODY) -> RoundReport:
    """The report of a round, in which players are `called` so. Raises `NoRounds`, `UnknownRound` and `OpenRound`."""
    ruleset, played, tell = _in_rounds(events)
    for each in _rounds(ruleset, played, events, called):
        if each.span.round == number:
            if each.span.status == "open":
                raise OpenRound(f"Round {number} is not refereed yet: there is no report of it.")
            return tell(each.before, each.events, language)
    raise UnknownRound(f"The game has no round {number}.")


def reports(events: Sequence[Recorded], language: Language = "en", called: Called = NOBODY) -> Iterator[RoundReport]:
    """The reports of all rounds that were refereed, in order. Raises `NoRounds`."""
    ruleset, played, tell = _in_rounds(events)
    return (
        tell(each.before, each.events, language)
        for each in _rounds(ruleset, played, events, called)
        if each.span.status == "refereed"
    )


def _in_rounds(
    events: Sequence[Recorded],
) -> tuple[Ruleset[Any], Rounds[Any], Callable[[Any, Sequence[Past], Language], RoundReport]]:
    ruleset = opened_with(events[0])
    played = rounds_of(ruleset)
    if played is None or ruleset.report is None:
        raise NoRounds(f"{ruleset.title} is not played in rounds.")
    return ruleset, played, ruleset.report


def _rounds(
    ruleset: Ruleset[Any], played: Rounds[Any], events: Sequence[Recorded], called: Called = NOBODY
) -> Iterator[_Round]:
    """A round begins with the event that raises its number, and is refereed when another begins or the game ends."""
    decode = event_decoder(ruleset.name, ruleset.version)
    state: Any = None
    before: Any = None
    number = 0
    past: list[Past] = []
    for event in legible(events):
        fact = decode(event.data)
        after = presented(ruleset.evolve(state, fact), called)
        if played.number(after) != number:
            if number:
                yield _Round(RoundSpan(number, past[0].seq, past[-1].seq, "refereed"), before, tuple(past))
            number, before, past = played.number(after), state, []
        past.append(Past(event.seq, fact, event.rule))
        state = after
    if number:
        status: Literal["refereed", "open"] = "refereed" if ruleset.status(state) == "finished" else "open"
        yield _Round(RoundSpan(number, past[0].seq, past[-1].seq, status), before, tuple(past))

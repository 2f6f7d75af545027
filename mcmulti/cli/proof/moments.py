"""Every moment of a game for a self-contained page: sentences, views, and pictures in all languages."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from mcmulti.api.telling.tables import TableView, table
from mcmulti.client.sources import SourceError
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.shown.gauges import Holdings
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.domain.core.table import Called, presented
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.events.log.codec import UnknownRuleset, event_decoder, opened_with
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.ports.game_index import Game
from mcmulti.events.store.game_file import GameRecord
from mcmulti.events.store.redaction import legible
from mcmulti.events.store.standing import retraced
from mcmulti.projections.books.ledger import entries
from mcmulti.projections.books.statements import Flow, flows
from mcmulti.projections.charts.charts import chart_image
from mcmulti.projections.charts.names import charts_of
from mcmulti.projections.charts.time_series import TimeSeries, time_series
from mcmulti.projections.pictures.film import Film, Splice
from mcmulti.projections.reports.patches import Change, patch


class EventEffect(Struct, frozen=True, array_like=True):
    """What an event changed beyond its content in the game file, and the seat that its sentence is about."""

    turn: int
    patch: tuple[Change, ...]
    holdings: Holdings
    flows: tuple[Flow, ...]
    about: int | None


class Telling(Struct, frozen=True):
    """A game in one language: a sentence for each event, the rules by id, a drawing for each event, the last charts.

    A drawing is stored as its changes of the previous one. The numbers are those of pieces in `Moments.pieces`.
    """

    sentences: tuple[str, ...]
    rules: dict[str, str]
    boards: tuple[tuple[Splice, ...], ...]
    charts: dict[str, str]


class Moments(Struct, frozen=True):
    """All moments of a game, for spectators. `view` and `table` are those of the last one, event `seq`."""

    seq: int
    hash: str
    table: TableView
    view: Raw
    steps: tuple[EventEffect, ...]
    pieces: tuple[str, ...]
    told: dict[Language, Telling]


class CannotTell(SourceError):
    """The events cannot be told. The message is a sentence that names the first faulty one."""


class _Moment(NamedTuple):
    """A game after an event, as it is displayed: the sentence and the picture in each language."""

    turn: int
    view: Any
    holdings: Holdings
    about: int | None
    sentences: dict[Language, str]
    pictures: dict[Language, Picture]


def moments(record: GameRecord) -> Moments:
    """Every moment of a game, as far as it can be told without sealed data. Raises `CannotTell`."""
    events, called = legible(record.events), record.file.names
    ruleset = _ruleset_recorded(events)
    found = list(_moments(ruleset, events, called))
    pieces: dict[str, int] = {}
    seen = time_series(events, called)
    told = {language: _telling(seen, events, found, language, pieces) for language in LANGUAGES}
    flowed = {entry.seq: flows([entry]) for entry in entries(events)}
    steps = tuple(
        EventEffect(
            now.turn, patch(before and before.view, now.view), now.holdings, flowed.get(event.seq, ()), now.about
        )
        for event, before, now in zip(events, [None, *found], found, strict=False)
    )
    last, head = events[-1], Head(events[-1].seq, events[-1].hash)
    opened_by = msgspec.json.decode(events[0].data).get("opened_by")
    game = Game(
        record.file.game,
        ruleset.name,
        ruleset.version,
        replace(retraced(ruleset, events), deadline=None),  # a file has no deadlines
        head,
        events[0].recorded_at,
        last.recorded_at,
        UUID(opened_by) if opened_by else None,
    )
    view = Raw(msgspec.json.encode(found[-1].view))
    return Moments(head.seq, head.hash.hex(), table(game, called, {}), view, steps, tuple(pieces), told)


def check(record: GameRecord) -> None:
    """Check whether all of a game can be told. Raises `CannotTell`."""
    for _ in _moments(_ruleset_recorded(record.events), record.events, record.file.names):
        pass


def _ruleset_recorded(events: Sequence[Recorded]) -> Ruleset[Any]:
    if not events:
        raise CannotTell("Event 1 is missing or sealed.")
    try:
        return opened_with(events[0])
    except (UnknownRuleset, ValueError) as error:
        raise CannotTell(f"Cannot show the game: {error}.") from error


def _moments(ruleset: Ruleset[Any], events: Sequence[Recorded], called: Called) -> Iterator[_Moment]:
    decode, tell, draw = event_decoder(ruleset.name, ruleset.version), ruleset.texts.tell, ruleset.picture
    state: Any = None
    for event in events:
        if event.rule not in ruleset.texts.rules["en"]:
            raise CannotTell(f"Event {event.seq} names an unknown rule: {event.rule}.")
        try:
            fact = decode(event.data)
            sentences = {language: tell(state, fact, language) for language in LANGUAGES}
            state = presented(ruleset.evolve(state, fact), called)
            yield _Moment(
                ruleset.turn(state),
                ruleset.view(state, None),
                ruleset.books.gauges(state).holdings,
                fact.about(event.actor),
                sentences,
                {} if draw is None else {language: draw(state, language) for language in LANGUAGES},
            )
        except (LookupError, ValueError, AttributeError, TypeError, RecursionError) as error:
            raise CannotTell(f"Cannot show event {event.seq}: {error}.") from error


def _telling(
    seen: TimeSeries,
    events: Sequence[Recorded],
    found: Sequence[_Moment],
    language: Language,
    pieces: dict[str, int],
) -> Telling:
    rules = seen.ruleset.texts.rules[language]
    film = Film(pieces)
    return Telling(
        tuple(each.sentences[language] for each in found),
        {event.rule: rules[event.rule] for event in events},
        tuple(film.show(each.pictures[language]) for each in found if each.pictures),
        {name: chart_image(name, seen, language).decode() for name in charts_of(seen.ruleset)},
    )

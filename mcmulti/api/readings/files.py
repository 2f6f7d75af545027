"""Complete games as files: one, or finished public games one after another in one stream."""

from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.api.caching.moments import moment
from mcmulti.api.caching.representation import Representation
from mcmulti.api.http.answers import Answer, StreamAnswer
from mcmulti.api.http.contract import DEAR, Call, operation
from mcmulti.api.http.received import given
from mcmulti.api.operations.players import known
from mcmulti.api.readings.proof import signed_with
from mcmulti.api.service import Service
from mcmulti.api.streams.items import NDJSON, Stopping
from mcmulti.api.streams.player import LATE
from mcmulti.api.telling.tables import Cursor, bookmark_of, cursor_of
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import BY_VERSION
from mcmulti.events.log.codec import UnknownRuleset, ruleset_of
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import EventItem, Timestamp
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import DamagedGame, LogUnavailable, UnknownGame
from mcmulti.events.ports.game_index import Bookmark, Ended, FinishedGame
from mcmulti.events.store.game_file import GameFile, event_lines, heading, line, players_in
from mcmulti.events.store.redaction import for_reader
from mcmulti.referee.feed import LogWentBack

MOST_GAMES = 1000
"""The most games in a response."""
MOST_EVENTS = 50_000
"""A response ends with the game that brings it to this number of events: so it costs at most about a second."""
_COUNTED = 50
"""The most games that a response counts as: that many of average length have `MOST_EVENTS`."""
_FIRST = UUID(int=0)
_EARLIEST = datetime.min.replace(tzinfo=UTC)


class FinishedQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`ruleset`: only games of this rule set. `since`: only games that ended at this time, or later; `until`: only
    those that ended before this time. `after`: the last `next` that you received, to continue after it. `limit`: the
    most games.
    """

    ruleset: Annotated[str, Meta(max_length=40, pattern="^[a-z_]{1,40}$")] | UnsetType = UNSET
    since: Timestamp | UnsetType = UNSET
    until: Timestamp | UnsetType = UNSET
    after: Cursor | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 100


class FileEnd(Struct, frozen=True, tag=True):
    """The file of a game is complete; it `ended_at` this time.

    `damaged`: the server's log of this game is damaged, so its file was left out. `next`: continues after this game, as
    `after`.
    """

    game: UUID
    ended_at: Timestamp
    damaged: bool
    next: Cursor


class DownloadEnd(Struct, frozen=True, tag=True):
    """The last item of a response. `more`: whether other games are ready.

    `next`: continues after the last game, as `after`, also with games that end later; null if there was no game, and no
    `after`.
    """

    next: Cursor | None
    more: bool


@operation(
    "GET",
    "/v1/games/finished",
    tag="log",
    summary="Download finished games, one file after another",
    streams={NDJSON: (GameFile, EventItem, FileEnd, DownloadEnd, Stopping)},
    problems=("unknown_ruleset",),
    cost=lambda query, _: DEAR * min(query.limit, _COUNTED),
)
async def download_games(call: Call, query: FinishedQuery) -> Answer:
    """Returns all listed games that are over, except those for practice, in the order of their ends. Each is a complete
    game file, followed by a line with its `next`. If the connection breaks, discard the incomplete file and continue
    after the last `next`: no game is missing, and none comes twice. A game is ready a minute after its end.
    """
    named = None if isinstance(query.ruleset, UnsetType) else known(query.ruleset).name
    after = Ended(given(query.since, _EARLIEST), _FIRST)
    if not isinstance(query.after, UnsetType):
        after = max(after, Ended(*bookmark_of(query.after)))
    service = call.service
    settled = await service.log.now() - LATE
    until = min(settled, given(query.until, settled))
    rulesets = sorted({name for name, _ in BY_VERSION}) if named is None else [named]
    games = await service.log.published(rulesets, after, until, query.limit + 1)
    chunks = _chunks(service, games[: query.limit], given(query.after, None), more=len(games) > query.limit)
    return StreamAnswer(chunks, NDJSON, whole=True)


async def _chunks(
    service: Service, games: Sequence[FinishedGame], mark: str | None, *, more: bool
) -> AsyncGenerator[bytes, None]:
    """The files of games, each at once when it is complete and checked, and then its end."""
    events = 0
    for number, game in enumerate(games, 1):
        try:
            file = b"" if service.turns.stopping else await _file(service, game)
        except LogUnavailable:
            file = b""
        if file == b"":
            yield line(Stopping())
            return
        mark = cursor_of(Bookmark(*game.ended))
        end = FileEnd(game.ended.game_id, game.ended.at, damaged=file is None, next=mark)
        yield (file or b"") + line(end)
        events += game.head.seq
        if events >= MOST_EVENTS and number < len(games):
            more = True
            break
    yield line(DownloadEnd(mark, more))


async def _file(service: Service, game: FinishedGame) -> bytes | None:
    """The file of a game, checked and signed; None if its log is damaged. Raises `LogUnavailable`."""
    game_id, head = game.ended.game_id, game.head
    if game_id in service.referee.quarantined:
        return None
    try:
        ruleset = ruleset_of(game.ruleset, game.version)
        unread = Position(game_id, ruleset, None, head)
        pages = [
            page async for page in service.folds.pages(unread, lambda events: _stored_or_redacted(ruleset, events))
        ]
        if any(page.rest for page in pages):
            ended = await service.referee.history.now(game_id, head)
            pages = [page.opened(ended) for page in pages]
    except (DamagedGame, UnknownRuleset, LogWentBack, UnknownGame):
        return None
    players = tuple(sorted(set[str]().union(*(page.players for page in pages))))
    called = (await service.names.lookup(players)).called
    key = await service.signing_key()
    first = line(heading(game_id, game.ruleset, game.version, head, key, called))
    return first + b"".join(page.lines for page in pages)


class _Page(Struct):
    """A page of a game: its `lines`; or the `rest`, events that may be sealed, until they are `opened`."""

    players: set[str]
    lines: bytes = b""
    rest: Sequence[Recorded] = ()

    def opened(self, ended: Position) -> "_Page":
        """The page as everybody may read it when the game is over."""
        return _Page(self.players, event_lines(for_reader(ended, None, self.rest))) if self.rest else self


def _stored_or_redacted(ruleset: Ruleset[Any], events: Sequence[Recorded]) -> _Page:
    """The stored bytes as they are, unless the rule set ever seals one of these events."""
    sealed = {redaction.type for redaction in ruleset.redactions}
    players = players_in(events)
    if sealed.isdisjoint([event.type for event in events]):
        return _Page(players, event_lines(events))
    return _Page(players, rest=events)


@operation(
    "GET",
    "/v1/games/{game}/file",
    tag="log",
    summary="Download the complete game as one signed file",
    streams={NDJSON: (GameFile, EventItem)},
    etag=True,
    cost=DEAR,
    named=True,
    beside=signed_with,
)
async def get_game_file(call: Call, caller: Player | None, game: UUID) -> Answer:
    """The first line is about the game, and each further line is an event. `mcmulti verify` proves the file without any
    server, and `mcmulti import` copies it to another one.
    """
    at = await moment(call, game)
    position, ruleset, (key, seed) = at.position, at.position.ruleset, at.beside.value
    held = await call.service.folds.check(position)  # every time, since a file is evidence
    opening = line(heading(game, ruleset.name, ruleset.version, position.head, key, at.called, seed))

    def lines(events: Sequence[Recorded]) -> bytes:
        return event_lines(for_reader(position, caller, events))

    response = StreamAnswer(call.service.folds.written(position, lines, held, opening), NDJSON, whole=True)
    name = f"{game}.mcmulti.jsonl"
    response.headers |= {
        "Content-Disposition": f'attachment; filename="{name}"',
        "ETag": Representation(call, at).tag,
    }
    return response

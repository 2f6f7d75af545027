"""The log: page by page, or as a stream."""

import re
from contextlib import aclosing
from typing import Annotated

from litestar import get
from litestar.params import FromPath
from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.api import stream_game, stream_player
from mcmulti.api.answers import Answer, StreamAnswer
from mcmulti.api.caching import tag_of, unchanged
from mcmulti.api.contract import AnyRequest, Operation, accepted, answer, encoded, game_id, header, query
from mcmulti.api.player_feed import LATE
from mcmulti.api.problems import ApiError
from mcmulti.api.service import service
from mcmulti.api.stream import FORMATS, NDJSON, SSE
from mcmulti.api.stream_game import Batch, EventRange, Presence, batches
from mcmulti.api.stream_items import GameOver, Heartbeat, StreamHead, StreamId, YourTurn
from mcmulti.api.stream_player import Turns, moment_of
from mcmulti.api.wire import Events
from mcmulti.events.envelope import Head
from mcmulti.events.item import EventItem, Seq, item
from mcmulti.events.log import Log, Player
from mcmulti.events.positions import Position
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import UnknownMoment

PAGE = 100
"""Events of a page, unless told."""
_LAST = 2**31 - 1
_ID = re.compile(r"[0-9]{1,13}")


class Streams:
    """What the streams of one server share."""

    def __init__(self, log: Log, referee: Referee) -> None:
        self.presence = Presence()
        self.turns = Turns(log, referee)


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: only events behind this one.
    `limit`: at most so many events; unless told, 100 in a page, and as many as come in a stream.
    `until`: no event behind this one.
    `wait`: seconds to wait for the first event, if there is none yet; a stream waits anyway.
    """

    after: Seq = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] | UnsetType = UNSET
    until: Seq | UnsetType = UNSET
    wait: Annotated[int, Meta(ge=0, le=60)] = 0


@get(
    "/v1/games/{game:str}/events",
    opt={
        "operation": Operation(
            id="listEvents",
            tag="log",
            summary="Read the log, or follow it as a stream",
            answer=Events,
            streams={NDJSON: (StreamHead, EventItem, Heartbeat), SSE: (StreamHead, EventItem)},
            query=EventsQuery,
            auth="optional",
            headers=("Last-Event-ID", "If-None-Match"),
            etag=True,
            problems=("unknown_game", "unknown_moment", "invalid_header"),
        )
    },
)
async def list_events(request: AnyRequest, game: FromPath[str]) -> Answer:
    wanted = query(request, EventsQuery)
    player = await service(request).caller(request)
    referee = service(request).referee
    resumed = _last_event_id(request)
    span = EventRange(
        wanted.after if resumed is None else resumed,
        _given(wanted.limit, _LAST),
        _given(wanted.until, _LAST),
    )
    position = await referee.position(game_id(game))
    if span.after > position.head.seq:
        raise UnknownMoment(position.head)
    media_type = accepted(request)
    if media_type in FORMATS:
        over = position.ruleset.status(position.state) == "finished" and span.after == position.head.seq
        if resumed is not None and media_type == SSE and (over or span.room <= 0):
            return Answer(status_code=204, headers={"Cache-Control": "no-store", "Vary": _VARY})
        chunks = stream_game.chunks(referee, _streams(request).presence, position, player, span, FORMATS[media_type])
        return StreamAnswer(chunks, media_type)
    span = span._replace(limit=_given(wanted.limit, PAGE))
    head = position.head
    waits = wanted.wait > 0 and span.after == head.seq
    seat = position.seat_of(player.player_id) if player and position.ruleset.redaction else None
    kind = f"events {span.after} {span.limit} {span.until}"
    responses = service(request).responses
    page = None if waits else responses.get(position.game_id, kind, seat, head)
    if page is None:
        head, page = await _page(referee, position, player, span, wanted.wait)
        if head == position.head:  # otherwise the reader may have another seat by now
            responses.put(position.game_id, kind, seat, head, page)
    tag = tag_of(request, head, seat=seat)
    return unchanged(request, tag) or answer(page, head=head, tag=tag, Cache_Control="no-cache", Vary=_VARY)


async def _page(
    referee: Referee, position: Position, reader: Player | None, span: EventRange, wait: float
) -> tuple[Head, bytes]:
    """A page as it is sent, and the head that it is true of. Waits for its first event up to `wait` seconds."""
    batch = Batch(position.head, ())
    async with aclosing(batches(referee, position.game_id, reader, span, wait, span.limit)) as found:
        async for batch in found:  # noqa: B007 - only the first: anext with a tuple as default fails in CPython
            break
    head, events = batch
    last = events[-1].seq if events else span.after
    page = Events(
        position.game_id,
        head.seq,
        head.hash.hex(),
        tuple(item(event) for event in events),
        last if last < min(head.seq, span.until) else None,
    )
    return head, encoded(page)


class FollowQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: the last id of an earlier stream, to resume behind it."""

    after: StreamId | UnsetType = UNSET


@get(
    "/v1/stream",
    opt={
        "operation": Operation(
            id="followGames",
            tag="play",
            summary="Be told when it is your turn, in any of your games, and when one is over",
            answer=YourTurn,
            json=False,
            streams={SSE: (YourTurn, GameOver), NDJSON: (YourTurn, GameOver, Heartbeat)},
            query=FollowQuery,
            auth="required",
            headers=("Last-Event-ID",),
            problems=("unknown_moment",),
        )
    },
)
async def follow_games(request: AnyRequest) -> StreamAnswer:
    after = query(request, FollowQuery).after
    player = await service(request).player(request)
    last = _last_event_id(request)
    resumed = last if last is not None else None if isinstance(after, UnsetType) else int(after)
    now = await service(request).log.now()
    mark = now if resumed is None else moment_of(resumed)
    if mark > now + LATE:  # less may be a database that moved to another machine
        raise ApiError("unknown_moment", f"{'after' if last is None else 'Last-Event-ID'} lies in the future.")
    media_type = accepted(request)
    turns = _streams(request).turns
    chunks = stream_player.chunks(turns, player.player_id, FORMATS[media_type], mark, resumed=resumed is not None)
    return StreamAnswer(chunks, media_type)


_VARY = "Accept, Authorization"


def _streams(request: AnyRequest) -> Streams:
    found: Streams = request.app.state["streams"]
    return found


def _last_event_id(request: AnyRequest) -> int | None:
    value = header(request, b"last-event-id")
    if value is None:
        return None
    if not _ID.fullmatch(value):
        raise ApiError("invalid_header", "Last-Event-ID must be an id of this stream: a number of 13 digits at most.")
    return int(value)


def _given(value: int | UnsetType, default: int) -> int:
    return default if isinstance(value, UnsetType) else value

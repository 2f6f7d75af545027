"""The log: page by page, or as a stream."""

from contextlib import aclosing, nullcontext
from functools import partial
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.api.admission.quotas import address_of
from mcmulti.api.caching.moments import moment
from mcmulti.api.caching.representation import Perspective, Representation
from mcmulti.api.chat import live
from mcmulti.api.chat.wire import ChatChange, ChatChanged
from mcmulti.api.http.answers import Answer, StreamAnswer, encoded
from mcmulti.api.http.contract import Call, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import EventId, Tags, given
from mcmulti.api.logging import waiting
from mcmulti.api.streams import game as stream_game
from mcmulti.api.streams import player as stream_player
from mcmulti.api.streams.game import Batch, EventRange, StreamedView, batches
from mcmulti.api.streams.items import (
    FORMATS,
    NDJSON,
    SSE,
    GameOver,
    Heartbeat,
    Stopping,
    StreamHead,
    StreamId,
    TableMoved,
    WentBack,
    YourTurn,
    YourView,
)
from mcmulti.api.streams.player import LATE, moment_of
from mcmulti.api.telling.wire import Events, ViewForm
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.item import EventItem, Seq, item
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.log import Log
from mcmulti.events.store.history import holds
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import UnknownMoment

PAGE = 100
"""The default number of events on a page."""
_LAST = 2**31 - 1


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: only events after this one. `limit`: the most events; by default 100 on a page, and no limit in a
    stream. `until`: no event after this one. `wait`: seconds to wait for the first event, if there is none yet; a
    stream always waits. `view`: in a stream, how you see the game after the latest event (`YourView`): `whole` each
    time, or as a `patch` after the first time. `offers`: in a stream, also what you may do then. `language`: of offers.
    `chat`: in a stream, also what you may read of the chat of the table, after this change.
    """

    after: Seq = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] | UnsetType = UNSET
    until: Seq | UnsetType = UNSET
    wait: Annotated[int, Meta(ge=0, le=60)] = 0
    view: ViewForm | UnsetType = UNSET
    offers: bool = False
    language: Language = "en"
    chat: ChatChange | UnsetType = UNSET


@operation(
    "GET",
    "/v1/games/{game}/events",
    tag="log",
    summary="Read the log, or follow it as a stream",
    answer=Events,
    streams={
        NDJSON: (StreamHead, EventItem, TableMoved, YourView, ChatChanged, Heartbeat, Stopping, WentBack),
        SSE: (StreamHead, EventItem, TableMoved, YourView, ChatChanged, Stopping, WentBack),
    },
    problems=("unknown_moment", "busy"),
    readers="sealed",
)
async def list_events(
    call: Call,
    query: EventsQuery,
    caller: Player | None,
    game: UUID,
    last_event_id: EventId | None,
    if_none_match: Tags,
) -> Answer:
    """Everyone may read it. The response is a page of JSON or, by `Accept`, a stream that continues until the game
    ends. A page has fewer events than `limit` if they have more than 1 MiB: it ends with the one that makes it that.
    """
    referee = call.service.referee
    begun = last_event_id or EventId(query.after)
    span = EventRange(begun.number, given(query.limit, _LAST), given(query.until, _LAST))
    at = await moment(call, game)
    position = at.position
    if not await _holds(call.service.log, position, begun):
        raise UnknownMoment(position.head)
    if call.media_type in FORMATS:
        over = position.ruleset.status(position.state) == "finished" and span.after == position.head.seq
        if last_event_id is not None and call.media_type == SSE and (over or span.room <= 0):
            return Answer(status_code=204, headers={"Cache-Control": "no-store", "Vary": call.varies})
        form = FORMATS[call.media_type]
        shared = call.service
        table = await shared.tables.present(game)
        offers = query.language if query.offers else UNSET
        asked = query.offers or not isinstance(query.view, UnsetType)
        seen = StreamedView(shared.tables, caller, query.view, offers) if asked else None
        chunks = stream_game.chunks(
            referee, shared.tables, shared.presence, position, table, caller, span, form, str(begun), seen
        )
        if shared.chats and table.chat and not isinstance(query.chat, UnsetType):
            told = (shared.chats, referee, shared.names, game, caller, table.chat, query.chat, form)
            chunks = live.interleaved(chunks, live.chat_chunks(*told))
        return StreamAnswer(chunks, call.media_type)
    span = span._replace(limit=given(query.limit, PAGE))
    waits = query.wait > 0 and span.after == position.head.seq
    if waits or span.limit <= PAGE:
        return await _events_page(call, at, caller, span, if_none_match, query.wait if waits else 0)
    made = partial(_events_page, call, at, caller, span, if_none_match, 0)
    return await call.service.unsent.answered(address_of(call.request.scope), made)


async def _events_page(
    call: Call, at: Perspective, caller: Player | None, span: EventRange, known: Tags, wait: float
) -> Answer:
    """A page of the log. Waits for its first event up to `wait` seconds."""
    told, position = Representation(call, at), at.position
    page = None if wait else told.kept()
    if page is None:
        with waiting() if wait else nullcontext():
            head, page = await _awaited_page(call.service.referee, position, caller, span, wait)
        if head == position.head:  # otherwise the reader may have another seat by now
            told.keep(page)
        else:
            told = Representation(call, at._replace(position=position._replace(head=head)))
    return told.unchanged(known) or told.answer(page)


async def _holds(log: Log, position: Position, id_: EventId) -> bool:
    """Whether the log still contains the event after which a client resumes; it may have gone back since."""
    number, hash_ = id_
    if hash_ is None or not 1 <= number < position.head.seq:
        return number <= position.head.seq and hash_ in (None, position.head.hash)
    return await holds(log, position.game_id, Head(number, hash_))


async def _awaited_page(
    referee: Referee, position: Position, reader: Player | None, span: EventRange, wait: float
) -> tuple[Head, bytes]:
    """An encoded page, and the head that it is true of. Waits for its first event up to `wait` seconds."""
    batch = Batch(position, ())
    async with aclosing(batches(referee, position.game_id, reader, span, wait, span.limit)) as found:
        async for batch in found:  # noqa: B007 - only the first: anext with a tuple as default fails in CPython
            break
    head, events = batch.position.head, batch.events
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
    """`after`: the last id of an earlier stream, to resume after it. `offers`: include in each turn what you see and
    may do (`next`). `language`: of offers.
    """

    after: StreamId | UnsetType = UNSET
    offers: bool = False
    language: Language = "en"


@operation(
    "GET",
    "/v1/stream",
    tag="play",
    summary="Stream your turns and ends of games, over all your games",
    answer=YourTurn,
    json=False,
    streams={SSE: (YourTurn, GameOver, Stopping), NDJSON: (YourTurn, GameOver, Heartbeat, Stopping)},
    problems=("unknown_moment",),
)
async def follow_games(call: Call, query: FollowQuery, caller: Player, last_event_id: EventId | None) -> Answer:
    """An endless stream over all your games. After an `id`, it sends the turns that are yours now and every game that
    ended since. A game that ended less than a minute before may be sent again.
    """
    after = None if isinstance(query.after, UnsetType) else int(query.after)
    if last_event_id is not None and last_event_id.hash is not None:
        raise ApiError("unknown_moment", "Last-Event-ID is an event of a game. Send an id that this stream sent.")
    resumed = after if last_event_id is None else last_event_id.number
    now = await call.service.log.now()
    mark = now if resumed is None else moment_of(resumed)
    if mark > now + LATE:  # a smaller difference may come from a database that moved to another machine
        named = "after" if last_event_id is None else "Last-Event-ID"
        raise ApiError("unknown_moment", f"{named} lies in the future.")
    form = FORMATS[call.media_type]
    offers = query.language if query.offers else None
    chunks = stream_player.chunks(
        call.service.turns, caller.player_id, form, mark, resumed=resumed is not None, offers=offers
    )
    return StreamAnswer(chunks, call.media_type)

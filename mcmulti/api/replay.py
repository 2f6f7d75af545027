"""The replay: page by page, or line by line."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from itertools import islice
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.api.answers import Answer, StreamAnswer, encoded
from mcmulti.api.caching import tag_of
from mcmulti.api.contract import Call, answer, operation
from mcmulti.api.moments import moment
from mcmulti.api.stream import NDJSON
from mcmulti.domain.core.figures import MOST
from mcmulti.domain.core.telling import Language
from mcmulti.events.item import Hash, Seq
from mcmulti.events.log import Player
from mcmulti.projections.replay import By, Frame, frames
from mcmulti.referee.ruling import UnknownMoment

PAGE = 100
"""Frames of a page, unless told."""
CHUNK = 50
"""Frames that are made at a time while a replay is sent line by line."""


class ReplayQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: begin behind this event. `until`: end with this one.
    `limit`: at most so many frames; unless told, 100 in a page, and as many as there are line by line.
    `by`: a frame for each event, or one for each turn. `language`: of sentences and rules.
    """

    after: Seq = 0
    until: Seq | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=1000)] | UnsetType = UNSET
    by: By = "event"
    language: Language = "en"


class Replay(Struct, frozen=True):
    """A page of the replay. `seq` and `hash` are the head, `frames` the steps in order.

    `next` continues the page as ``after``, null at the end.
    """

    game: UUID
    seq: Seq
    hash: Hash
    frames: Annotated[tuple[Frame, ...], Meta(max_length=1000)]
    next: Seq | None


@operation(
    "GET",
    "/v1/games/{game}/replay",
    id="replayGame",
    tag="log",
    summary="See the game move by move: what happened, why, and what changed",
    answer=Replay,
    streams={NDJSON: (Frame,)},
    etag=True,
    problems=("unknown_game", "unknown_moment"),
)
async def replay_game(call: Call, query: ReplayQuery, caller: Player | None, game: UUID) -> Answer:
    """Frames, in a page or, by `Accept`, line by line: sentence, rule, what changed in the view of the caller (a JSON
    Patch, RFC 6902, on the view before), and what everybody has. A page may end within a turn only where the game does,
    or where `until` says so.
    """
    at = await moment(call, caller, game)
    head = at.position.head
    if query.after > head.seq:
        raise UnknownMoment(head)
    before = (await call.service.referee.position_at(game, query.after)).state if query.after else None
    line_by_line = call.media_type == NDJSON
    limit = query.limit
    if isinstance(limit, UnsetType):
        limit = MOST if line_by_line else PAGE
    last = head.seq if isinstance(query.until, UnsetType) else min(query.until, head.seq)
    events = last - query.after
    if query.by == "event":
        events = min(events, limit)
    told = frames(
        at.position.ruleset,
        before,
        await call.service.log.read(game, query.after, max(events, 0)),
        seat=at.seat,
        language=query.language,
        by=query.by,
        now=at.position.state,
    )
    told = islice(told, limit)
    if line_by_line:
        return StreamAnswer(_lines(told), NDJSON, whole=True)
    shown = await asyncio.to_thread(tuple, told)
    more = shown[-1].seq if shown and shown[-1].seq < last else None
    return answer(
        Replay(game, head.seq, head.hash.hex(), shown, more),
        head=head,
        tag=tag_of(call, head, seat=at.seat, language=query.language),
        Cache_Control="no-store",
        Vary=call.varies,
    )


async def _lines(told: Iterator[Frame]) -> AsyncGenerator[bytes, None]:
    while lines := await asyncio.to_thread(lambda: [encoded(frame) + b"\n" for frame in islice(told, CHUNK)]):
        yield b"".join(lines)

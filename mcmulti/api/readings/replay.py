"""The replay: page by page, or line by line."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from mcmulti.api.caching.moments import moment
from mcmulti.api.caching.representation import Perspective, Representation
from mcmulti.api.http.answers import Answer, StreamAnswer, encoded
from mcmulti.api.http.contract import NOTHING, Beside, Call, operation
from mcmulti.api.http.received import given
from mcmulti.api.reviews.live import review_standing
from mcmulti.api.reviews.operations import named_review
from mcmulti.api.streams.items import NDJSON
from mcmulti.domain.core.figures import MOST
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.item import AtMoment, Seq
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.reports.replay import HEAVIEST, By, Frame, Teller
from mcmulti.projections.reviews import ReviewedMove
from mcmulti.referee.feed import READ_ANEW, LogWentBack
from mcmulti.referee.ruling import UnknownMoment

PAGE = 100
"""The default number of frames on a page."""
PIECE = 125
"""Events described at a time, before other requests have their turn."""
MOST_FRAMES = 1000
"""The most frames of a page."""
MOST_DESCRIBED = 500
"""The most events that a response describes before its last frame."""


class ReplayQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: begin after this event. `until`: end with this one. `limit`: the most frames; by default 100 on a page,
    and those of 500 events line by line. `by`: a frame for each event, or one for each turn. `language`: of sentences
    and rules. `review`: add what the stored review of a finished game found, if there is one.
    """

    after: Seq = 0
    until: Seq | UnsetType = UNSET
    limit: Annotated[int, Meta(ge=1, le=MOST_FRAMES)] | UnsetType = UNSET
    by: By = "event"
    language: Language = "en"
    review: bool = False


class Replay(AtMoment, frozen=True):
    """A page of the replay. `seq` and `hash` are the head, `frames` the steps in order.

    `next` continues the page as ``after``, null at the end.
    """

    frames: Annotated[tuple[Frame, ...], Meta(max_length=MOST_FRAMES)]
    next: Seq | None


def _requests_per_page(query: ReplayQuery, media_type: str) -> int:
    """One request per ten events. A turn has about ten, so a page of 50 turns is full."""
    usual = MOST_DESCRIBED if media_type == NDJSON else PAGE
    limit = given(query.limit, usual)
    return 1 + min(limit if query.by == "event" else 10 * limit, MOST_DESCRIBED) // 10


async def _reviewed(call: Call, position: Position, past: bool) -> Beside:
    """The moves of the stored review, if they are requested and there is one."""
    query = call.parameters
    assert isinstance(query, ReplayQuery)
    if not query.review or position.ruleset.status(position.state) != "finished":
        return NOTHING
    history = call.service.referee.history
    found = (await review_standing(call.service.log, history, position.game_id, position.head)).found
    if found is None or found.fault is not None:
        return NOTHING
    moves = (await named_review(call, position, found, query.language)).moves
    return Beside(moves, msgspec.json.encode(moves))


@operation(
    "GET",
    "/v1/games/{game}/replay",
    tag="log",
    summary="Replay a game move by move: what happened, why, and what changed",
    answer=Replay,
    streams={NDJSON: (Frame,)},
    etag=True,
    problems=("unknown_moment",),
    cost=_requests_per_page,
    named=True,
    beside=_reviewed,
)
async def replay_game(call: Call, query: ReplayQuery, caller: Player | None, game: UUID) -> Answer:
    """Returns frames, in a page or, by `Accept`, line by line. Each has a sentence, a rule, the changes of your view (a
    JSON Patch, RFC 6902, on the view before), and what each player has. A response has fewer frames than `limit` if
    these have more than 500 events, and a page also if they have more than 1 MiB: it ends with the frame of the event
    that makes it that much. A turn with more events than that is several frames. Otherwise it ends within a turn only
    if the game does, or at `until`. Line by line, continue `after` the last frame until there is none.
    """
    at = await moment(call, game)
    head = at.position.head
    if query.after > head.seq:
        raise UnknownMoment(head)
    last = min(given(query.until, head.seq), head.seq)
    if call.media_type == NDJSON:
        limit = given(query.limit, MOST)
        told = _bounded(_frames(call, at, query, last, limit), MOST_DESCRIBED)
        return StreamAnswer(_frame_lines(told, call), NDJSON, whole=True)
    limit = given(query.limit, PAGE)

    async def page() -> Replay:
        shown: list[Frame] = []
        async for told in _bounded(_frames(call, at, query, last, limit), MOST_DESCRIBED, HEAVIEST):
            shown += told
        more = shown[-1].seq if shown and shown[-1].seq < last else None
        return Replay(game, head.seq, head.hash.hex(), tuple(shown), more)

    found = Representation(call, at)
    return found.answer(await found.get_or_make(page))


async def _bounded(
    told: AsyncGenerator[list[Frame], None], events: int, size: int = MOST
) -> AsyncGenerator[list[Frame], None]:
    """These frames, up to the one that makes it this number of events, or of bytes (`size`) of their data."""
    async with aclosing(told):
        async for frames in told:
            for number, frame in enumerate(frames, 1):
                events -= len(frame.happened)
                size -= sum([0 if each.data is UNSET else len(each.data) for each in frame.happened])
                if events <= 0 or size <= 0:
                    yield frames[:number]
                    return
            yield frames


async def _frames(
    call: Call,
    at: Perspective,
    query: ReplayQuery,
    last: int,
    limit: int,
) -> AsyncGenerator[list[Frame], None]:
    """Frames as they are made, a page of the log at a time: at most `limit`, up to the last event."""
    position, after = at.position, query.after
    game = position.game_id
    state = (await call.service.referee.position_at(game, after)).state if after else None
    teller = Teller(position.ruleset, state, at.seat, query.language, query.by, position.state, at.called)
    moves: tuple[ReviewedMove, ...] | None = at.beside.value
    by_event = None if moves is None else {move.seq: move for move in moves}
    while after < last and limit > 0:
        piece = min(PIECE, last - after, *([limit] if query.by == "event" else []))
        events = await call.service.log.read(game, after, piece)
        if not events:
            raise LogWentBack(READ_ANEW)
        after = events[-1].seq
        told = await call.service.apart(lambda: list(teller.follow(events)))  # noqa: B023 - awaited here
        yield _with_review(told[:limit], by_event)
        limit -= len(told)
    if limit > 0:
        yield _with_review(await call.service.apart(lambda: list(teller.rest())), by_event)


def _with_review(told: list[Frame], moves: Mapping[int, ReviewedMove] | None) -> list[Frame]:
    if moves is None:
        return told
    return [
        replace(frame, reviewed=tuple(moves[each.seq] for each in frame.happened if each.seq in moves))
        for frame in told
    ]


async def _frame_lines(told: AsyncGenerator[list[Frame], None], call: Call) -> AsyncGenerator[bytes, None]:
    async with aclosing(told):
        async for frames in told:
            if frames:
                yield await call.service.apart(lambda: b"".join([encoded(frame) + b"\n" for frame in frames]))  # noqa: B023

"""Rounds of a game, and the report of each."""

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Annotated, TypeVar
from uuid import UUID

from litestar import get
from litestar.params import FromPath
from msgspec import Meta, Struct

from mcmulti.api.answers import Answer
from mcmulti.api.caching import tag_of, unchanged
from mcmulti.api.contract import AnyRequest, Operation, accepted, answer, game_id, query
from mcmulti.api.moments import A_DAY
from mcmulti.api.problems import ApiError
from mcmulti.api.service import service
from mcmulti.domain.core.figures import Count
from mcmulti.domain.core.rounds import RoundReport
from mcmulti.domain.core.telling import Language
from mcmulti.events.envelope import Recorded
from mcmulti.events.item import Hash, Seq
from mcmulti.events.positions import Position
from mcmulti.events.redaction import for_reader
from mcmulti.projections.letters import as_markdown, as_text
from mcmulti.projections.reports import NoRounds, OpenRound, RoundSpan, UnknownRound, report, rounds

TEXT = "text/plain"
MARKDOWN = "text/markdown"
_NUMBER = re.compile(r"[1-9]\d{0,9}", re.ASCII)
_CODES = {NoRounds: "no_rounds", UnknownRound: "unknown_round", OpenRound: "open_round"}

T = TypeVar("T")


class RoundsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: only rounds behind this one. `limit`: at most so many."""

    after: Count = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100


class ReportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`language`: of the report."""

    language: Language = "en"


class Rounds(Struct, frozen=True):
    """The rounds of a game, in order. `seq` and `hash` are the head. `rounds`: a page of them.

    `next` continues the page as ``after``, null at the end.
    """

    game: UUID
    seq: Seq
    hash: Hash
    rounds: Annotated[tuple[RoundSpan, ...], Meta(max_length=1000)]
    next: Count | None


@get(
    "/v1/games/{game:str}/rounds",
    opt={
        "operation": Operation(
            id="listRounds",
            tag="log",
            summary="List the rounds of a game",
            answer=Rounds,
            query=RoundsQuery,
            auth="optional",
            headers=("If-None-Match",),
            etag=True,
            problems=("unknown_game", "no_rounds"),
        )
    },
)
async def list_rounds(request: AnyRequest, game: FromPath[str]) -> Answer:
    wanted = query(request, RoundsQuery)
    position, events = await _log(request, game)
    found = [each for each in await _read(rounds, events) if each.round > wanted.after]
    page, more = tuple(found[: wanted.limit]), len(found) > wanted.limit
    head = position.head
    shown = Rounds(position.game_id, head.seq, head.hash.hex(), page, page[-1].round if more else None)
    tag = tag_of(request, head)
    return unchanged(request, tag) or answer(shown, head=head, tag=tag, Cache_Control="no-cache")


@get(
    "/v1/games/{game:str}/rounds/{round:str}",
    opt={
        "operation": Operation(
            id="getRoundReport",
            tag="log",
            summary="Read the report of a round, as a referee would write it",
            answer=RoundReport,
            texts=(TEXT, MARKDOWN),
            query=ReportQuery,
            auth="optional",
            problems=("unknown_game", "unknown_round", "no_rounds", "open_round"),
        )
    },
)
async def get_round_report(
    request: AnyRequest,
    game: FromPath[str],
    round: FromPath[str],
) -> Answer:
    language = query(request, ReportQuery).language
    _, events = await _log(request, game)
    number = int(round) if _NUMBER.fullmatch(round) else 0
    written = {TEXT: as_text, MARKDOWN: as_markdown}.get(media_type := accepted(request))
    told = await _read(lambda log: report(log, number, language), events)
    return answer(
        told if written is None else written(told).encode(),
        media_type=media_type,
        Cache_Control=f"public, {A_DAY}",
        Vary="Accept",
    )


async def _log(request: AnyRequest, game: str) -> tuple[Position, Sequence[Recorded]]:
    """Where the game stands, and its log up to there as everybody may read it: a report cannot tell more."""
    await service(request).caller(request)
    position = await service(request).referee.position(game_id(game))
    return position, for_reader(position, None, await service(request).log.read(position.game_id, 0, position.head.seq))


async def _read(reading: Callable[[Sequence[Recorded]], T], events: Sequence[Recorded]) -> T:
    """A reading of the log, beside other requests."""
    try:
        return await asyncio.to_thread(reading, events)
    except (NoRounds, UnknownRound, OpenRound) as error:
        raise ApiError(_CODES[type(error)], str(error)) from None

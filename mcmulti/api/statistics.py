"""A game in figures."""

import asyncio
from uuid import UUID

from litestar import get
from litestar.params import FromPath
from msgspec import Struct

from mcmulti.api.answers import Answer
from mcmulti.api.caching import tag_of, unchanged
from mcmulti.api.contract import AnyRequest, Operation, query
from mcmulti.api.moments import A_DAY, MomentQuery, moment, shown
from mcmulti.api.service import service
from mcmulti.events.item import Hash, Seq
from mcmulti.projections.game_statistics import GameStatistics, game_statistics


class StatisticsOfGame(Struct, frozen=True):
    """A game in figures after event `seq`.

    `statistics`: the figures.
    """

    game: UUID
    seq: Seq
    hash: Hash
    statistics: GameStatistics


@get(
    "/v1/games/{game:str}/statistics",
    opt={
        "operation": Operation(
            id="getStatistics",
            tag="log",
            summary="See the game in figures: dice, luck, where the money came from and went",
            answer=StatisticsOfGame,
            query=MomentQuery,
            auth="optional",
            headers=("If-None-Match",),
            etag=True,
            problems=("unknown_game", "unknown_moment"),
        )
    },
)
async def get_statistics(request: AnyRequest, game: FromPath[str]) -> Answer:
    at = await moment(request, game, query(request, MomentQuery).at)
    position = at.position
    tag = tag_of(request, position.head)
    if known := unchanged(request, tag):
        return known
    events = await service(request).log.read(position.game_id, limit=position.head.seq)
    counted = await asyncio.to_thread(game_statistics, events)
    answer = StatisticsOfGame(position.game_id, position.head.seq, position.head.hash.hex(), counted)
    return shown(request, at, answer, tag, past=A_DAY)

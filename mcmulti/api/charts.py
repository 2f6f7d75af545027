"""Charts of games."""

import asyncio

from litestar import get
from litestar.params import FromPath

from mcmulti.api.answers import Answer
from mcmulti.api.caching import tag_of, unchanged
from mcmulti.api.contract import AnyRequest, Operation, query
from mcmulti.api.moments import moment
from mcmulti.api.pictures import SVG, PictureQuery, pictured
from mcmulti.api.problems import ApiError
from mcmulti.api.service import service
from mcmulti.projections.charts import CHARTS
from mcmulti.projections.charts import chart as drawn


@get(
    "/v1/games/{game:str}/charts/{chart:str}",
    opt={
        "operation": Operation(
            id="drawChart",
            tag="log",
            summary="See the course of a game as a chart: cash, net worth, prices or dice",
            json=False,
            texts=(SVG,),
            query=PictureQuery,
            auth="optional",
            headers=("If-None-Match",),
            etag=True,
            problems=("unknown_chart", "unknown_game", "unknown_moment"),
        )
    },
)
async def draw_chart(request: AnyRequest, game: FromPath[str], chart: FromPath[str]) -> Answer:
    wanted = query(request, PictureQuery)
    name = next((name for name in CHARTS if name == chart), None)
    if name is None:
        raise ApiError("unknown_chart", f"There is no chart {chart[:40]!r}; there are {', '.join(CHARTS)}.")
    at = await moment(request, game, wanted.at)
    tag = tag_of(request, at.position.head, language=wanted.language)
    if known := unchanged(request, tag):
        return known
    events = await service(request).log.read(at.position.game_id, limit=at.position.head.seq)
    return pictured(request, at, await asyncio.to_thread(drawn, name, events, wanted.language), tag)

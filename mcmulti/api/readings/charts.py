"""Charts of games."""

from uuid import UUID

from mcmulti.api.caching.moments import made_once, moment
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import DEAR, Call, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import Tags
from mcmulti.api.readings.pictures import SVG, PictureQuery
from mcmulti.events.ports.accounts import Player
from mcmulti.projections.charts.charts import drawn
from mcmulti.projections.charts.names import CHARTS, charts_of
from mcmulti.projections.charts.time_series import Curves


@operation(
    "GET",
    "/v1/games/{game}/charts/{chart}",
    id="drawChart",
    tag="log",
    summary="Draw the course of a game as a chart: cash, net worth, prices, dice, or luck",
    json=False,
    texts=(SVG,),
    problems=("unknown_chart",),
    cost=DEAR,
    readers="all",
    named=True,
)
async def draw_chart(
    call: Call, query: PictureQuery, caller: Player | None, game: UUID, chart: str, if_none_match: Tags
) -> Answer:
    """Shows one line per player or price over the turns, with the phases of the economy shaded in the background.
    `dice` shows how often each die showed each face, compared with what is expected. `luck` shows what the dice brought
    each player, as a percentage of that. The rule set lists the `charts` of its games. Cash and net worth that multiply
    use a logarithmic scale. The chart is 800 pixels wide, has light and dark colors, and gives the figures in words for
    screen readers.
    """
    name = next((name for name in CHARTS if name == chart), None)
    if name is None:
        raise ApiError("unknown_chart", f"There is no chart {chart[:40]!r}. Available: {', '.join(CHARTS)}.")
    at = await moment(call, game, query.at)
    ruleset = at.position.ruleset
    if name not in charts_of(ruleset):
        has = ", ".join(charts_of(ruleset))
        raise ApiError("unknown_chart", f"Games of {ruleset.title} have no chart {name!r}. Available: {has}.")

    async def made() -> bytes:
        curves = await call.service.folds.reach(at.position, Curves, Curves)
        return await call.service.apart(lambda: drawn(name, curves.series(at.called), query.language))

    return await made_once(call, at, if_none_match, made)

"""Orders before a round: try them out."""

import asyncio

from litestar import post
from litestar.params import FromPath
from msgspec import Struct

from mcmulti.api.answers import Answer
from mcmulti.api.contract import AnyRequest, Operation, answer, body, game_id, query
from mcmulti.api.play import seated
from mcmulti.api.problems import ApiError
from mcmulti.api.service import service
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.telling import Language
from mcmulti.domain.rulesets import CURRENT
from mcmulti.projections.forecasts import Forecast, forecast


class ForecastQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`language`: of sentences."""

    language: Language = "en"


ORDERS = tuple(ruleset.orders.sheet for ruleset in CURRENT.values() if ruleset.orders is not None)


@post(
    "/v1/games/{game:str}/forecast",
    opt={
        "operation": Operation(
            id="forecastOrders",
            tag="play",
            summary="Try orders out before the round",
            body=ORDERS,
            answer=Forecast,
            query=ForecastQuery,
            auth="required",
            etag=True,
            problems=("no_seat", "unknown_game", "no_orders", "refused"),
        )
    },
)
async def forecast_orders(request: AnyRequest, game: FromPath[str]) -> Answer:
    language = query(request, ForecastQuery).language
    player = await service(request).player(request)
    position = await service(request).referee.position(game_id(game))
    ruleset = position.ruleset
    if ruleset.orders is None:
        raise ApiError("no_orders", f"{ruleset.title} is played without orders before a round.")
    orders = await body(request, ruleset.orders.sheet)
    told = await asyncio.to_thread(forecast, position, seated(position, player), orders, language)
    if isinstance(told, Rejection):
        raise ApiError(told.code, told.detail, rule=told.rule, field=told.field, limit=told.limit)
    return answer(told, status=200, head=position.head, Cache_Control="no-store")

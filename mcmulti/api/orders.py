"""Orders before a round: try them out."""

import asyncio
from uuid import UUID

from mcmulti.api.answers import Answer
from mcmulti.api.contract import Call, LanguageQuery, answer, operation
from mcmulti.api.moments import named_moment
from mcmulti.api.play import seated
from mcmulti.api.problems import ApiError
from mcmulti.api.received import read_body
from mcmulti.api.refusals import refusal
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log import Player
from mcmulti.projections.forecasts import Forecast, forecast

ORDERS = tuple(ruleset.orders.sheet for ruleset in CURRENT.values() if ruleset.orders is not None)


@operation(
    "POST",
    "/v1/games/{game}/forecast",
    id="forecastOrders",
    tag="play",
    summary="Try orders out before the round",
    body=ORDERS,
    answer=Forecast,
    etag=True,
    problems=("no_seat", "unknown_game", "no_orders", "refused"),
)
async def forecast_orders(call: Call, query: LanguageQuery, caller: Player, game: UUID, body: bytes) -> Answer:
    """What an order sheet would lead to if its player were at turn now, before any dice, and what looks like a mistake
    in it. Nothing is sent by it: it appends nothing, and tells nothing that is sealed.
    """
    position = (await named_moment(call, caller, game)).position
    ruleset = position.ruleset
    if ruleset.orders is None:
        raise ApiError("no_orders", f"{ruleset.title} is played without orders before a round.")
    orders = read_body(body, ruleset.orders.sheet)
    told = await asyncio.to_thread(forecast, position, seated(position, caller, query.language), orders, query.language)
    if isinstance(told, Rejection):
        raise refusal(ruleset, told, query.language)
    return answer(told, status=200, head=position.head, Cache_Control="no-store")

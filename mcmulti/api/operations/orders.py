"""Orders before a round: try them out, and read those that were sent."""

import asyncio
from typing import Any
from uuid import UUID

from mcmulti.api.caching.moments import named_moment
from mcmulti.api.caching.representation import Representation
from mcmulti.api.http.answers import Answer, encoded
from mcmulti.api.http.contract import Call, LanguageQuery, answer, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import JSON, Tags, media_type_sent, read_body
from mcmulti.api.operations.play import seated
from mcmulti.api.telling.refusals import refusal, unread
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.rounds import UnreadOrders
from mcmulti.domain.core.ruleset import Orders
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.positions import Position
from mcmulti.events.store.ports import Player
from mcmulti.projections.reports.forecasts import Forecast, WaitingOrders, forecast, waiting_orders, waiting_text

ORDERS = tuple(ruleset.orders.sheet for ruleset in CURRENT.values() if ruleset.orders is not None)
TEXT = "text/plain"


@operation(
    "POST",
    "/v1/games/{game}/forecast",
    id="forecastOrders",
    tag="play",
    summary="Try orders out before the round",
    body=ORDERS,
    body_texts=(TEXT,),
    answer=Forecast,
    etag=True,
    problems=("no_seat", "unknown_game", "no_orders", "unread_orders", "refused"),
)
async def forecast_orders(call: Call, query: LanguageQuery, caller: Player, game: UUID, body: bytes) -> Answer:
    """What an order sheet would lead to if its player were at turn now, before any dice, and what looks like a mistake
    in it. The sheet is sent as data, or as text in the game's notation (`Content-Type: text/plain`); the answer has
    both. Nothing is sent by it: it appends nothing, and tells nothing that is sealed.
    """
    position = (await named_moment(call, caller, game)).position
    sheet = _planning(position).sheet
    orders = read_body(body, sheet) if media_type_sent(call.request) == JSON else _text(body)
    seat = seated(position, caller, query.language)
    try:
        told = await asyncio.to_thread(forecast, position, seat, orders, query.language)
    except UnreadOrders as error:
        raise unread(error, query.language) from None
    if isinstance(told, Rejection):
        raise refusal(position.ruleset, told, query.language)
    return answer(told, status=200, head=position.head, Cache_Control="no-store")


@operation(
    "GET",
    "/v1/games/{game}/orders",
    id="listOrders",
    tag="play",
    summary="Read your orders that wait to be carried out",
    answer=WaitingOrders,
    texts=(TEXT,),
    etag=True,
    problems=("no_seat", "unknown_game", "no_orders"),
)
async def list_orders(call: Call, query: LanguageQuery, caller: Player, game: UUID, if_none_match: Tags) -> Answer:
    """What you sent for rounds that are not refereed yet: as JSON with the commands that sent it, or as text in the
    game's notation, by `Accept`. Others never see it.
    """
    position = await call.service.referee.position(game)
    _planning(position)
    seat = seated(position, caller, query.language)
    told = Representation(call, game, position.head, seat)

    def write() -> bytes:
        if call.media_type == TEXT:
            return waiting_text(position, seat).encode()
        return encoded(waiting_orders(position, seat))

    return told.unchanged(if_none_match) or told.answer(told.written(write))


def _planning(position: Position) -> Orders[Any]:
    planning = position.ruleset.orders
    if planning is None:
        raise ApiError("no_orders", f"{position.ruleset.title} is played without orders before a round.")
    return planning


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise ApiError("invalid_body", f"The body is not UTF-8: {error.reason}.") from None

"""Orders before a round: try them out, and read the ones you sent."""

import asyncio
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct

from mcmulti.api.caching.moments import moment
from mcmulti.api.caching.representation import Perspective, Representation
from mcmulti.api.http.answers import Answer, encoded
from mcmulti.api.http.contract import Call, LanguageQuery, answer, operation
from mcmulti.api.http.problems import ApiError, refused_as
from mcmulti.api.http.received import Tags, read_body
from mcmulti.api.operations.play import seated
from mcmulti.api.telling.refusals import refusal, unread
from mcmulti.domain.core.capabilities.rounds import Orders, UnreadOrders, orders_of
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.metering import metered
from mcmulti.projections.reports.forecasts import Forecast, WaitingOrders, forecast, waiting_orders, waiting_text

ORDERS = tuple(orders.sheet for orders in map(orders_of, CURRENT.values()) if orders is not None)
TEXT = "text/plain"
MOST_TEXT = 150_000
"""The most characters of orders in words: more than the longest sheet needs."""


class OrderText(Struct, frozen=True, forbid_unknown_fields=True):
    """Orders before a round, as a `text` in the game's notation."""

    # In JSON, since many client generators ignore bodies of plain text.
    text: Annotated[
        str, Meta(max_length=MOST_TEXT, description="The orders, one per line."), refused_as("unread_orders")
    ]


@operation(
    "POST",
    "/v1/games/{game}/forecast",
    tag="play",
    summary="Try out orders before the round",
    body=ORDERS,
    answer=Forecast,
    etag=True,
    problems=("no_seat", "no_orders", "refused"),
    named=True,
)
async def forecast_orders(call: Call, query: LanguageQuery, caller: Player, game: UUID, body: bytes) -> Answer:
    """Returns what an order sheet would lead to if it were its player's turn now, before any dice, and lists likely
    mistakes. The response also has the sheet as text in the game's notation. Nothing is appended, and nothing sealed is
    revealed.
    """
    at = await moment(call, game)
    orders = read_body(body, _planning(at.position).sheet)
    return await _forecast(at, orders, query.language)


@operation(
    "POST",
    "/v1/games/{game}/forecast/text",
    tag="play",
    summary="Try out orders before the round, from text",
    answer=Forecast,
    etag=True,
    problems=("no_seat", "no_orders", "refused"),
    named=True,
)
async def forecast_text(call: Call, query: LanguageQuery, caller: Player, game: UUID, body: OrderText) -> Answer:
    """Like `forecastOrders`, for a sheet in the game's notation. The response has the `command` that sends it."""
    at = await moment(call, game)
    _planning(at.position)
    return await _forecast(at, body.text, query.language)


async def _forecast(at: Perspective, orders: Struct | str, language: Language) -> Answer:
    position, seat = at.position, seated(at, language)
    try:
        told = await asyncio.to_thread(metered, forecast, position, seat, orders, language)
    except UnreadOrders as error:
        raise unread(error, language) from None
    if isinstance(told, Rejection):
        raise refusal(position.ruleset, told, language)
    return answer(told, head=position.head, Cache_Control="no-store")


@operation(
    "GET",
    "/v1/games/{game}/orders",
    tag="play",
    summary="List your pending orders",
    answer=WaitingOrders,
    texts=(TEXT,),
    problems=("no_seat", "no_orders"),
)
async def list_orders(call: Call, query: LanguageQuery, caller: Player, game: UUID, if_none_match: Tags) -> Answer:
    """Returns what you sent for rounds that have not been refereed yet. By `Accept`, it is JSON with the commands that
    sent it, or text in the game's notation. Others never see it.
    """
    at = await moment(call, game)
    position = at.position
    _planning(position)
    seat, told = seated(at, query.language), Representation(call, at)

    def write() -> bytes:
        if call.media_type == TEXT:
            return waiting_text(position, seat).encode()
        return encoded(waiting_orders(position, seat))

    return told.unchanged(if_none_match) or told.answer(told.written(write))


def _planning(position: Position) -> Orders[Any]:
    planning = orders_of(position.ruleset)
    if planning is None:
        raise ApiError("no_orders", f"{position.ruleset.title} has no orders before a round.")
    return planning

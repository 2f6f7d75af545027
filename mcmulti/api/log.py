"""The log, page by page."""

from typing import Annotated

from litestar import Response, get
from litestar.params import FromPath
from msgspec import Meta, Struct

from mcmulti.api.contract import AnyRequest, Operation, answer, game_id, query
from mcmulti.api.service import service
from mcmulti.api.wire import Events, Seq, item


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`after`: only events behind this one. `wait`: seconds to wait for the first of them, if there is none yet."""

    after: Seq = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] = 100
    wait: Annotated[int, Meta(ge=0, le=60)] = 0


@get(
    "/v1/games/{game:str}/events",
    opt={
        "operation": Operation(
            id="listEvents",
            tag="log",
            summary="Read the log",
            answer=Events,
            query=EventsQuery,
            auth="optional",
            etag=True,
            problems=("unknown_game",),
        )
    },
)
async def list_events(request: AnyRequest, game: FromPath[str]) -> Response[bytes]:
    wanted = query(request, EventsQuery)
    await service(request).caller(request)
    head, events = await service(request).referee.events(game_id(game), wanted.after, wanted.limit, wanted.wait)
    last = events[-1].seq if events else wanted.after
    page = Events(
        game_id(game),
        head.seq,
        head.hash.hex(),
        tuple(item(event) for event in events),
        last if last < head.seq else None,
    )
    return answer(page, head=head, Cache_Control="no-cache", Vary="Authorization")

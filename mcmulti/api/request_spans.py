"""A span for each request: which operation, of which game, and how it ended."""

from contextlib import suppress
from typing import Any

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from mcmulti.api.http.contract import Operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import game_id
from mcmulti.api.logging import note, request_id
from mcmulti.metrics import NO_OPERATION
from mcmulti.tracing import span


class RequestSpans(ASGIMiddleware):
    """Begins a span around a request. Client `traceparent` headers are ignored, since anybody could send them."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass the request on, in a span."""
        handler: Any = scope.get("route_handler")
        declared: Operation | None = None if handler is None else handler.opt.get("operation")
        method = str({**scope}.get("method"))
        facts = {"http.request.method": method, "request_id": request_id()}
        if declared is not None:
            facts["http.route"] = declared.path
            game = scope["path_params"].get("game", "")
            with suppress(ApiError):  # otherwise it is free text of the client
                facts["game_id"] = str(game_id(game))

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered.set_attributes(**{"http.response.status_code": message["status"]})
            await send(message)

        with span(declared.id if declared else NO_OPERATION, **facts) as answered:
            if answered.trace_id:
                note(trace_id=answered.trace_id)
            await next_app(scope, receive, send_on)

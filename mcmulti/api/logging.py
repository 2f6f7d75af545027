"""A log line for every request, as JSON or for people, with what the request was about."""

import logging
import sys
import time
from uuid import uuid4

import structlog
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

_log = structlog.get_logger(__name__)


class RequestLog(ASGIMiddleware):
    """Binds a request id and the game to every line that is logged meanwhile, and logs how the request ended."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        request_id = uuid4().hex
        about = {"request_id": request_id}
        game = scope.get("path_params", {}).get("game")
        if game is not None:
            about["game_id"] = str(game)
        started = time.perf_counter()
        status = 0

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        with structlog.contextvars.bound_contextvars(**about):
            try:
                await next_app(scope, receive, send_on)
            finally:
                _log.info(
                    "request",
                    method=scope.get("method"),
                    path=scope["path"],
                    status=status,
                    milliseconds=round((time.perf_counter() - started) * 1000, 1),
                )


def configure(*, json: bool, level: str = "info") -> None:
    """Send the log to standard error: a JSON object a line, or lines for people. Warnings of libraries go with it."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=False)
    )
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=renderer, foreign_pre_chain=shared))
    logging.basicConfig(handlers=[handler], level=max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()]))

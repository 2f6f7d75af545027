"""The short path from a route to its handler."""

from collections.abc import Iterator
from functools import cache
from inspect import signature
from typing import Any, Literal

from litestar import Litestar, Request, Router
from litestar.config.app import AppConfig
from litestar.enums import ScopeType
from litestar.handlers import HTTPRouteHandler
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from mcmulti.api.http.failures import answer_misrouted, answer_problem

READ: tuple[Literal["GET"], Literal["HEAD"]] = ("GET", "HEAD")
"""The methods of what can be read: one route answers both, and responses to HEAD leave out the body."""
STATUS = {"DELETE": 200}
"""Statuses that Litestar must be given, or it assumes responses without a body."""


class Direct(ASGIMiddleware):
    """Calls the handlers of operations, which take the request and return responses.

    Litestar would look for dependencies, cookies, forms, and response conversions. No operation has any, which
    `refuse_bypassed` checks, and the search takes longer than everything else that Litestar does.
    """

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Respond to the request, unless its route is not an operation."""
        handler = scope["route_handler"]
        if "operation" not in handler.opt:
            await next_app(scope, receive, send)
            return
        try:
            answer = await handler.fn(Request(scope, receive, send))
        except Exception as error:
            answer = answer_problem(error)
        await answer(scope, receive, send)


def without_guests(config: AppConfig) -> AppConfig:
    """Remove what Litestar adds for other installed libraries, so that behavior does not depend on them."""
    guests = ("litestar.plugins.pydantic", "litestar.plugins.attrs")
    config.plugins[:] = [plugin for plugin in config.plugins if not type(plugin).__module__.startswith(guests)]
    return config


def refuse_bypassed(app: Litestar) -> None:
    """Refuse an application whose operations use Litestar features that the short path bypasses, on any layer.

    Raises RuntimeError, which names the operation and the feature.
    """
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            asked = [*_bypassed(handler)] if "operation" in handler.opt else []
            if asked:
                raise RuntimeError(
                    f"Litestar would not see to {', '.join(asked)} for {handler.opt['operation'].id}: "
                    "operations are called directly (mcmulti.api.http.direct)."
                )


def _bypassed(handler: HTTPRouteHandler) -> Iterator[str]:
    """Features that the layers of a handler use, and plain ones do not."""
    for layer in handler.ownership_layers:
        kind, plain, options = next(
            found for type_, *found in _layer_kinds(frozenset(handler.http_methods)) if isinstance(layer, type_)
        )
        for option in options:
            if getattr(layer, option, None) != getattr(plain, option, None):
                yield f"{option} of the {kind}"
    if not isinstance([None, *handler.app.middleware][-1], Direct):
        yield "middleware that does not stand before Direct"


@cache
def _layer_kinds(methods: frozenset[Any]) -> tuple[tuple[Any, str, Any, list[str]], ...]:
    """The kinds of layers, from specific to general: a plain one, and its possible features."""
    app = Litestar(
        exception_handlers={Exception: answer_misrouted},
        openapi_config=None,
        logging_config=None,
        on_app_init=[without_guests],
    )
    router = Router("/", route_handlers=[])
    handler = HTTPRouteHandler(http_method=[*methods], status_code=STATUS.get(min(methods)))
    layered = {*signature(Router).parameters} - {"path", "route_handlers", "opt"}
    behind = {"after_exception", "allowed_hosts", "compression_config", "csrf_config"}  # the middleware
    own = {*signature(HTTPRouteHandler).parameters} - {"path", "http_method", "name", "opt", "media_type"}
    return (
        (Litestar, "application", app, sorted((layered | behind) - {"middleware"})),
        (Router, "router", router, sorted(layered)),
        (HTTPRouteHandler, "handler", handler, sorted(own)),
    )

"""Requests without a route: 404 and 405 pass the same layers as every request."""

from collections.abc import Sequence
from functools import partial

from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from mcmulti.api.http.failures import answer_problem
from mcmulti.api.operations.pages import missing


def counting_all(router: ASGIApp, otherwise: ASGIApp, layers: Sequence[ASGIMiddleware]) -> ASGIApp:
    """The application with these layers around the router, the outermost first, so that its own refusals pass them too.

    Litestar has layers only around handlers. `otherwise` takes what is not HTTP.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await otherwise(scope, receive, send)
            return
        try:
            await router(scope, receive, send)
        except HTTPException as error:
            if "route_handler" in {**scope}:  # set once there is a route
                raise
            refused: ASGIApp = (missing(scope) if error.status_code == 404 else None) or answer_problem(error)
            for layer in reversed(layers):
                refused = partial(layer.handle, next_app=refused)
            await refused(scope, receive, send)

    return answer

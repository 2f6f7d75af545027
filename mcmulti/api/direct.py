"""The short way from a route to its handler."""

from litestar import Request
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from mcmulti.api.contract import AnyRequest, accepted
from mcmulti.api.failures import answer_problem


class Direct(ASGIMiddleware):
    """Calls the handlers of operations, which take the request and what stands in the path, and return answers.

    Litestar would look for dependencies, cookies, forms and responses to convert on the way. No operation has any, and
    that takes longer than all the rest that Litestar does.
    """

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Answer the request, unless its route is no operation."""
        handler = scope["route_handler"]
        if "operation" not in handler.opt:
            await next_app(scope, receive, send)
            return
        request: AnyRequest = Request(scope, receive, send)
        try:
            accepted(request)  # before anything is done
            answer = await handler.fn(request=request, **scope["path_params"])
        except Exception as error:
            answer = answer_problem(error)
        await answer(scope, receive, send)

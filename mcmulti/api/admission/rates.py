"""Rate limits: each player, or each address, has so many requests in a window of time.

A token counts once its player is known here; until then its requests are those of the address they come from, so that
invented tokens give nothing. A request counts as many as its operation declares (`cost`). Those of all bots together
have a limit besides, so that people have the rest of the server, however many bots there are.
"""

from litestar import Request
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from mcmulti.api.admission.gate import Admission
from mcmulti.api.admission.quotas import Charge, Quotas, address_of
from mcmulti.api.http.contract import Operation
from mcmulti.api.http.failures import answer_problem
from mcmulti.api.http.problems import ApiError
from mcmulti.api.http.received import AnyRequest, accepted, read_query
from mcmulti.api.service import Service
from mcmulti.events.ports.accounts import Player


class RateLimits(ASGIMiddleware):
    """Refuses requests over the limit with 429; the state of health is exempt, for who watches over a server."""

    scopes = (ScopeType.HTTP,)
    exclude_path_pattern = ("^/healthz$", "^/readyz$")

    def __init__(self, admission: Admission, service: Service) -> None:
        self._service = service
        self._quotas = Quotas({"requests": admission.rate_limit, "bot_requests": admission.bot_requests})

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Count the request, and pass it on if it is within the limits."""
        player, cost = self._caller(scope), _cost(scope)
        who = address_of(scope) if player is None else player.player_id.hex
        charges = [Charge("requests", who, cost)]
        if player is not None and player.kind == "bot":
            charges.append(Charge("bot_requests", "all bots", cost))
        try:
            told = await self._quotas.take(*charges)
        except ApiError as over:
            await answer_problem(over)(scope, receive, send)
            return
        headers = [(name.lower().encode(), value.encode()) for name, value in told.items()]

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        await next_app(scope, receive, send_on)

    def _caller(self, scope: Scope) -> Player | None:
        for name, value in scope["headers"]:
            if name == b"authorization":
                return self._service.callers.seen(value.decode("latin-1"))
        return None


def _cost(scope: Scope) -> int:
    """As how many a request counts; one that reached no operation, or whose query does not fit, takes no time."""
    handler = {**scope}.get("route_handler")
    declared: Operation | None = None if handler is None else handler.opt.get("operation")  # type: ignore[attr-defined]
    if declared is None:
        return 1
    if isinstance(declared.cost, int):
        return declared.cost
    request: AnyRequest = Request(scope)
    try:
        return declared.cost(read_query(request, declared.query), accepted(request, declared.media_types))
    except ApiError:
        return 1

"""Rate limits: each player, or each address, has so many requests in a window of time.

A token counts once its player is known here; until then its requests are those of the address they come from, so that
invented tokens give nothing. Of IPv6, whoever has one address has all of its /64 network.

The answers tell the state in the headers of the IETF draft "RateLimit header fields for HTTP" (version 10).
"""

import time
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from mcmulti.api.failures import answer_problem
from mcmulti.api.problems import ApiError
from mcmulti.api.service import Service


def limit_of(text: str) -> RateLimitItem:
    """A limit such as ``100/second`` or ``2000/10 seconds``; raises ValueError for anything else."""
    return parse(text)


class RateLimits(ASGIMiddleware):
    """Refuses requests over the limit with 429; the state of health is exempt, for who watches over a server."""

    scopes = (ScopeType.HTTP,)
    exclude_path_pattern = ("^/healthz$", "^/readyz$")

    def __init__(self, limit: RateLimitItem, service: Service) -> None:
        self._service = service
        self._limit = limit
        self._windows = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._policy = f'"requests";q={limit.amount};w={limit.get_expiry()}'.encode()

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Count the request, and pass it on if it is within the limit."""
        caller = self._caller(scope)
        within = await self._windows.hit(self._limit, caller)
        window = await self._windows.get_window_stats(self._limit, caller)
        seconds = max(1, ceil(window.reset_time - time.time()))
        state = f'"requests";r={window.remaining};t={seconds}'.encode()
        headers = [(b"ratelimit-policy", self._policy), (b"ratelimit", state)]

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        if not within:
            detail = f"No more than {self._limit.amount} requests in {self._limit.get_expiry()} seconds."
            refusal = answer_problem(ApiError("too_many_requests", detail, {"Retry-After": str(seconds)}))
            await refusal(scope, receive, send_on)
            return
        await next_app(scope, receive, send_on)

    def _caller(self, scope: Scope) -> str:
        for name, value in scope["headers"]:
            if name == b"authorization":
                player = self._service.known(value.decode("latin-1"))
                if player is not None:
                    return player.player_id.hex
        client = scope.get("client")
        return neighbours(client[0]) if client else "unknown"


@lru_cache(maxsize=4096)
def neighbours(address: str) -> str:
    """Whom an address belongs to: what is counted together."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    return str(ip.ipv4_mapped or IPv6Network((int(ip) >> 64 << 64, 64)))

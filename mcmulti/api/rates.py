"""Rate limits: each token, or each address without one, has so many requests in a window of time.

The answers tell the state in the headers of the IETF draft "RateLimit header fields for HTTP" (version 10).
"""

import time
from hashlib import sha256
from math import ceil

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from mcmulti.api.problems import ApiError


def limit_of(text: str) -> RateLimitItem:
    """A limit such as ``100/second`` or ``2000/10 seconds``; raises ValueError for anything else."""
    return parse(text)


class RateLimits(ASGIMiddleware):
    """Refuses requests over the limit with 429; the state of health is exempt, for who watches over a server."""

    scopes = (ScopeType.HTTP,)
    exclude_path_pattern = ("^/healthz$", "^/readyz$")

    def __init__(self, limit: RateLimitItem) -> None:
        self._limit = limit
        self._windows = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._policy = f'"requests";q={limit.amount};w={limit.get_expiry()}'.encode()

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Count the request, and pass it on if it is within the limit."""
        caller = _caller(scope)
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
            raise ApiError(
                "too_many_requests",
                f"No more than {self._limit.amount} requests in {self._limit.get_expiry()} seconds.",
                {"Retry-After": str(seconds), **{name.decode(): value.decode() for name, value in headers}},
            )
        await next_app(scope, receive, send_on)


def _caller(scope: Scope) -> str:
    """The hash of the token, or the address; what stands in the header is not checked here."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            return sha256(value).hexdigest()
    client = scope.get("client")
    return client[0] if client else "unknown"

"""Rate limits: each player, or each address, has so many requests in a window of time.

A token counts once its player is known here; until then its requests are those of the address they come from, so that
invented tokens give nothing. Of IPv6, whoever has one address has all of its /64 network.

A request counts as many as its operation declares (`cost`). What leaves something behind for good, a registration or a
new game, has a limit of its own (`quota`), for the address and for the player.

The answers tell the state in the headers of the IETF draft "RateLimit header fields for HTTP" (version 10).
"""

import time
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from typing import NamedTuple

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from litestar import Request
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from mcmulti.api.admission import Admission
from mcmulti.api.contract import Operation
from mcmulti.api.failures import answer_problem
from mcmulti.api.problems import ApiError
from mcmulti.api.received import AnyRequest, accepted, read_query
from mcmulti.api.service import Service
from mcmulti.metrics import QUOTA_REFUSALS


def limit_of(text: str) -> RateLimitItem:
    """A limit such as ``100/second`` or ``2000/10 seconds``; raises ValueError for anything else."""
    return parse(text)


class RateLimits(ASGIMiddleware):
    """Refuses requests over the limit with 429; the state of health is exempt, for who watches over a server."""

    scopes = (ScopeType.HTTP,)
    exclude_path_pattern = ("^/healthz$", "^/readyz$")

    def __init__(self, admission: Admission, service: Service) -> None:
        self._service = service
        limits = {
            "requests": admission.rate_limit,
            "registrations": admission.registrations,
            "new_games": admission.new_games,
        }
        self._limits = {name: limit_of(text) for name, text in limits.items() if text is not None}
        self._windows = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Count the request, and pass it on if it is within the limits."""
        headers: list[tuple[bytes, bytes]] = []

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        for count in self._counts(scope):
            limit = self._limits[count.quota]
            within = await self._windows.hit(limit, count.quota, count.who, cost=min(count.cost, limit.amount))
            window = await self._windows.get_window_stats(limit, count.quota, count.who)
            seconds = max(1, ceil(window.reset_time - time.time()))
            policy = f'"{count.quota}";q={limit.amount};w={limit.get_expiry()}'
            headers += [
                (b"ratelimit-policy", policy.encode()),
                (b"ratelimit", f'"{count.quota}";r={window.remaining};t={seconds}'.encode()),
            ]
            if not within:
                QUOTA_REFUSALS.labels(count.quota).inc()
                await answer_problem(_refusal(count, limit, seconds))(scope, receive, send_on)
                return
        await next_app(scope, receive, send_on)

    def _counts(self, scope: Scope) -> list["Charge"]:
        """What a request counts as, and for whom."""
        declared = _declared(scope)
        caller, address = self._caller(scope), _address(scope)
        counts = [Charge("requests", caller, _cost(scope, declared))] if "requests" in self._limits else []
        if declared is not None and declared.quota in self._limits:
            counts += [Charge(declared.quota, who, 1) for who in dict.fromkeys((caller, address))]
        return counts

    def _caller(self, scope: Scope) -> str:
        for name, value in scope["headers"]:
            if name == b"authorization":
                player = self._service.known(value.decode("latin-1"))
                if player is not None:
                    return player.player_id.hex
        return _address(scope)


class Charge(NamedTuple):
    """So many of a quota for a player or an address."""

    quota: str
    who: str
    cost: int


def _refusal(count: Charge, limit: RateLimitItem, seconds: int) -> ApiError:
    what = count.quota.replace("_", " ")
    detail = f"No more than {limit.amount} {what} in {limit.get_expiry()} seconds."
    if count.cost > 1:
        detail = f"{detail} This request counts as {count.cost}."
    more: dict[str, int | str | None] = {"quota": count.quota, "retry_after": seconds}
    return ApiError("too_many_requests", detail, {"Retry-After": str(seconds)}, **more)


def _declared(scope: Scope) -> Operation | None:
    """The operation that is asked for; None if the request reached none."""
    handler = {**scope}.get("route_handler")
    return None if handler is None else handler.opt.get("operation")  # type: ignore[attr-defined]


def _cost(scope: Scope, declared: Operation | None) -> int:
    """As how many a request counts; one whose query does not fit takes no time."""
    cost = 1 if declared is None else declared.cost
    if declared is None or isinstance(cost, int):
        return 1 if not isinstance(cost, int) else cost
    request: AnyRequest = Request(scope)
    try:
        return cost(read_query(request, declared.query), accepted(request, declared.media_types))
    except ApiError:
        return 1


def _address(scope: Scope) -> str:
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

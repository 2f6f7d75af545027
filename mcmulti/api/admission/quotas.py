"""Quotas: an amount of something in a window of time, for a player or for an address.

For IPv6, all addresses of a /64 network count as one. Headers report the state, following the IETF draft "RateLimit
header fields for HTTP" (version 10). Each worker counts for itself.
"""

import time
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from typing import NamedTuple

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from litestar.types import Scope

from mcmulti.api.http.problems import ApiError, Quota
from mcmulti.metrics import QUOTA_REFUSALS


def limit_of(text: str) -> RateLimitItem:
    """Parse a limit such as ``100/second`` or ``2000/10 seconds``. Raises ValueError for anything else."""
    return parse(text)


class Charge(NamedTuple):
    """An amount of a quota, and who is charged: the id of a player, an address, or a name for several together."""

    quota: Quota
    who: str
    cost: int = 1


class Quotas:
    """Limits by quota, in the format of `limit_of`; a quota without one is unlimited."""

    def __init__(self, limits: Mapping[Quota, str | None]) -> None:
        self._limits = {quota: limit_of(text) for quota, text in limits.items() if text is not None}
        self._windows = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def charge(self, *charges: Charge) -> dict[str, str]:
        """Count the charges. Returns headers with the remainder. Raises a problem, with these headers, at the first one
        exceeded.
        """
        policies: list[str] = []
        states: list[str] = []
        for quota, who, cost in charges:
            limit = self._limits.get(quota)
            if limit is None:
                continue
            within = await self._windows.hit(limit, quota, who, cost=min(cost, limit.amount))
            window = await self._windows.get_window_stats(limit, quota, who)
            seconds = max(1, ceil(window.reset_time - time.time()))
            policies.append(f'"{quota}";q={limit.amount};w={limit.get_expiry()}')
            states.append(f'"{quota}";r={window.remaining};t={seconds}')
            if not within:
                raise _over(quota, limit, cost, seconds, _headers(policies, states))
        return _headers(policies, states)

    async def room(self, quota: Quota, *payers: str) -> None:
        """Raise a problem if a payer has nothing left of a quota that is charged afterward, see `spend`."""
        limit = self._limits.get(quota)
        if limit is None:
            return
        for who in payers:
            window = await self._windows.get_window_stats(limit, quota, who)
            if window.remaining <= 0:
                seconds = max(1, ceil(window.reset_time - time.time()))
                policy, state = f'"{quota}";q={limit.amount};w={limit.get_expiry()}', f'"{quota}";r=0;t={seconds}'
                raise _over(quota, limit, 1, seconds, _headers([policy], [state]))

    async def spend(self, quota: Quota, cost: int, *payers: str) -> None:
        """Charge the actual cost of a request to each payer, at most what that one has left."""
        limit = self._limits.get(quota)
        if limit is None:
            return
        for who in payers:
            window = await self._windows.get_window_stats(limit, quota, who)
            await self._windows.hit(limit, quota, who, cost=min(cost, window.remaining))


def joined(told: Mapping[str, str], more: Mapping[str, str]) -> dict[str, str]:
    """Merge headers about limits, each into one line."""
    return {**told, **{name: f"{told[name]}, {value}" if name in told else value for name, value in more.items()}}


def _headers(policies: Iterable[str], states: Iterable[str]) -> dict[str, str]:
    told = {"RateLimit-Policy": ", ".join(policies), "RateLimit": ", ".join(states)}
    return {name: value for name, value in told.items() if value}


def _over(quota: Quota, limit: RateLimitItem, cost: int, seconds: int, headers: dict[str, str]) -> ApiError:
    detail = f"No more than {limit.amount} {quota.replace('_', ' ')} in {limit.get_expiry()} seconds."
    if cost > 1:
        detail = f"{detail} This request counts as {cost}."
    return refused(quota, detail, seconds, headers)


def refused(quota: str, detail: str, seconds: int, headers: Mapping[str, str]) -> ApiError:
    """Counts a refusal. Returns the problem, with the seconds after which to try again."""
    QUOTA_REFUSALS.labels(quota).inc()
    return ApiError(
        "too_many_requests", detail, {"Retry-After": str(seconds), **headers}, quota=quota, retry_after=seconds
    )


def address_of(scope: Scope) -> str:
    """The address that a request is counted for."""
    client = scope.get("client")
    return neighbours(client[0]) if client else "unknown"


@lru_cache(maxsize=4096)
def neighbours(address: str) -> str:
    """The network that an address is counted with."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return str(ip)
    return str(ip.ipv4_mapped or IPv6Network((int(ip) >> 64 << 64, 64)))


def here(address: str) -> bool:
    """Whether an address, as it is counted, is that of the machine itself."""
    return address.startswith("127.") or address == neighbours("::1")

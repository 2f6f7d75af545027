"""Quotas, an amount of something in a window of time, for a player or for an address; and budgets, which are refilled
evenly, of processor time and of bytes in the database.

For IPv6, all addresses of a /64 network count as one. Headers report the state, following the IETF draft "RateLimit
header fields for HTTP" (version 10). Each worker counts for itself.

A request is admitted by its expected processor time, which is charged at once, so that concurrent requests count too.
Its actual time is charged while it runs, and becomes the expected one of the next request of its kind. Bytes are
charged when they are stored. A caller may thus owe more than its budget; the next request waits until that is paid
back.
"""

import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address
from math import ceil
from typing import NamedTuple

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from litestar.types import Scope

from mcmulti.api.http.problems import ApiError, Quota
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.metering import Meter
from mcmulti.metrics import QUOTA_REFUSALS

CALLERS = 10_000
"""The number of callers whose use is remembered."""
KINDS = 5_000
"""The number of kinds of requests whose cost is remembered."""
OUTSET = 0.1
"""Milliseconds that every request takes in addition to what is measured: to read it, and to send its response."""
EVENT = 0.004
"""Milliseconds that the database takes for each event read."""
LATEST = 99_999
"""The most seconds that a client is asked to wait."""
FADING = 0.8
"""The factor by which an expectation shrinks when a request is cheaper: a response that is cached now may
not be later.
"""


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


class Refilled:
    """What callers have left of a quota, of which each has as much as `limit` says."""

    def __init__(self, quota: Quota, limit: RateLimitItem, clock: Callable[[], float]) -> None:
        self._quota, self._amount, self._window = quota, limit.amount, limit.get_expiry()
        self._rate = max(1, self._amount) / self._window
        self._clock = clock
        self._owed: LruCache[str, list[float]] = LruCache(CALLERS)
        self._policy = f'"{quota}";q={self._amount};w={self._window}'

    def charge(self, caller: str, amount: float) -> None:
        """Charge a caller; a negative amount is refunded."""
        now = self._clock()
        owed = self._owed.get(caller)
        if owed is None:
            self._owed.put(caller, [max(0.0, amount), now])
            return
        owed[:] = max(0.0, max(0.0, owed[0] - (now - owed[1]) * self._rate) + amount), now

    def headers(self, caller: str) -> dict[str, str]:
        """Headers with the limit, the whole remainder, and the seconds until the budget is full again."""
        left = self._left(caller)
        seconds = max(1, ceil((self._amount - left) / self._rate))
        return {"RateLimit-Policy": self._policy, "RateLimit": f'"{self._quota}";r={max(0, int(left))};t={seconds}'}

    def _left(self, caller: str) -> float:
        owed = self._owed.get(caller)
        return self._amount - (0.0 if owed is None else max(0.0, owed[0] - (self._clock() - owed[1]) * self._rate))

    def _refusal(self, caller: str, needed: float, detail: str) -> ApiError:
        """The problem for a caller who has too little left."""
        seconds = min(LATEST, max(1, ceil((needed - self._left(caller)) / self._rate)))
        return refused(self._quota, detail, seconds, self.headers(caller))


class StoredBytes(Refilled):
    """The bytes that all who ask from an address may add to the database, people and bots separately."""

    def __init__(self, limit: RateLimitItem, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__("stored_bytes", limit, clock)

    def room(self, caller: str) -> None:
        """Raise a problem if a caller has no byte left."""
        if self._left(caller) < 1:
            budget = f"{self._amount} bytes added to the database in {self._window} seconds"
            raise self._refusal(caller, 1, f"No more than {budget} for all who ask from your address.")


class Budgets(Refilled):
    """Budgets of milliseconds of processor time. `whose`: the owner, for refusals."""

    def __init__(self, limit: RateLimitItem, clock: Callable[[], float] = time.monotonic, whose: str = "") -> None:
        super().__init__("processor_ms", limit, clock)
        self._whose = whose
        self._expected: LruCache[Hashable, float] = LruCache(KINDS)

    def admit(self, caller: str, kind: Hashable, first: float) -> "Bill":
        """Charge the expected cost of a request of this kind, which is `first` if none was seen yet.

        Raises a problem if the caller has less than that left; a refusal is charged too. A request that costs more than
        half of the budget counts as half, since otherwise it might never be admitted.
        """
        expected = self._expected.get(kind) or first
        needed = min(expected, self._amount / 2)
        if self._left(caller) < needed:
            self.charge(caller, OUTSET)
            budget = f"{self._amount} ms of processor time in {self._window} seconds{self._whose}"
            detail = f"No more than {budget}, and requests like this one take about {ceil(expected)} ms."
            raise self._refusal(caller, needed, detail)
        self.charge(caller, expected)
        return Bill(self, caller, kind, expected)

    def learn(self, kind: Hashable, milliseconds: float) -> None:
        """Learn the cost of a request of this kind."""
        expected = self._expected.get(kind) or 0.0
        self._expected.put(kind, max(milliseconds, expected * FADING))


class Bill:
    """The charge for a request in progress: at first the expected cost, then the actual one."""

    __slots__ = ("_budgets", "_caller", "_charged", "_kind")

    def __init__(self, budgets: Budgets, caller: str, kind: Hashable, charged: float) -> None:
        self._budgets, self._caller, self._kind, self._charged = budgets, caller, kind, charged

    def answered(self, meter: Meter) -> dict[str, str]:
        """Settle the charge when the response is ready, and learn its cost. Returns the headers with the remainder."""
        self._budgets.learn(self._kind, _milliseconds_used(meter))
        self.settle(meter)
        return self._budgets.headers(self._caller)

    def settle(self, meter: Meter) -> None:
        """Charge the cost so far."""
        taken = _milliseconds_used(meter)
        self._budgets.charge(self._caller, taken - self._charged)
        self._charged = taken


def _milliseconds_used(meter: Meter) -> float:
    """The cost of a request so far, in milliseconds."""
    return OUTSET + 1000 * meter.taken + EVENT * meter.events

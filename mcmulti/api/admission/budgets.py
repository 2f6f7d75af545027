"""Budgets of processor time: each caller has so many milliseconds in a window of time, given back evenly.

A request is admitted by what it will probably cost, which is charged at once, so that many at a time count, too. What
it costs in fact is charged while it goes on, and is what the next one of its kind is expected to cost. A caller may
thus owe more than there is; the next request waits until that is paid back.
"""

import time
from collections.abc import Callable, Hashable
from math import ceil

from limits import RateLimitItem

from mcmulti.api.http.problems import ApiError
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.metering import Meter
from mcmulti.metrics import QUOTA_REFUSALS

QUOTA = "processor_ms"
CALLERS = 10_000
"""Of how many callers it is remembered what they used."""
KINDS = 5_000
"""Of how many kinds of requests it is remembered what they cost."""
OUTSET = 0.1
"""Milliseconds that every request takes beside what is measured: to read it, and to send its answer."""
EVENT = 0.004
"""Milliseconds that the database takes for an event that is read."""
LATEST = 99_999
"""Seconds that a client is told to wait at most."""
FADING = 0.8
"""What is left of an expectation when a request turns out cheaper: an answer that is cached now may be gone soon."""


class Budgets:
    """What callers have left of `limit`, which is in milliseconds. `whose` it is stands behind it in refusals."""

    def __init__(self, limit: RateLimitItem, clock: Callable[[], float] = time.monotonic, whose: str = "") -> None:
        self._amount, self._window, self._whose = limit.amount, limit.get_expiry(), whose
        self._rate = max(1, self._amount) / self._window
        self._clock = clock
        self._owed: LruCache[str, list[float]] = LruCache(CALLERS)
        self._expected: LruCache[Hashable, float] = LruCache(KINDS)
        self._policy = f'"{QUOTA}";q={self._amount};w={self._window}'

    def admit(self, caller: str, kind: Hashable, first: float) -> "Bill":
        """Charge what a request of this kind will probably cost, which is `first` if none was seen yet.

        Raises a problem if the caller has not that much left; to refuse it is charged as well. A request that costs
        more than half of the budget is taken for one that costs half, or it would never find room.
        """
        expected = self._expected.get(kind) or first
        needed = min(expected, self._amount / 2)
        if self._left(caller) < needed:
            self.charge(caller, OUTSET)
            left = self._left(caller)
            QUOTA_REFUSALS.labels(QUOTA).inc()
            seconds = min(LATEST, max(1, ceil((needed - left) / self._rate)))
            budget = f"{self._amount} ms of processor time in {self._window} seconds{self._whose}"
            detail = f"No more than {budget}, and requests like this one take about {ceil(expected)} ms."
            headers = {"Retry-After": str(seconds), **self.headers(caller)}
            raise ApiError("too_many_requests", detail, headers, quota=QUOTA, retry_after=seconds)
        self.charge(caller, expected)
        return Bill(self, caller, kind, expected)

    def charge(self, caller: str, milliseconds: float) -> None:
        """Count what a request took; less than nothing is given back."""
        now = self._clock()
        owed = self._owed.get(caller)
        if owed is None:
            self._owed.put(caller, [max(0.0, milliseconds), now])
            return
        owed[:] = max(0.0, max(0.0, owed[0] - (now - owed[1]) * self._rate) + milliseconds), now

    def learn(self, kind: Hashable, milliseconds: float) -> None:
        """A request of this kind took so long."""
        expected = self._expected.get(kind) or 0.0
        self._expected.put(kind, max(milliseconds, expected * FADING))

    def headers(self, caller: str) -> dict[str, str]:
        """The limit, and what is left: whole milliseconds, and the seconds until all of them are there again."""
        left = self._left(caller)
        seconds = max(1, ceil((self._amount - left) / self._rate))
        return {"RateLimit-Policy": self._policy, "RateLimit": f'"{QUOTA}";r={max(0, int(left))};t={seconds}'}

    def _left(self, caller: str) -> float:
        owed = self._owed.get(caller)
        return self._amount - (0.0 if owed is None else max(0.0, owed[0] - (self._clock() - owed[1]) * self._rate))


class Bill:
    """What a request under way is charged: at first what was expected, then what it takes."""

    __slots__ = ("_budgets", "_caller", "_charged", "_kind")

    def __init__(self, budgets: Budgets, caller: str, kind: Hashable, charged: float) -> None:
        self._budgets, self._caller, self._kind, self._charged = budgets, caller, kind, charged

    def answered(self, meter: Meter) -> dict[str, str]:
        """It has its answer: what that took is expected of the next of its kind. The headers that tell what is left."""
        self._budgets.learn(self._kind, _cost(meter))
        self.settle(meter)
        return self._budgets.headers(self._caller)

    def settle(self, meter: Meter) -> None:
        """Charge what it took by now."""
        taken = _cost(meter)
        self._budgets.charge(self._caller, taken - self._charged)
        self._charged = taken


def _cost(meter: Meter) -> float:
    """Milliseconds that a request took so far."""
    return OUTSET + 1000 * meter.taken + EVENT * meter.events

"""Budgets of processor time, and of bytes in the database: each caller has N in a window of time, refilled evenly.

A request is admitted by its expected processor time, which is charged at once, so that concurrent requests count too.
Its actual time is charged while it runs, and becomes the expected one of the next request of its kind. Bytes are
charged when they are stored. A caller may thus owe more than its budget; the next request waits until that is paid
back.
"""

import time
from collections.abc import Callable, Hashable
from math import ceil

from limits import RateLimitItem

from mcmulti.api.admission.quotas import refused
from mcmulti.api.http.problems import ApiError, Quota
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.metering import Meter

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
        """The problem for a caller who has less left than is needed."""
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
        self._budgets.learn(self._kind, _cost(meter))
        self.settle(meter)
        return self._budgets.headers(self._caller)

    def settle(self, meter: Meter) -> None:
        """Charge the cost so far."""
        taken = _cost(meter)
        self._budgets.charge(self._caller, taken - self._charged)
        self._charged = taken


def _cost(meter: Meter) -> float:
    """The cost of a request so far, in milliseconds."""
    return OUTSET + 1000 * meter.taken + EVENT * meter.events

"""Budgets of processor time: each caller has N milliseconds in a window of time, refilled evenly.

A request is admitted by its expected cost, which is charged at once, so that concurrent requests count too. Its actual
cost is charged while it runs, and becomes the expected cost of the next request of its kind. A caller may thus owe more
than its budget; the next request waits until that is paid back.
"""

import time
from collections.abc import Callable, Hashable
from math import ceil

from limits import RateLimitItem

from mcmulti.api.admission.quotas import refused
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.metering import Meter

QUOTA = "processor_ms"
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


class Budgets:
    """The remaining budgets of callers, out of `limit`, in milliseconds. `whose`: the owner, for refusals."""

    def __init__(self, limit: RateLimitItem, clock: Callable[[], float] = time.monotonic, whose: str = "") -> None:
        self._amount, self._window, self._whose = limit.amount, limit.get_expiry(), whose
        self._rate = max(1, self._amount) / self._window
        self._clock = clock
        self._owed: LruCache[str, list[float]] = LruCache(CALLERS)
        self._expected: LruCache[Hashable, float] = LruCache(KINDS)
        self._policy = f'"{QUOTA}";q={self._amount};w={self._window}'

    def admit(self, caller: str, kind: Hashable, first: float) -> "Bill":
        """Charge the expected cost of a request of this kind, which is `first` if none was seen yet.

        Raises a problem if the caller has less than that left; a refusal is charged too. A request that costs more than
        half of the budget counts as half, since otherwise it might never be admitted.
        """
        expected = self._expected.get(kind) or first
        needed = min(expected, self._amount / 2)
        if self._left(caller) < needed:
            self.charge(caller, OUTSET)
            left = self._left(caller)
            seconds = min(LATEST, max(1, ceil((needed - left) / self._rate)))
            budget = f"{self._amount} ms of processor time in {self._window} seconds{self._whose}"
            detail = f"No more than {budget}, and requests like this one take about {ceil(expected)} ms."
            raise refused(QUOTA, detail, seconds, self.headers(caller))
        self.charge(caller, expected)
        return Bill(self, caller, kind, expected)

    def charge(self, caller: str, milliseconds: float) -> None:
        """Charge the cost of a request; a negative one is refunded."""
        now = self._clock()
        owed = self._owed.get(caller)
        if owed is None:
            self._owed.put(caller, [max(0.0, milliseconds), now])
            return
        owed[:] = max(0.0, max(0.0, owed[0] - (now - owed[1]) * self._rate) + milliseconds), now

    def learn(self, kind: Hashable, milliseconds: float) -> None:
        """Learn the cost of a request of this kind."""
        expected = self._expected.get(kind) or 0.0
        self._expected.put(kind, max(milliseconds, expected * FADING))

    def headers(self, caller: str) -> dict[str, str]:
        """Headers with the limit, the remainder in whole milliseconds, and the seconds until the budget is
        full again.
        """
        left = self._left(caller)
        seconds = max(1, ceil((self._amount - left) / self._rate))
        return {"RateLimit-Policy": self._policy, "RateLimit": f'"{QUOTA}";r={max(0, int(left))};t={seconds}'}

    def _left(self, caller: str) -> float:
        owed = self._owed.get(caller)
        return self._amount - (0.0 if owed is None else max(0.0, owed[0] - (self._clock() - owed[1]) * self._rate))


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

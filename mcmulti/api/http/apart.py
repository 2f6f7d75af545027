"""Long-running work, outside the event loop, one piece at a time, in fair turns: next is the caller that took least.

Threads share one interpreter: every one that computes delays the event loop. So only one piece of work runs at a time,
in a thread, and a caller with many pieces waits behind the others after each.

Addresses take turns, and at each address its callers. So an address with many requests, or with many players, waits for
itself, and delays others by only one piece of its work at a time.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, ParamSpec, TypeVar

from mcmulti.metering import NOBODY, Payer, metered, payer

Given = ParamSpec("Given")
T = TypeVar("T")
SWITCH = 0.0005
"""Seconds that the event loop waits for the interpreter. Python's default of 5 ms would apply to every system call."""


class FairTurns:
    """Acquired like a lock, for the payer of the current work. `clock`: measures the duration of turns, in seconds."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._taken = False
        self._who, self._began = NOBODY, 0.0
        self._waiting: list[tuple[Payer, asyncio.Future[None]]] = []
        self._had: dict[str | Payer, float] = {}
        """Seconds used by each address and each payer, while anybody waits."""
        self._now: dict[str, float] = {}
        """Seconds used by the one being served, among all addresses ("") and at its own address. A newcomer starts at
        this level, so that it cannot make up for time when it wanted nothing.
        """

    async def __aenter__(self) -> None:
        """Wait for a turn."""
        who = payer()
        if self._taken:
            await self._turn(who)
        self._taken, self._who, self._began = True, who, self._clock()

    async def __aexit__(self, *_: Any) -> None:
        """End the turn."""
        if self._waiting:
            self._count(self._who, self._clock() - self._began)
        self._pass_on()

    async def _turn(self, who: Payer) -> None:
        if not self._waiting:
            self._join(self._who)
            self._serve(self._who)
        self._join(who)
        mine = asyncio.get_running_loop().create_future()
        self._waiting.append((who, mine))
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():  # the turn came at the same moment
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        self._waiting = [each for each in self._waiting if not each[1].cancelled()]
        if not self._waiting:
            self._taken = False
            self._had.clear()
            self._now.clear()
            return
        had = self._had
        waits = min(self._waiting, key=lambda each: (had[each[0].address], had[each[0]]))
        self._waiting.remove(waits)
        self._serve(waits[0])
        waits[1].set_result(None)

    def _join(self, who: Payer) -> None:
        had, now = self._had, self._now
        had[who.address] = max(had.get(who.address, 0.0), now.get("", 0.0))
        had[who] = max(had.get(who, 0.0), now.get(who.address, 0.0))

    def _serve(self, who: Payer) -> None:
        self._now[""], self._now[who.address] = self._had[who.address], self._had[who]

    def _count(self, who: Payer, seconds: float) -> None:
        self._had[who.address] += seconds
        self._had[who] += seconds


class Apart:
    """Runs pieces of work one after the other. The caller that has had the least is next."""

    def __init__(self) -> None:
        sys.setswitchinterval(SWITCH)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="apart")
        self._turns = FairTurns()

    async def __call__(self, work: Callable[Given, T], *args: Given.args, **named: Given.kwargs) -> T:
        """Run the work and return its result. Nothing is run for a caller that was canceled before its turn."""
        loop, context = asyncio.get_running_loop(), copy_context()
        async with self._turns:
            return await loop.run_in_executor(self._thread, partial(context.run, lambda: metered(work, *args, **named)))

"""Long-running work, outside the event loop and one piece at a time.

Threads share one interpreter: every one that computes delays the event loop. So only one piece of work runs at a time,
in a thread, and a caller with many pieces waits behind the others after each.
"""

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from mcmulti.api.admission.turns import FairTurns
from mcmulti.metering import metered

Given = ParamSpec("Given")
T = TypeVar("T")
SWITCH = 0.0005
"""Seconds that the event loop waits for the interpreter. Python's default of 5 ms would apply to every system call."""


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

"""Work that takes long, apart from the event loop and in its turn.

Threads share one interpreter: every one that computes makes the loop wait for it. So one piece of work is done at a
time, in a thread, and who has many pieces waits behind the others after each of them.
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
"""Seconds that the event loop waits for the interpreter; Python's own 5 ms would come with every system call."""


class Apart:
    """Does pieces of work one after the other: next is that of whoever had the least of it."""

    def __init__(self) -> None:
        sys.setswitchinterval(SWITCH)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="apart")
        self._turns = FairTurns()

    async def __call__(self, work: Callable[Given, T], *args: Given.args, **named: Given.kwargs) -> T:
        """What the work returns, or raises. Nothing is done for who is gone before its turn."""
        loop, context = asyncio.get_running_loop(), copy_context()
        async with self._turns:
            return await loop.run_in_executor(self._thread, partial(context.run, lambda: metered(work, *args, **named)))

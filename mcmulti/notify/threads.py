"""Calls that block, such as those of the system's resolver.

Their threads are used for nothing else, and nothing waits for them: no other work that needs a thread, and not the end
of the server.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import BoundedSemaphore, Thread
from typing import Any, TypeVar

Returned = TypeVar("Returned")


class Threads:
    """At most this many threads at a time; further calls are refused. `what`: what they are about, in the plural."""

    def __init__(self, most: int, what: str) -> None:
        self._room = BoundedSemaphore(most)
        self._what = what

    async def call(self, blocking: Callable[[], Returned]) -> Returned:
        """The result of a call. Raises what the call does, and `OSError` if there are too many."""
        if not self._room.acquire(blocking=False):
            raise OSError(f"too many {self._what} at a time")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Returned] = loop.create_future()
        try:
            Thread(target=self._run, args=(blocking, loop, answer), name=self._what, daemon=True).start()
        except RuntimeError as error:  # the system has no more threads
            self._room.release()
            raise OSError(str(error)) from None
        return await answer

    def _run(
        self, blocking: Callable[[], Returned], loop: asyncio.AbstractEventLoop, answer: asyncio.Future[Any]
    ) -> None:
        tell: Callable[[], None]
        try:
            tell = partial(answer.set_result, blocking())
        except Exception as error:
            tell = partial(answer.set_exception, error)
        finally:
            self._room.release()

        def settle() -> None:
            if not answer.done():  # the caller may be gone
                tell()

        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(settle)

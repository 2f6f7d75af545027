"""Counts what one request does: in its own task, and in tasks and threads that it starts.

A context variable marks the request. Tasks and threads inherit it, so heartbeats, polls, and other requests are not
counted. A coroutine counts when it starts, not when it resumes: how often it waits depends on the machine.
"""

import asyncio
import dis
import gc
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from pathlib import Path
from tempfile import TemporaryFile
from types import CodeType, FrameType
from typing import Any

from psycopg.pq import Trace
from psycopg.pq.abc import PGconn

import mcmulti

PACKAGE = Path(mcmulti.__file__).parent
_INLINED = ("<listcomp>", "<setcomp>", "<dictcomp>")
"""Calls on Python 3.11 that 3.12 no longer makes, so they are not counted."""
_RESUMABLE = CO_COROUTINE | CO_GENERATOR | CO_ASYNC_GENERATOR
_STATEMENTS = ("Query", "Execute")
"""Protocol messages that each carry out a statement, prepared or not."""


class Tally:
    """What one request did so far."""

    def __init__(self, folder: Path = PACKAGE) -> None:
        self.calls = Counter[CodeType]()
        self.statements = 0
        self._folder = f"{folder}/"

    def called(self, frame: FrameType) -> None:
        """Count the start of a function of the package."""
        code = frame.f_code
        if not code.co_filename.startswith(self._folder) or code.co_name in _INLINED:
            return
        if not code.co_flags & _RESUMABLE or frame.f_lasti <= _begins(code):
            self.calls[code] += 1

    @property
    def files(self) -> set[str]:
        """The files whose functions were called."""
        return {code.co_filename for code in self.calls}

    @contextmanager
    def sending(self, connection: PGconn) -> Iterator[None]:
        """Count the statements that a connection sends in the block, as shown by libpq's own trace."""
        with TemporaryFile() as trace:
            connection.trace(trace.fileno())
            connection.set_trace_flags(Trace.SUPPRESS_TIMESTAMPS)
            try:
                yield
            finally:
                connection.untrace()
                trace.seek(0)
                self.statements += sum(map(_is_statement, trace))


def _is_statement(line: bytes) -> bool:
    """Whether a line of a trace shows a statement that the client sends. Further lines of a long query do not."""
    sender, _, rest = line.decode(errors="replace").partition("\t")
    return sender == "F" and rest.split("\t")[1].strip() in _STATEMENTS


@cache
def _begins(code: CodeType) -> int:
    """The offset of the instruction at which a coroutine or generator starts. It resumes at later ones."""
    return next(step.offset for step in dis.get_instructions(code) if step.opname == "RESUME")


_request: ContextVar[Tally | None] = ContextVar("counted", default=None)


def counted_request() -> Tally | None:
    """The tally of the request that this runs for. None outside of a counted request."""
    return _request.get()


def _hook(frame: FrameType, event: str, _: Any) -> None:
    if event == "call" and (tally := _request.get()) is not None:
        tally.called(frame)


@contextmanager
def counting() -> Iterator[None]:
    """Within the block, calls can be counted, also in threads that start in it. The event loop gets new threads."""
    threading.setprofile(_hook)
    sys.setprofile(_hook)
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor() as threads:
        loop.set_default_executor(threads)
        try:
            yield
        finally:
            loop.set_default_executor(ThreadPoolExecutor())
            sys.setprofile(None)
            threading.setprofile(None)


async def counted(request: Callable[[], Awaitable[None]], folder: Path = PACKAGE) -> Tally:
    """What a request does, in its task and in those that it starts until it returns. Use it inside `counting`."""
    tally = Tally(folder)

    async def marked() -> None:
        _request.set(tally)
        await request()

    gc.disable()  # what it frees, and when, depends on what happened before
    try:
        await asyncio.create_task(marked())
    finally:
        gc.enable()
    return tally

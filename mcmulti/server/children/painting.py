"""Images for link previews, painted in a process next to the server: painting would stop the server's event loop."""

import asyncio
from asyncio.subprocess import Process
from contextlib import AsyncExitStack
from typing import Any, Self

import msgspec
import structlog

from mcmulti.api.http.apart import FairTurns
from mcmulti.metering import spent
from mcmulti.projections.pictures.painting import Painted
from mcmulti.server.children.child import child

PAINTER = "mcmulti.projections.pictures.painting"
"""The module that paints."""
NICENESS = 10
"""The nice value of the process: commands come first."""
TOO_LONG = 10.0
"""Seconds after which a process is given up. An image takes hundredths of a second."""
PATIENCE = 1.0
"""Seconds that the process has to end by itself."""
TRIES = 2
"""How many processes may fail to paint an image."""
LONGEST = 2**20
"""The most bytes of a line: an image is about 20 KB."""

_log = structlog.get_logger(__name__)


class PaintingProcess:
    """Paints one image at a time, for the caller that has had the least, in a process that begins with the first one.

    The process ends with the block.
    """

    def __init__(self) -> None:
        self._turns = FairTurns()
        self._running = AsyncExitStack()
        self._process: Process | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self._end()

    async def __call__(self, document: str) -> bytes | None:
        """An SVG document as a PNG; None if no process can paint it."""
        async with self._turns:
            for _ in range(TRIES):
                told = await self._told(msgspec.json.encode(document) + b"\n")
                if told:
                    spent(told.seconds)
                    return told.png
        return None

    async def _told(self, line: bytes) -> Painted | None:
        """What the process responds; None if it ended, at whatever moment, or is given up."""
        told = None
        try:
            async with asyncio.timeout(TOO_LONG):
                answer = await self._answer(line)
            told = msgspec.json.decode(answer, type=Painted)
        except (ConnectionError, TimeoutError, msgspec.DecodeError) as error:
            _log.error("an image was not painted", error=repr(error))
        finally:
            if told is None:  # a late response would be taken for that of the next document
                await self._end()
        return told

    async def _answer(self, line: bytes) -> bytes:
        if self._process is None:
            beginning = child(PAINTER, None, PATIENCE, niceness=NICENESS, longest_line=LONGEST)
            self._process = await self._running.enter_async_context(beginning)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line)
        await self._process.stdin.drain()
        return await self._process.stdout.readline()

    async def _end(self) -> None:
        self._process = None
        await self._running.aclose()

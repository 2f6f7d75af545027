"""Resolves names that players chose, possibly with name servers that they chose too.

A name server that does not answer blocks a thread for as long as the system's resolver waits. So these threads are used
for nothing else, and nothing waits for them: no other work that needs a thread, and not the end of the server.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from socket import SOCK_STREAM, getaddrinfo
from threading import BoundedSemaphore, Thread
from typing import Any

MOST = 100
"""The most names resolved concurrently; further ones are refused. Twice the number of concurrent messages."""

_room = BoundedSemaphore(MOST)


async def resolved(host: str, port: int) -> list[str]:
    """The addresses of a host. Raises `OSError`, and UnicodeError for an invalid name."""
    if not _room.acquire(blocking=False):
        raise OSError("too many names are being resolved")
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[Any]] = loop.create_future()
    try:
        Thread(target=_resolve, args=(host, port, loop, answer), name="resolving", daemon=True).start()
    except RuntimeError as error:  # the system has no more threads
        _room.release()
        raise OSError(str(error)) from None
    return list(dict.fromkeys(str(address[0]) for *_, address in await answer))


def _resolve(host: str, port: int, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[list[Any]]) -> None:
    tell: Callable[[], None]
    try:
        tell = partial(answer.set_result, getaddrinfo(host, port, type=SOCK_STREAM))
    except (OSError, UnicodeError) as error:
        tell = partial(answer.set_exception, error)
    finally:
        _room.release()

    def settle() -> None:
        if not answer.done():  # the caller may be gone
            tell()

    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(settle)

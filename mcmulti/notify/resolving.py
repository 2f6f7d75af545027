"""Resolves names that players chose, possibly with name servers that they chose too.

A name server that does not answer blocks a thread for as long as the system's resolver waits.
"""

from functools import partial
from socket import SOCK_STREAM, getaddrinfo

from mcmulti.notify.threads import Threads

MOST = 100
"""The most names resolved concurrently; further ones are refused. Twice the number of concurrent messages."""

_threads = Threads(MOST, "names")


async def resolved(host: str, port: int) -> list[str]:
    """The addresses of a host. Raises `OSError`, and UnicodeError for an invalid name."""
    return await _threads.call(partial(_resolved, host, port))


def _resolved(host: str, port: int) -> list[str]:
    return list(dict.fromkeys(str(address[0]) for *_, address in getaddrinfo(host, port, type=SOCK_STREAM)))

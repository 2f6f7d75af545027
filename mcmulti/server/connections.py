"""Limits of connections: a number for each address, and as many in all as there are file descriptors."""

import asyncio
import resource
import time
from collections import Counter
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

import structlog

from mcmulti.api.admission.gate import Admission
from mcmulti.api.admission.quotas import neighbours
from mcmulti.metrics import CONNECTIONS, CONNECTIONS_REFUSED

RESERVE = 32
"""File descriptors reserved for other things: the database, files, timers."""
LOG_EVERY = 60.0
"""Seconds between two identical log lines."""

_log = structlog.get_logger(__name__)


class Connections:
    """Counts connections by address; those of trusted proxies come from many clients, and are not counted."""

    def __init__(self, admission: Admission, *, measured: bool = True) -> None:
        self._measured = measured
        self._most = admission.connections
        self._proxies = [ip_network(network) for network in admission.trusted_proxies]
        self._open: Counter[str] = Counter()
        self._room = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - RESERVE
        self._told: dict[str, float] = {}

    def accept(self, transport: asyncio.BaseTransport) -> str | None:
        """Count a connection if there is room for it. Returns its key for `release`, or None if there is no room."""
        descriptor = transport.get_extra_info("socket").fileno()
        if descriptor >= self._room:  # the lowest free one is used, so nearly all lower ones are in use
            CONNECTIONS_REFUSED.labels("descriptors").inc()
            self._tell("descriptors run out; connections are refused", descriptors=self._room + RESERVE)
            return None
        peer = transport.get_extra_info("peername")
        if not isinstance(peer, tuple) or self._most is None or _among(peer[0], tuple(self._proxies)):
            self._measure(1)
            return ""
        caller = neighbours(peer[0])
        if self._open[caller] >= self._most:
            CONNECTIONS_REFUSED.labels("address").inc()
            self._tell("an address has too many connections; more are refused", address=caller, most=self._most)
            return None
        self._open[caller] += 1
        self._measure(1)
        return caller

    def release(self, caller: str) -> None:
        """An admitted connection was closed."""
        self._measure(-1)
        if caller:
            self._open[caller] -= 1
            if self._open[caller] == 0:
                del self._open[caller]

    def _measure(self, more: int) -> None:
        if self._measured:
            CONNECTIONS.inc(more)

    def _tell(self, what: str, **facts: object) -> None:
        now = time.monotonic()
        if now - self._told.get(what, -LOG_EVERY) >= LOG_EVERY:
            self._told[what] = now
            _log.warning(what, **facts)


@lru_cache(maxsize=1024)
def _among(address: str, networks: tuple[IPv4Network | IPv6Network, ...]) -> bool:
    ip = ip_address(address.partition("%")[0])
    return any(ip in network for network in networks)


def room_for_many() -> None:
    """Raise this process's limit of file descriptors to the maximum."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    except (ValueError, OSError):  # some systems report a limit that they do not grant
        _log.info("the limit of file descriptors stays as it is", most=resource.getrlimit(resource.RLIMIT_NOFILE)[0])

"""Requests to addresses that players chose, which must not reach anything that only this server can reach.

The name is resolved once per request, every address is checked, and the connection goes to one of those: later changes
of the name do not matter. Redirects are not followed, proxies from the environment are not used, and the body of the
response is not read.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from socket import SOCK_STREAM, getaddrinfo
from typing import NamedTuple, Self

import httpx

from mcmulti.notify.threads import Threads

TIMEOUT = 10.0
"""Seconds that a request may take, from resolving the name to the status of the response."""
LONGEST = 2000
"""The most characters of a URL."""
LEAST_PORT = 1024
"""Lower ports belong to other services, except 443."""
TRIES = 3
"""The most addresses of a name that are tried."""
MOST = 100
"""The most names resolved concurrently; further ones are refused. Twice the number of concurrent messages."""

_TRANSLATED = ip_network("64:ff9b::/96")
_TUNNELED = ip_network("2002::/16")
_PROTOCOLS = ip_network("192.0.0.0/24")
"""Some Python versions consider a part of it global."""

_threads = Threads(MOST, "names")  # a name server that does not answer blocks one as long as the system waits

Resolve = Callable[[str, int], Awaitable[list[str]]]


class RefusedUrl(ValueError):
    """The server does not send to this URL. The message says why."""


class Unreachable(Exception):
    """No response arrived, or the server may not connect to the current address of the name."""


class HttpReply(NamedTuple):
    """The status of a response, and the receiver's Retry-After in seconds, if any."""

    status: int
    retry_after: int | None


def checked_url(text: str, *, private: bool) -> httpx.URL:
    """Check a URL for messages, as far as possible without resolving it. Raises `RefusedUrl`."""
    try:
        url = httpx.URL(text)
    except (httpx.InvalidURL, ValueError):
        raise RefusedUrl("This is not a URL.") from None
    if len(text) > LONGEST or not text.isascii() or any(character <= " " for character in text):
        raise RefusedUrl(f"A URL has at most {LONGEST} characters, all of them ASCII, and no spaces.")
    if url.scheme != "https" and not (private and url.scheme == "http"):
        raise RefusedUrl("The URL must begin with https://.")
    if not url.host or url.userinfo:
        raise RefusedUrl("The URL must have a host, and no user name or password.")
    if url.fragment:
        raise RefusedUrl("The URL must not have a part after #.")
    if url.port is not None and not (1 if private else LEAST_PORT) <= url.port < 1 << 16:
        raise RefusedUrl(f"The port must be 443, or a number from {LEAST_PORT} to 65535.")
    return url


def is_public(address: str) -> bool:
    """Whether an address is public: not private, local, reserved, multicast, or a disguise for these."""
    try:
        ip = ip_address(address)
    except ValueError:  # such as one with a scope: fe80::1%eth0
        return False
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        if ip in _TRANSLATED:
            return is_public(str(IPv4Address(int(ip) & 0xFFFFFFFF)))
        if ip in _TUNNELED or ip.is_site_local:
            return False
    return ip not in _PROTOCOLS and ip.is_global and not ip.is_multicast and not ip.is_reserved


async def resolved(host: str, port: int) -> list[str]:
    """The addresses of a host. Raises `OSError`, and UnicodeError for an invalid name."""
    return await _threads.call(partial(_resolved, host, port))


def _resolved(host: str, port: int) -> list[str]:
    return list(dict.fromkeys(str(address[0]) for *_, address in getaddrinfo(host, port, type=SOCK_STREAM)))


class Outbound:
    """Sends requests. `private`: also to private networks, and without TLS. `tls`: which certificates are trusted."""

    def __init__(
        self,
        *,
        private: bool = False,
        resolve: Resolve = resolved,
        tls: ssl.SSLContext | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        self.private = private
        self._resolve = resolve
        self._timeout = timeout
        # A connection that is kept could be taken for another name of the same address.
        limits = httpx.Limits(max_keepalive_connections=0)
        self._client = httpx.AsyncClient(
            trust_env=False,
            follow_redirects=False,
            timeout=timeout,
            limits=limits,
            verify=tls or ssl.create_default_context(),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def post(self, text: str, body: bytes, headers: Mapping[str, str]) -> HttpReply:
        """Post a body to a URL. Raises `RefusedUrl` and `Unreachable`."""
        url = checked_url(text, private=self.private)
        try:
            async with asyncio.timeout(self._timeout):
                return await self._post(url, body, headers)
        except TimeoutError:
            raise Unreachable(f"no response within {self._timeout:.0f} s") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, UnicodeError) as error:
            raise Unreachable(f"{type(error).__name__}: {error}") from None

    async def _post(self, url: httpx.URL, body: bytes, headers: Mapping[str, str]) -> HttpReply:
        host = url.raw_host.decode("ascii")
        addresses = await self._resolve(host, url.port or {"http": 80, "https": 443}[url.scheme])
        if not addresses or not (self.private or all(map(is_public, addresses))):
            raise Unreachable("the name has an address that is not public" if addresses else "the name has no address")
        sent = {**headers, "Host": url.netloc.decode("ascii")}
        failed: httpx.TransportError | None = None
        for address in addresses[:TRIES]:
            there = url.copy_with(host=address)
            try:
                async with self._client.stream(
                    "POST", there, content=body, headers=sent, extensions={"sni_hostname": host}
                ) as response:
                    return HttpReply(response.status_code, _seconds(response.headers.get("retry-after", "")))
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failed = error
        assert failed is not None
        raise failed


def _seconds(retry_after: str) -> int | None:
    """A number of seconds; None for a date, since the sender's clock is unknown."""
    return int(retry_after) if retry_after.isascii() and retry_after.isdigit() and len(retry_after) < 10 else None

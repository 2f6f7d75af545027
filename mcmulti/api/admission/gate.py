"""Whom a server lets in: how often, through which proxies, and from which pages."""

from ipaddress import ip_network
from urllib.parse import urlsplit

from msgspec import Struct


class Admission(Struct, frozen=True):
    """The limits of a server. `rate_limit` is as `limits` reads it, such as ``100/second``; None for any number.

    `trusted_proxies` are the networks of the proxies whose word on who asks is believed, `origins` the web pages that
    may use the API: None for all. `connections` is how many an address may have open at a worker, None for any number;
    trusted proxies may have any number anyway. `registrations` and `new_games` are as `rate_limit`, for each address,
    and of games for each player as well; `bot_games` are those that bots open, and `bot_requests` those of all bots
    together. `processor_time`, as `rate_limit`, is how many milliseconds of processors the requests of a player, or of
    an address, may take. `events`, as `rate_limit`, is how many events the commands of a player may lead to.
    `open_games` is how many games that are not over a player and an address may hold, None for any number.
    `second_step`: how many hours after its announcement an irreversible action can be taken. `receipts`: how many days
    after the end of a game its receipts are deleted.
    """

    rate_limit: str | None = None
    trusted_proxies: tuple[str, ...] = ()
    origins: tuple[str, ...] | None = None
    connections: int | None = None
    registrations: str | None = None
    new_games: str | None = None
    bot_games: str | None = None
    bot_requests: str | None = None
    processor_time: str | None = None
    events: str | None = None
    open_games: int | None = None
    second_step: int = 0
    receipts: int = 30


EVERYBODY = Admission()


def network_of(text: str) -> str:
    """An address or network as it is usually written, e.g. ``10.0.0.0/8``; raises ValueError if it is none."""
    return str(ip_network(text, strict=False))


def origin_of(text: str) -> str:
    """An origin as browsers write it, e.g. ``https://example.org``; raises ValueError if it is none."""
    parts = urlsplit(text.lower())
    origin = f"{parts.scheme}://{parts.netloc}"
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or origin != text.lower():
        raise ValueError(f"{text!r} is not an origin")
    if parts.port == {"http": 80, "https": 443}[parts.scheme]:
        raise ValueError(f"browsers leave the port of {text!r} out")
    return origin

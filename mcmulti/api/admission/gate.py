"""Admission settings of a server: rates, proxies, and origins."""

from ipaddress import ip_network
from urllib.parse import urlsplit

from msgspec import Struct


class Admission(Struct, frozen=True):
    """The limits of a server. `rate_limit`: in the format of `limits`, such as ``100/second``; None for no limit.

    `trusted_proxies`: the networks of proxies whose forwarding headers are trusted. `origins`: the web pages that may
    use the API; None for all. `connections`: how many an address may have open per worker, None for no limit; trusted
    proxies have no limit. `registrations` and `new_games`: like `rate_limit`, for each address, and for games also for
    each player. `bot_games`: those that bots open. `bot_requests`: those of all bots together. `processor_time`: like
    `rate_limit`, how many milliseconds of processor time the requests of a player, or of an address, may take.
    `events`: like `rate_limit`, how many events the commands of a player may lead to. `stored_bytes`: like
    `rate_limit`, how many bytes the requests from an address may add to the database. `open_games`: how many unfinished
    games a player and an address may hold, None for no limit. `second_step`: how many hours after its announcement an
    irreversible action can be taken. `receipts`: how many days after the end of a game its receipts are deleted.
    `chat`: whether tables may have a chat. `chat_days`: after how many days its messages are deleted.
    `review_seconds`: like `rate_limit`, how many seconds of processor time the reviews of a player, or of an address,
    may take.
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
    stored_bytes: str | None = None
    open_games: int | None = None
    second_step: int = 0
    receipts: int = 30
    chat: bool = True
    chat_days: int = 30
    review_seconds: str | None = None


EVERYBODY = Admission()


def network_of(text: str) -> str:
    """The canonical form of an address or network, such as ``10.0.0.0/8``. Raises ValueError if it is invalid."""
    return str(ip_network(text, strict=False))


def origin_of(text: str) -> str:
    """An origin as browsers write it, such as ``https://example.org``. Raises ValueError if it is invalid."""
    parts = urlsplit(text.lower())
    origin = f"{parts.scheme}://{parts.netloc}"
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or origin != text.lower():
        raise ValueError(f"{text!r} is not an origin")
    if parts.port == {"http": 80, "https": 443}[parts.scheme]:
        raise ValueError(f"browsers leave the port of {text!r} out")
    return origin

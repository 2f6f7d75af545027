"""Requests and responses, as far as they are compared."""

from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from httpx import Response

from mcmulti.api.caching.tags import position
from mcmulti.api.http.problems import MEDIA_TYPE
from mcmulti.api.streams.items import NDJSON
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.accounts import Player

Json = dict[str, Any]
SAID = ("code", "rule", "field", "limit", "command", "seq", "hash")
"""The compared members of a problem. Its texts are for people."""


class Caller(NamedTuple):
    """A registered player with a token."""

    player: Player
    token: str


class Request(NamedTuple):
    """A request to a server. `caller` is None for a spectator."""

    method: str
    path: str
    caller: Caller | None = None
    body: bytes | None = None
    query: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def sent(self) -> dict[str, str]:
        """All its headers."""
        token = {} if self.caller is None else {"Authorization": f"Bearer {self.caller.token}"}
        typed = {} if self.body is None else {"Content-Type": "application/json"}
        return {**token, **typed, **dict(self.headers)}


class Answer(NamedTuple):
    """The visible parts of a response: the status, the content, and the position that its entity tag names.

    Of a stream, `said` are its items. Of a problem, it is the code and the other members for programs.
    """

    status: int
    said: Any
    position: Head | None = None
    replayed: bool = False


def seen(response: Response) -> Answer:
    """A response as it arrived."""
    tag, media_type = response.headers.get("ETag"), response.headers.get("Content-Type", "")
    said: Any = None
    if media_type == MEDIA_TYPE:
        said = {name: value for name, value in response.json().items() if name in SAID}
    elif media_type == NDJSON:
        said = [msgspec.json.decode(line) for line in response.content.splitlines()]
    elif response.content:
        said = response.json()
    head = None if tag is None else position(tag)
    if response.url.params.get("dry_run") == "true" and response.is_success:
        said = untied(said)
    return Answer(response.status_code, said, head, "Idempotent-Replayed" in response.headers)


def untied(tried: Json) -> Json:
    """The result of a dry run, without the ids that it had only for itself, and the hashes that follow from them."""
    table = {name: value for name, value in tried["table"].items() if name not in ("hash", "moved_at")}
    events = [
        {name: value for name, value in event.items() if name not in ("command_id", "hash", "prev_hash")}
        for event in tried["events"]
    ]
    return {**tried, "events": events, "hash": None, "table": table}


def plain(content: object) -> Any:
    """The content of a struct, as a client decodes its JSON."""
    return msgspec.json.decode(msgspec.json.encode(content))


def asks(game: UUID, what: str = "", caller: Caller | None = None, **query: object) -> Request:
    """A request to look at a game."""
    asked = tuple((name, str(value)) for name, value in query.items())
    return Request("GET", f"/v1/games/{game}{what}", caller, query=asked)

"""Streams over HTTP: formats of items."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from mcmulti.api.http.answers import encoded
from mcmulti.api.streams.items import Heartbeat

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
HEARTBEAT = 15.0
"""Seconds without an item after which a stream sends a heartbeat."""
RETRY = 1000
"""Milliseconds after which a client of a broken SSE stream should reconnect."""


class Format(NamedTuple):
    """A format of streams. `item` takes the id with which the client resumes after the item, if it has one."""

    media_type: str
    opening: bytes
    item: Callable[[Struct, str | None], bytes]
    heartbeat: bytes
    alive: Callable[[str], bytes]
    """A heartbeat with the id with which the client resumes from there on."""


def _line(item: Struct, id_: str | None) -> bytes:
    return encoded(item) + b"\n"


def _message(item: Struct, id_: str | None) -> bytes:
    named = b"" if id_ is None else f"id: {id_}\n".encode()
    return b"%bdata: %b\n\n" % (named, encoded(item))


FORMATS = {
    NDJSON: Format(NDJSON, b"", _line, _line(Heartbeat(), None), lambda id_: _line(Heartbeat(id_), id_)),
    SSE: Format(
        SSE, b"retry: %d\n\n" % RETRY, _message, b": heartbeat\n\n", lambda id_: f": heartbeat\nid: {id_}\n\n".encode()
    ),
}

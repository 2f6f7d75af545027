"""Streams over HTTP: how items are written."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from mcmulti.api.contract import encoded
from mcmulti.api.stream_items import Heartbeat

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
HEARTBEAT = 15.0
"""Seconds without an item after which a stream shows that it is alive."""
RETRY = 1000
"""Milliseconds after which a client of an SSE stream that broke off should come again."""


class Format(NamedTuple):
    """How a stream is written. `item` takes the id that the client resumes with behind the item, if it has one."""

    media_type: str
    opening: bytes
    item: Callable[[Struct, int | None], bytes]
    heartbeat: bytes


def _line(item: Struct, seq: int | None) -> bytes:
    return encoded(item) + b"\n"


def _message(item: Struct, seq: int | None) -> bytes:
    number = b"" if seq is None else b"id: %d\n" % seq
    return b"%bdata: %b\n\n" % (number, encoded(item))


FORMATS = {
    NDJSON: Format(NDJSON, b"", _line, _line(Heartbeat(), None)),
    SSE: Format(SSE, b"retry: %d\n\n" % RETRY, _message, b": heartbeat\n\n"),
}

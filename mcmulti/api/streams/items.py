"""Streams over HTTP: their items other than events of the log, and the formats of items."""

from collections.abc import Callable
from typing import Annotated, Literal, NamedTuple
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.api.http.answers import encoded
from mcmulti.api.telling.rated import SeatedRating
from mcmulti.api.telling.tables import TableView
from mcmulti.api.telling.wire import AnyView, HeadTag, NextMove, Offers
from mcmulti.domain.core.figures import Count, Seat, Seats
from mcmulti.events.log.item import AtMoment, Seq
from mcmulti.projections.reports.patches import Change

StreamId = Annotated[
    str,
    Meta(pattern="^[0-9]{1,13}$", description="Where the stream of a player resumes."),
]
NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
HEARTBEAT = 15.0
"""Seconds without an item after which a stream sends a heartbeat."""
RETRY = 1000
"""Milliseconds after which a client of a broken SSE stream should reconnect."""


class StreamHead(AtMoment, frozen=True, tag=True):
    """The first item of a game's stream. `seq` and `hash` are the head when the stream began.

    `table`: as it was then. `present`: the seats whose players had a stream of this game open at this server then.
    """

    status: Literal["open", "running", "finished"]
    present: Seats
    table: TableView


class TableMoved(Struct, frozen=True, tag=True):
    """The table after the events before this item: whose turn it is, and the deadline.

    It follows the latest event, not every event. `table`: at that time.
    """

    table: TableView


class YourView(Struct, frozen=True, tag=True):
    """How the reader sees the game after event `seq`, the latest one.

    `etag`: send it as `If-Match` with what you choose. `view`: the complete view, the first time, and always with
    `view=whole`. `changes`: with `view=patch`, a JSON Patch (RFC 6902) of the view that this stream sent before.
    `offers`: with `offers=true`, what the caller's seat may do.
    """

    seq: Seq
    etag: HeadTag
    view: AnyView | UnsetType = UNSET
    changes: tuple[Change, ...] | UnsetType = UNSET
    offers: Offers | UnsetType = UNSET


class Heartbeat(Struct, frozen=True, tag=True):
    """Nothing happened for a while, and the stream is alive. An SSE stream has a comment instead.

    `id`: in the stream of a player.
    """

    id: StreamId | UnsetType = UNSET


class Stopping(Struct, frozen=True, tag=True):
    """The last item of a stream that the server ends because it stops. Reconnect to resume."""


class WentBack(Struct, frozen=True, tag=True):
    """The last item of a stream whose log went back to an earlier event, for example because a backup was restored.

    Earlier items may no longer be true: read the game again.
    """


class LobbyHead(Struct, frozen=True, tag=True):
    """The first item of a lobby stream: discard what an earlier stream sent. This many `rows` follow."""

    rows: Count


class TableListed(Struct, frozen=True, tag=True):
    """A table matches, or still matches and has changed.

    `table`: as it is now. `ratings`: the players' ratings in its rule set, for those who have one.
    """

    table: TableView
    ratings: tuple[SeatedRating, ...]


class TableGone(Struct, frozen=True, tag=True):
    """A table no longer matches, or a thousand others moved after it."""

    game: UUID


class YourTurn(Struct, frozen=True, tag=True):
    """The game waits for the caller's `seat`, and did so when event `seq` was its last.

    `table`: as it is when this is sent. `next`: with `offers=true`, what the caller sees and may do then.
    """

    game: UUID
    seq: Seq
    seat: Seat
    id: StreamId
    table: TableView
    next: NextMove | UnsetType = UNSET


class GameOver(Struct, frozen=True, tag=True):
    """The game ended with event `seq`. `winners`: seats.

    `table`: as it was then.
    """

    game: UUID
    seq: Seq
    winners: Seats
    id: StreamId
    table: TableView


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

"""What a stream is made of, besides the events of the log."""

from typing import Annotated, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.api.telling.rated import SeatedRating
from mcmulti.api.telling.tables import TableView
from mcmulti.api.telling.wire import NextMove
from mcmulti.domain.core.figures import Count, Seat, Seats
from mcmulti.events.log.item import Hash, Seq

StreamId = Annotated[
    str,
    Meta(pattern="^[0-9]{1,13}$", description="Where the stream of a player resumes."),
]


class StreamHead(Struct, frozen=True, tag=True):
    """The first item of a game's stream. `seq` and `hash` are the head when the stream began.

    `table`: as it was then.
    `present` are the seats whose players had a stream of this game open at this server then.
    """

    game: UUID
    seq: Seq
    hash: Hash
    status: Literal["open", "running", "finished"]
    present: Seats
    table: TableView


class TableMoved(Struct, frozen=True, tag=True):
    """The table as it is behind the events that came before this item: whose turn it is, and until when.

    It follows on the last event that there is, not on each. `table`: that of then.
    """

    table: TableView


class Heartbeat(Struct, frozen=True, tag=True):
    """Nothing happened for a while, and the stream is alive. In an SSE stream a comment stands in its place.

    `id`: in the stream of a player.
    """

    id: StreamId | UnsetType = UNSET


class Stopping(Struct, frozen=True, tag=True):
    """The last item of a stream that the server ends because it stops. Come again: another one goes on from there."""


class WentBack(Struct, frozen=True, tag=True):
    """The last item of a stream whose log went back to an earlier event, as when a backup was restored.

    What the stream told may not have been: read the game anew.
    """


class LobbyHead(Struct, frozen=True, tag=True):
    """The first item of the stream of the lobby: what an earlier one told holds no more, and so many `rows` follow."""

    rows: Count


class TableListed(Struct, frozen=True, tag=True):
    """A table is among those that are wanted, or still is and has changed.

    `table`: as it is now. `ratings`: how strong those are who sit there, as far as they have a rating in its rule set.
    """

    table: TableView
    ratings: tuple[SeatedRating, ...]


class TableGone(Struct, frozen=True, tag=True):
    """A table that was told of is not wanted any more, or a thousand others moved after it."""

    game: UUID


class YourTurn(Struct, frozen=True, tag=True):
    """The game waits for the caller's `seat`, and did so when event `seq` was its last.

    `table`: as it is when this is told. `next`: with `offers=true`, what the caller sees and may do then.
    """

    game: UUID
    seq: Seq
    seat: Seat
    id: StreamId
    table: TableView
    next: NextMove | UnsetType = UNSET


class GameOver(Struct, frozen=True, tag=True):
    """The game ended with event `seq`. `winners` are seats.

    `table`: as it stood then.
    """

    game: UUID
    seq: Seq
    winners: Seats
    id: StreamId
    table: TableView

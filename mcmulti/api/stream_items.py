"""What a stream is made of, besides the events of the log."""

from typing import Literal
from uuid import UUID

from msgspec import Struct

from mcmulti.domain.figures import Seat, Seats
from mcmulti.events.item import Hash, Seq


class StreamHead(Struct, frozen=True, tag=True):
    """The first item of a game's stream. `seq` and `hash` are the head when the stream began.

    `present` are the seats whose players had a stream of this game open at this server then.
    """

    game: UUID
    seq: Seq
    hash: Hash
    status: Literal["open", "running", "finished"]
    present: Seats


class Heartbeat(Struct, frozen=True, tag=True):
    """Nothing happened for a while, and the stream is alive. In an SSE stream a comment stands in its place."""


class YourTurn(Struct, frozen=True, tag=True):
    """The game waits for the caller's `seat`, and did so when event `seq` was its last."""

    game: UUID
    seq: Seq
    seat: Seat


class GameOver(Struct, frozen=True, tag=True):
    """The game ended with event `seq`. `winners` are seats."""

    game: UUID
    seq: Seq
    winners: Seats

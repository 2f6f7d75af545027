"""A game at a moment: what is asked for, and how long the answer may be kept."""

from typing import NamedTuple
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from mcmulti.api.answers import Answer
from mcmulti.api.caching import FOR_EVER
from mcmulti.api.contract import Call, answer
from mcmulti.events.envelope import Head
from mcmulti.events.item import Seq
from mcmulti.events.log import Player
from mcmulti.events.positions import Position

A_DAY = "max-age=86400"
"""What is told or drawn of the past stays true, but a later build may say it better."""


class MomentQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at`: after this event instead of now."""

    at: Seq | UnsetType = UNSET


class Perspective(NamedTuple):
    """A game as it is or was, and who asks. `past` if a moment was asked for."""

    position: Position
    caller: Player | None
    past: bool

    @property
    def seat(self) -> int | None:
        """Where the caller sits."""
        return self.position.seat_of(self.caller.player_id) if self.caller else None


async def moment(call: Call, caller: Player | None, game: UUID, at: int | UnsetType = UNSET) -> Perspective:
    """The game after event `at`, or now. Raises `UnknownGame` and `UnknownMoment`."""
    referee = call.service.referee
    if isinstance(at, UnsetType):
        return Perspective(await referee.position(game), caller, past=False)
    return Perspective(await referee.position_at(game, at), caller, past=True)


def shown(call: Call, at: Perspective, content: Struct | bytes, tag: str, past: str = FOR_EVER) -> Answer:
    """The answer about a moment: what is asked of now may change, the past may be kept as long as `past` says."""
    keep = past if at.past else "no-cache"
    return told(call, content, at.position.head, tag, at.caller, keep)


def told(call: Call, content: Struct | bytes, head: Head, tag: str, caller: Player | None, keep: str) -> Answer:
    """An answer that is true of a head, with its tag and how long clients may `keep` it."""
    return answer(
        content,
        head=head,
        media_type=call.media_type,
        tag=tag,
        Cache_Control=f"{'private' if caller else 'public'}, {keep}",
        Vary=call.varies,
    )

"""A game at a moment: what is asked for, and how long the answer may be kept."""

from typing import NamedTuple
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from mcmulti.api.caching.freshness import FOR_EVER
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, answer
from mcmulti.api.telling.names import Names
from mcmulti.domain.core.table import NOBODY, Called
from mcmulti.events.log.envelope import Head
from mcmulti.events.log.item import Seq
from mcmulti.events.log.positions import Position
from mcmulti.events.store.ports import Player

A_DAY = "max-age=86400"
"""What is told or drawn of the past stays true, but a later build may say it better."""
ASKED_ANEW = "no-cache"
"""What says names is asked for anew each time, the past too: a player may be called otherwise, or be erased."""


class MomentQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at`: after this event instead of now."""

    at: Seq | UnsetType = UNSET


class Perspective(NamedTuple):
    """A game as it is or was, and who asks. `past` if a moment was asked for. `names` are those the position shows."""

    position: Position
    caller: Player | None
    past: bool
    names: Names | None = None

    @property
    def seat(self) -> int | None:
        """Where the caller sits."""
        return self.position.seat_of(self.caller.player_id) if self.caller else None

    @property
    def called(self) -> Called:
        """What players are called."""
        return NOBODY if self.names is None else self.names.called

    @property
    def digest(self) -> str:
        """What tells these names from others; "" where none is said."""
        return "" if self.names is None else self.names.digest


async def moment(call: Call, caller: Player | None, game: UUID, at: int | UnsetType = UNSET) -> Perspective:
    """The game after event `at`, or now. Raises `UnknownGame` and `UnknownMoment`."""
    referee = call.service.referee
    if isinstance(at, UnsetType):
        return Perspective(await referee.position(game), caller, past=False)
    return Perspective(await referee.position_at(game, at), caller, past=True)


async def named_moment(call: Call, caller: Player | None, game: UUID, at: int | UnsetType = UNSET) -> Perspective:
    """The same, and all who ever sat there with their names."""
    found = await moment(call, caller, game, at)
    names = await call.service.names.of(found.position.state.everybody)
    return found._replace(position=found.position.presented(names.called), names=names)


def shown(call: Call, at: Perspective, content: Struct | bytes, tag: str, past: str = FOR_EVER) -> Answer:
    """The answer about a moment: what is asked of now may change, and so may names; else the past may be kept as long
    as `past` says.
    """
    keep = past if at.past and at.names is None else ASKED_ANEW
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

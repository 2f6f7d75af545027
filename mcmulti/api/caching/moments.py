"""A game at a moment: the moment that is requested, and how long the response can be cached."""

from collections.abc import Callable, Coroutine, Hashable
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from mcmulti.api.caching.representation import ASKED_ANEW, FOR_EVER, Representation
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call
from mcmulti.api.http.received import Tags
from mcmulti.api.telling.names import Names
from mcmulti.domain.core.table import NOBODY, Called
from mcmulti.events.log.item import Seq
from mcmulti.events.log.positions import Position, seat_among
from mcmulti.events.ports.accounts import Player


class MomentQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at`: after this event instead of now."""

    at: Seq | UnsetType = UNSET


class Perspective(NamedTuple):
    """A game at a moment, and the caller. `past`: whether a moment was requested. `names`: those in the position."""

    position: Position
    caller: Player | None
    past: bool
    names: Names | None = None

    @property
    def seat(self) -> int | None:
        """The caller's seat."""
        position, caller = self.position, self.caller
        return seat_among(position.ruleset.players(position.state), caller.player_id) if caller else None

    @property
    def called(self) -> Called:
        """The players' names."""
        return NOBODY if self.names is None else self.names.called


async def moment(call: Call, caller: Player | None, game: UUID, at: int | UnsetType = UNSET) -> Perspective:
    """The game after event `at`, or now. Raises `UnknownGame` and `UnknownMoment`."""
    referee = call.service.referee
    if isinstance(at, UnsetType):
        return Perspective(await referee.position(game), caller, past=False)
    return Perspective(await referee.position_at(game, at), caller, past=True)


async def named_moment(call: Call, caller: Player | None, game: UUID, at: int | UnsetType = UNSET) -> Perspective:
    """The same, with the names of all who ever sat there."""
    found = await moment(call, caller, game, at)
    names = await call.service.names.lookup(found.position.state.everybody)
    return found._replace(position=found.position.presented(names.called), names=names)


def represented(call: Call, at: Perspective, *, for_all: bool = False, also: Hashable = None) -> Representation:
    """The representation of a moment for the call. `for_all`: every reader gets the same, whatever its seat. `also`:
    what else the response depends on.
    """
    position, names = at.position, "" if at.names is None else at.names.digest
    return Representation(call, position.game_id, position.head, None if for_all else at.seat, names, also)


async def same_for_all(
    call: Call,
    at: Perspective,
    known: Tags,
    make: Callable[[], Coroutine[Any, Any, Struct | bytes]],
    *,
    keep: str | None = None,
    also: Hashable = None,
) -> Answer:
    """A response that is the same for every reader, made only if neither the client nor the server has it.

    `known`: the client's tags. `keep`: how long clients may cache it, by default as `lasting` says. `also`: what else
    it depends on.
    """
    told = represented(call, at, for_all=True, also=also)
    return told.unchanged(known) or told.answer(await told.get_or_make(make), lasting(at) if keep is None else keep)


def lasting(at: Perspective, past: str = FOR_EVER) -> str:
    """How long clients may cache a response about a moment: the past as long as `past` says, unless it
    contains names.
    """
    return past if at.past and at.names is None else ASKED_ANEW

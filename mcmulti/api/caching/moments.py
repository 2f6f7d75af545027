"""A game at a moment: what is asked for, and how long the answer may be kept."""

from collections.abc import Hashable
from typing import NamedTuple
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from mcmulti.api.caching.representation import ASKED_ANEW, FOR_EVER, Representation
from mcmulti.api.http.contract import Call
from mcmulti.api.telling.names import Names
from mcmulti.domain.core.table import NOBODY, Called
from mcmulti.events.log.item import Seq
from mcmulti.events.log.positions import Position, seat_among
from mcmulti.events.ports.accounts import Player


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
        position, caller = self.position, self.caller
        return seat_among(position.ruleset.players(position.state), caller.player_id) if caller else None

    @property
    def called(self) -> Called:
        """What players are called."""
        return NOBODY if self.names is None else self.names.called


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


def represented(call: Call, at: Perspective, *, for_all: bool = False, also: Hashable = None) -> Representation:
    """What the call is answered about a moment. `for_all`: every reader gets the same, wherever it sits; `also` is what
    the answer depends on besides.
    """
    position, names = at.position, "" if at.names is None else at.names.digest
    return Representation(call, position.game_id, position.head, None if for_all else at.seat, names, also)


def lasting(at: Perspective, past: str = FOR_EVER) -> str:
    """How long clients may keep what is told of a moment: the past as long as `past` says, unless it names people."""
    return past if at.past and at.names is None else ASKED_ANEW

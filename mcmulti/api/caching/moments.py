"""A game at a moment: the moment that is requested, and how long the response can be cached."""

from collections.abc import Callable, Coroutine
from typing import Any
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from mcmulti.api.caching.representation import ASKED_ANEW, FOR_EVER, Perspective, Representation
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import NOTHING, Call
from mcmulti.api.http.received import Tags
from mcmulti.api.service import Seating
from mcmulti.events.log.item import Seq
from mcmulti.events.log.positions import Position, seat_among


class MomentQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at`: after this event instead of now."""

    at: Seq | UnsetType = UNSET


async def moment(call: Call, game: UUID, at: int | UnsetType = UNSET) -> Perspective:
    """The game after event `at`, or now, with what the operation declares. Raises `UnknownGame` and `UnknownMoment`."""
    service, declared, names = call.service, call.operation, None
    if isinstance(at, UnsetType):
        position, past = await service.referee.position(game), False
    else:
        position, past = await service.referee.position_at(game, at), True
    if declared.named:
        names = await service.names.lookup(position.state.everybody)
        position = position.presented(names.called)
    beside = NOTHING if declared.beside is None else await declared.beside(call, position, past)
    seat = None if declared.readers == "all" else seat_seen(call, position)
    return Perspective(position, past, seat, names, beside)


def seat_seen(call: Call, position: Position) -> int | None:
    """The seat for which the response is made; None for a spectator, and where the operation makes no difference."""
    ruleset, readers = position.ruleset, call.operation.readers
    if call.caller is None or readers == "all" or (readers == "sealed" and not ruleset.seals_by_seat):
        return None
    return seat_among(ruleset.players(position.state), call.caller.player_id)


async def past_moment(call: Call, game: UUID, at: int) -> Perspective:
    """Like `moment`, for an operation that is `named` and shows `each` seat its own, and nothing beside.

    If this moment was requested before, the log is not queried, and the position has no state.
    """
    service, caller = call.service, call.caller
    then, position = service.seatings.get((game, at)), None
    if then is None:
        position = await service.referee.position_at(game, at)
        state = position.state
        seating = Seating(position._replace(state=None), position.ruleset.players(state), state.everybody)
        then = service.seatings.put((game, at), seating)
    seat = seat_among(then.players, caller.player_id) if caller else None
    return Perspective(position or then.position, True, seat, await service.names.lookup(then.everybody))


async def made_once(
    call: Call,
    at: Perspective,
    known: Tags,
    make: Callable[[], Coroutine[Any, Any, Struct | bytes]],
    keep: str | None = None,
) -> Answer:
    """A response about a moment, made only if neither the client nor the server has it.

    `known`: the client's tags. `keep`: how long clients may cache it, by default as `lasting` says.
    """
    told = Representation(call, at)
    return told.unchanged(known) or told.answer(await told.get_or_make(make), lasting(at) if keep is None else keep)


def lasting(at: Perspective, past: str = FOR_EVER) -> str:
    """How long clients may cache a response about a moment: the past as long as `past` says, unless it
    contains names.
    """
    return past if at.past and at.names is None else ASKED_ANEW

"""An event as it is published: one JSON document, a line of a game file or a part of a response."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from mcmulti.domain.core.figures import MOST, RuleId, Seat, TypeName
from mcmulti.events.log.envelope import Recorded

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 in hexadecimal.")]
Seq = Annotated[int, Meta(ge=0, le=MOST, description="Number of an event in its game, from 1; 0 before the first.")]
Timestamp = Annotated[datetime, Meta(tz=True)]
EventData = Annotated[Raw | UnsetType, Meta(extra_json_schema={"$ref": "#/components/schemas/Event"})]
"""The content of an event; omitted if the reader may not know it yet."""
EventCommand = Annotated[Raw | UnsetType, Meta(extra_json_schema={"$ref": "#/components/schemas/AnyCommand"})]


class AtMoment(Struct, frozen=True):
    """What a response is true of: a `game` after event `seq`, which has this `hash`."""

    game: UUID
    seq: Seq
    hash: Hash


class EventItem(Struct, frozen=True, kw_only=True):
    """One event of the log. `actor`: the seat whose command led to it, null for the referee.

    `command`: only on the first event of each command. The audit guide describes how `hash` follows from the rest. If
    the reader may not see the event yet, `data` and `command` are omitted, and `payload` is there, the SHA-256 of both,
    from which the hash follows.
    """

    seq: Seq
    type: TypeName
    data: EventData = UNSET
    rule: RuleId
    actor: Seat | None
    command_id: UUID | None
    command: EventCommand = UNSET
    recorded_at: Timestamp
    prev_hash: Hash
    hash: Hash
    payload: Hash | UnsetType = UNSET


_NULL = b"null"


def open_data(item: EventItem) -> bytes:
    """The content of an event, as JSON. Raises ValueError if the reader may not see it yet."""
    if isinstance(item.data, UnsetType):
        raise ValueError(f"event {item.seq} is sealed")
    return bytes(item.data)


def item(event: Recorded) -> EventItem:
    """An event in its wire format; its data and command are the stored bytes."""
    _, seq, type_, data, rule, actor, command_id, command, recorded_at, prev_hash, own, payload = event
    return EventItem(
        seq=seq,
        type=type_,
        data=Raw(data) if data else UNSET,
        rule=rule,
        actor=actor,
        command_id=command_id,
        command=Raw(command) if command else UNSET,
        recorded_at=recorded_at,
        prev_hash=prev_hash.hex(),
        hash=own.hex(),
        payload=UNSET if payload is None else payload.hex(),
    )


def recorded(game_id: UUID, item: EventItem) -> Recorded:
    """The inverse of `item`. Raises ValueError for an event that is neither open nor sealed, or both."""
    payload = None if isinstance(item.payload, UnsetType) else bytes.fromhex(item.payload)
    data = None if isinstance(item.data, UnsetType) else bytes(item.data)
    command = None if isinstance(item.command, UnsetType) else bytes(item.command)
    if _NULL in (data, command):
        raise ValueError(f"event {item.seq} has a null where data or a command should be left out")
    if data is None and payload is None:
        raise ValueError(f"event {item.seq} has neither data nor a payload")
    if payload is not None and (data is not None or command is not None):
        raise ValueError(f"event {item.seq} has a payload, as if sealed, but also data or a command")
    return Recorded(
        game_id,
        item.seq,
        item.type,
        data or b"",
        item.rule,
        item.actor,
        item.command_id,
        command,
        item.recorded_at,
        bytes.fromhex(item.prev_hash),
        bytes.fromhex(item.hash),
        payload,
    )

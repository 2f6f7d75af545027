"""An event as it is handed out: one JSON document, a line of a game file or a part of an answer."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from mcmulti.domain.figures import MOST, RuleId, Seat, TypeName
from mcmulti.events.envelope import Recorded

Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64, description="SHA-256 in hexadecimal.")]
Seq = Annotated[int, Meta(ge=0, le=MOST, description="Number of an event in its game, from 1; 0 before the first.")]
Moment = Annotated[datetime, Meta(tz=True)]
EventData = Annotated[
    Raw, Meta(extra_json_schema={"anyOf": [{"$ref": "#/components/schemas/Event"}, {"type": "null"}]})
]


class EventItem(Struct, frozen=True):
    """One event of the log. `actor` is the seat whose command led to it, null for the referee.

    `command` stands on the first event of each command and is null on the others. See the audit guide for how
    `hash` follows from the rest. Of an event that the reader may not see yet, `data` and `command` are null, and
    `payload` is the SHA-256 of both, from which the hash follows.
    """

    seq: Seq
    type: TypeName
    data: EventData
    rule: RuleId
    actor: Seat | None
    command_id: UUID | None
    command: Annotated[
        Raw,
        Meta(extra_json_schema={"anyOf": [{"$ref": "#/components/schemas/AnyCommand"}, {"type": "null"}]}),
    ]
    recorded_at: Moment
    prev_hash: Hash
    hash: Hash
    payload: Hash | UnsetType = UNSET


_NULL = b"null"


def item(event: Recorded) -> EventItem:
    """An event as it goes over the wire; its data and command are the stored bytes."""
    _, seq, type_, data, rule, actor, command_id, command, recorded_at, prev_hash, own, payload = event
    return EventItem(
        seq,
        type_,
        Raw(data or _NULL),
        rule,
        actor,
        command_id,
        Raw(command or _NULL),
        recorded_at,
        prev_hash.hex(),
        own.hex(),
        UNSET if payload is None else payload.hex(),
    )


def recorded(game_id: UUID, item: EventItem) -> Recorded:
    """The event that `item` made it from. Raises ValueError for one that is neither open nor sealed, or both."""
    payload = None if isinstance(item.payload, UnsetType) else bytes.fromhex(item.payload)
    data = None if bytes(item.data) == _NULL else bytes(item.data)
    command = None if bytes(item.command) == _NULL else bytes(item.command)
    if data is None and payload is None:
        raise ValueError(f"event {item.seq} has neither data nor a payload")
    if payload is not None and (data is not None or command is not None):
        raise ValueError(f"event {item.seq} has a payload, as if it was sealed, and data or a command all the same")
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

"""The envelope around an event, and the hash chain that binds every envelope to the one before it.

The scheme, exactly::

    payload  = data bytes, then, if the event carries its command, 0x0A and the command bytes
    header   = compact JSON [game_id, seq, type, rule, actor, command_id, recorded_at]
    hash     = SHA-256(prev_hash || SHA-256(payload) || header)

``prev_hash`` and ``hash`` are 32 raw bytes; the first event's ``prev_hash`` is 32 zero bytes. Compact JSON never
contains a raw line feed, so the payload is unambiguous. In the header, ``recorded_at`` is in UTC as
``YYYY-MM-DDTHH:MM:SS.ffffffZ``, without the fraction when it is zero.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

import msgspec

GENESIS = bytes(32)
"""The previous hash of the first event of every game."""


class Draft(NamedTuple):
    """An event that is not in the log yet: what the rules decided, encoded once and forever."""

    type: str
    data: bytes
    rule: str
    actor: int | None
    command_id: UUID | None
    command: bytes | None


class Recorded(NamedTuple):
    """One event of the log as it is stored.

    ``data`` and ``command`` are the stored JSON bytes, never re-encoded. ``seq`` counts 1, 2, 3 ... within the game.
    ``actor`` is the seat whose command led to the event, or None for the referee. ``command`` is stored with the first
    event of each command and is None on the others.

    An event that its reader may not see yet is sealed: ``data`` is empty, ``command`` None, and ``payload`` the digest
    of both, with which the chain can still be verified. It is None on all others. To fold a sealed event, put a
    stand-in for ``data``.
    """

    game_id: UUID
    seq: int
    type: str
    data: bytes
    rule: str
    actor: int | None
    command_id: UUID | None
    command: bytes | None
    recorded_at: datetime
    prev_hash: bytes
    hash: bytes
    payload: bytes | None = None


class Head(NamedTuple):
    """The end of a game's log: the number and the hash of its last event."""

    seq: int
    hash: bytes


START = Head(0, GENESIS)
"""The head of a log without events."""

_encode = msgspec.json.Encoder().encode


def payload_digest(data: bytes, command: bytes | None) -> bytes:
    """SHA-256 over the content of the event."""
    return sha256(data if command is None else b"%b\n%b" % (data, command)).digest()


def sealed(event: Recorded) -> Recorded:
    """The event as it is shown to readers who may not see its content."""
    return event._replace(data=b"", command=None, payload=payload_digest(event.data, event.command))


def seal(game_id: UUID, head: Head, drafts: Sequence[Draft], recorded_at: datetime) -> list[Recorded]:
    """Number the drafts after `head`, stamp them, in UTC, and chain them."""
    recorded_at = recorded_at.astimezone(UTC)
    events = []
    seq, before = head
    for type_, data, rule, actor, command_id, command in drafts:
        seq += 1
        header = _encode((game_id, seq, type_, rule, actor, command_id, recorded_at))
        own = sha256(before + payload_digest(data, command) + header).digest()
        events.append(Recorded(game_id, seq, type_, data, rule, actor, command_id, command, recorded_at, before, own))
        before = own
    return events


def head_after(game_id: UUID, head: Head, events: Sequence[Recorded]) -> Head:
    """The head of a game's log after these events, which follow `head`.

    Raises ValueError if they do not follow it. Each event's own ``hash`` is trusted; see `broken_link`.
    """
    last, prev_hash = head
    for event in events:
        seq = event.seq
        if seq != last + 1 or event.prev_hash != prev_hash or event.game_id != game_id:
            raise ValueError(f"event {seq} of game {event.game_id} does not follow event {last}")
        last, prev_hash = seq, event.hash
    return Head(last, prev_hash)


def broken_link(events: Sequence[Recorded], head: Head = START) -> str | None:
    """The first event that does not follow the one before it, in a sentence; None if all do.

    `head`: the last event before the given ones; by default, the start of the log.
    """
    seq, prev_hash = head
    for game_id, number, type_, data, rule, actor, command_id, command, recorded_at, before, own, payload in events:
        seq += 1
        if number != seq:
            return f"event {seq} is missing: event {number} is in its place"
        if before != prev_hash:
            return f"event {seq} does not name the hash of the event before it"
        # Like `payload_digest`, but inlined: whole games are checked here.
        said = payload or sha256(data if command is None else data + b"\n" + command).digest()
        header = _encode((game_id, seq, type_, rule, actor, command_id, recorded_at))
        prev_hash = sha256(prev_hash + said + header).digest()
        if own != prev_hash:
            return f"event {seq} was changed: its hash does not match its content"
    return None

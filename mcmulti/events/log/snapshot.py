"""Snapshots: a game's state at some event, stored to avoid folding the whole log. They can be deleted at any time."""

from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.capability import Slot
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import NOBODY, Table, presented, slots_of
from mcmulti.events.log.codec import ruleset_of
from mcmulti.events.log.digests import sealed, unsealed
from mcmulti.events.log.envelope import Head

SPACING = 200
"""A snapshot is stored about every this many events."""


class Snapshot(NamedTuple):
    """The state after the event that is the head then. `shape`: identifies the layout of states.

    `state` begins with a digest of all this.
    """

    head: Head
    shape: bytes
    state: bytes


_encode = msgspec.msgpack.Encoder().encode


class ChangedSnapshot(ValueError):
    """A snapshot was changed, or belongs to another game."""


def taken(key: bytes, game_id: UUID, ruleset: Ruleset[Any], state: Any, head: Head) -> Snapshot:
    """A snapshot of a game's state, without names, which are not in the log. `key`: the key of digests."""
    return sealed_snapshot(key, game_id, Snapshot(head, shape(ruleset), _encode(presented(state, NOBODY))))


def sealed_snapshot(key: bytes, game_id: UUID, bare: Snapshot) -> Snapshot:
    """A copy of the snapshot whose state begins with its digest."""
    return bare._replace(state=sealed(key, "snapshot", game_id, *_snapshot_parts(bare)))


def is_sound(key: bytes, game_id: UUID, snapshot: Snapshot) -> bool:
    """Whether a snapshot is the original one of this game."""
    return unsealed(key, "snapshot", game_id, *_snapshot_parts(snapshot)) is not None


def restored(key: bytes, game_id: UUID, ruleset: Ruleset[Any], snapshot: Snapshot) -> Any:
    """The state in a snapshot of a game, which must have the rule set's current layout.

    Raises ValueError, including `ChangedSnapshot`, and RecursionError for invalid bytes.
    """
    packed = unsealed(key, "snapshot", game_id, *_snapshot_parts(snapshot))
    if packed is None:
        raise ChangedSnapshot(f"the snapshot of event {snapshot.head.seq} is not what was kept")
    return state_in(ruleset, packed)


def state_in(ruleset: Ruleset[Any], packed: bytes) -> Any:
    """A state that was encoded as MessagePack. Raises ValueError and RecursionError for invalid bytes."""
    state: Table = _decoder(ruleset.name, ruleset.version).decode(packed)
    changing = [name for name, kind in slots_of(type(state)) if kind.restored is not Slot.restored]
    return replace(state, **{name: getattr(state, name).restored(ruleset.state_type) for name in changing})


def _snapshot_parts(snapshot: Snapshot) -> tuple[bytes, ...]:
    """What its digest covers in addition to its game."""
    return (snapshot.shape, b"%d" % snapshot.head.seq, snapshot.head.hash, snapshot.state)


def shape(ruleset: Ruleset[Any]) -> bytes:
    """32 bytes that change whenever the layout of the rule set's states does."""
    return _shape(ruleset.name, ruleset.version)


@cache
def _shape(name: str, version: int) -> bytes:
    layout = msgspec.json.schema(ruleset_of(name, version).state_type)
    return sha256(msgspec.json.encode(layout, order="sorted")).digest()


@cache
def _decoder(name: str, version: int) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(ruleset_of(name, version).state_type)

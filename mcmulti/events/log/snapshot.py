"""Snapshots: a game's state at some event, kept so that nobody needs to fold the whole log. They may be thrown away."""

from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.undo import undoing_of
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import NOBODY, presented
from mcmulti.events.log.codec import ruleset_of
from mcmulti.events.log.envelope import Head

SPACING = 200
"""A snapshot is kept about every so many events."""


class Snapshot(NamedTuple):
    """The state after the event that is the head then. `shape` tells states of one layout from those of another."""

    head: Head
    shape: bytes
    state: bytes


_encode = msgspec.msgpack.Encoder().encode


def taken(ruleset: Ruleset[Any], state: Any, head: Head) -> Snapshot:
    """A snapshot of a state, without names: they are not in the log."""
    return Snapshot(head, shape(ruleset), _encode(presented(state, NOBODY)))


def restored(ruleset: Ruleset[Any], snapshot: Snapshot) -> Any:
    """The state in a snapshot, which must be of the rule set's present shape.

    Raises ValueError and RecursionError for bytes that are none.
    """
    state = _decoder(ruleset.name, ruleset.version).decode(snapshot.state)
    undoing = undoing_of(state)
    if not undoing.trail:
        return state
    marks = tuple(replace(mark, state=msgspec.convert(mark.state, ruleset.state_type)) for mark in undoing.trail)
    return replace(state, undoing=replace(undoing, trail=marks))


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

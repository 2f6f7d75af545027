"""Logs that were tampered with, and hashed again."""

from collections.abc import Sequence
from hashlib import sha256

import msgspec

from mcmulti.events.log.envelope import START, Head, Recorded, payload_digest


def chain_hash(event: Recorded) -> bytes:
    """The hash that an event should have, whatever its ``hash`` field says."""
    game_id, seq, type_, data, rule, actor, command_id, command, recorded_at, prev_hash, _, payload = event
    header = msgspec.json.encode((game_id, seq, type_, rule, actor, command_id, recorded_at))
    return sha256(prev_hash + (payload or payload_digest(data, command)) + header).digest()


def rehashed(events: Sequence[Recorded], head: Head = START) -> list[Recorded]:
    """The chain as a forger completes it."""
    before = head.hash
    found = []
    for event in events:
        linked = event._replace(prev_hash=before)
        before = chain_hash(linked)
        found.append(linked._replace(hash=before))
    return found

"""Logs that were tampered with, and hashed again."""

from collections.abc import Sequence

from mcmulti.events.log.envelope import START, Head, Recorded, chain_hash


def rehashed(events: Sequence[Recorded], head: Head = START) -> list[Recorded]:
    """The chain as a forger completes it."""
    before = head.hash
    found = []
    for event in events:
        linked = event._replace(prev_hash=before)
        before = chain_hash(linked)
        found.append(linked._replace(hash=before))
    return found

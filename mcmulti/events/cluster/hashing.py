"""Where ids live, as Citus distributes them: by their hash."""

from bisect import bisect_right
from collections.abc import Sequence
from uuid import UUID

_WORD = 0xFFFFFFFF


def places_in(ranges: Sequence[tuple[int, int]]) -> list[UUID]:
    """The least id of each hash range. The ranges are in order and cover every hash."""
    least = [first for first, _ in ranges]
    found: dict[int, UUID] = {}
    number = 0
    while len(found) < len(ranges):
        place = UUID(int=number)
        found.setdefault(bisect_right(least, hash_of(place)) - 1, place)
        number += 1
    return [found[index] for index in range(len(ranges))]


def hash_of(game_id: UUID) -> int:
    """The hash by which Citus distributes ids: PostgreSQL's `uuid_hash` on little-endian machines, lookup3."""
    words = [int.from_bytes(game_id.bytes[at : at + 4], "little") for at in range(0, 16, 4)]
    start = 0x9E3779B9 + 16 + 3923095
    a, b, c = (start + words[0] & _WORD, start + words[1] & _WORD, start + words[2] & _WORD)
    for turn in (4, 6, 8, 16, 19, 4):
        a = a - c & _WORD ^ _turned(c, turn)
        c = c + b & _WORD
        a, b, c = b, c, a
    a = a + words[3] & _WORD
    for turn in (14, 11, 25, 16, 4, 14, 24):
        c = (c ^ b) - _turned(b, turn) & _WORD
        a, b, c = b, c, a
    return b - (1 << 32) if b >> 31 else b


def _turned(word: int, bits: int) -> int:
    return (word << bits | word >> 32 - bits) & _WORD

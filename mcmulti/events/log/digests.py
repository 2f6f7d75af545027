"""Keyed digests of rows derived from the log, so that a changed row is detected before it is trusted.

They are BLAKE2b with a key that the log keeps for this purpose. Anyone who can read the key can make them: they detect
a damaged row, a row of another game, and changes by somebody who can write only to some tables.
"""

from hashlib import blake2b
from hmac import compare_digest
from typing import Literal
from uuid import UUID

Kind = Literal["snapshot", "checked", "ladder", "assessment", "review"]
"""What a digest is for. A digest for one purpose is not valid for another. Receipts have their own, cheaper digest."""
SIZE = 16
"""The size of a digest, in bytes."""
KEY = 32
"""The size of the key, in bytes."""


def digest(key: bytes, kind: Kind, game_id: UUID, *parts: bytes) -> bytes:
    """The digest of a game's row with these parts."""
    said = blake2b(game_id.bytes, key=key, digest_size=SIZE, person=kind.encode())
    for part in parts:
        said.update(len(part).to_bytes(8))
        said.update(part)
    return said.digest()


def sealed(key: bytes, kind: Kind, game_id: UUID, *parts: bytes) -> bytes:
    """The last part of a game's row, which begins with the digest of all parts."""
    return digest(key, kind, game_id, *parts) + parts[-1]


def unsealed(key: bytes, kind: Kind, game_id: UUID, *parts: bytes) -> bytes | None:
    """The last part without its digest; None if any part is not what was sealed."""
    *others, said = parts
    whole = compare_digest(said[:SIZE], digest(key, kind, game_id, *others, said[SIZE:]))
    return said[SIZE:] if whole else None

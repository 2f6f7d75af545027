"""Keyed digests of what is kept beside the log, so that a row which was changed is noticed before it is believed.

They are BLAKE2b with the key that the log keeps for this. Whoever can read the key can make them: they tell a damaged
row, a row of another game, and the work of somebody who can write to some tables only.
"""

from hashlib import blake2b
from typing import Literal
from uuid import UUID

Kind = Literal["snapshot", "checked"]
"""What a digest is of; none is good for anything else. Receipts have their own, which costs less."""
SIZE = 16
"""Bytes of a digest."""
KEY = 32
"""Bytes of the key."""


def digest(key: bytes, kind: Kind, game_id: UUID, *parts: bytes) -> bytes:
    """The digest of a row of a game that holds these parts."""
    said = blake2b(game_id.bytes, key=key, digest_size=SIZE, person=kind.encode())
    for part in parts:
        said.update(len(part).to_bytes(8))
        said.update(part)
    return said.digest()

"""Signed heads: what a server says about the end of a game's log, so that it cannot say otherwise later.

The signature is Ed25519 (RFC 8032) over these bytes, which end with a line feed::

    mcmulti head v1
    <game id>
    <seq>
    <hash in hexadecimal>

The hash is chained over all that stands before it, so one signature holds for the whole log.
"""

from hashlib import sha256
from typing import Annotated
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Meta

from mcmulti.events.envelope import Head

PublicKey = Annotated[
    str, Meta(pattern="^[0-9a-f]{64}$", description="An Ed25519 public key: 32 bytes in hexadecimal.")
]
KeyId = Annotated[
    str,
    Meta(pattern="^[0-9a-f]{16}$", description="The first 16 digits of the SHA-256 of a public key."),
]
Signature = Annotated[
    str, Meta(pattern="^[0-9a-f]{128}$", description="An Ed25519 signature: 64 bytes in hexadecimal.")
]


class SigningKey:
    """A server's key, from its seed of 32 bytes. `public` and `id` are in hexadecimal."""

    def __init__(self, seed: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.public: str = self._private.public_key().public_bytes_raw().hex()
        self.id = key_id(self.public)

    def sign(self, game_id: UUID, head: Head) -> str:
        """The signature of a head, in hexadecimal; always the same for the same head."""
        return self._private.sign(statement(game_id, head)).hex()


def statement(game_id: UUID, head: Head) -> bytes:
    """The bytes that are signed."""
    return f"mcmulti head v1\n{game_id}\n{head.seq}\n{head.hash.hex()}\n".encode()


def key_id(public: str) -> str:
    """The short name of a public key; raises ValueError if that is not hexadecimal."""
    return sha256(bytes.fromhex(public)).hexdigest()[:16]


def is_signed(public: str, signature: str, game_id: UUID, head: Head) -> bool:
    """Whether the owner of the public key signed this head. False for anything that is no key or signature."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), statement(game_id, head))
    except (ValueError, InvalidSignature):
        return False
    return True

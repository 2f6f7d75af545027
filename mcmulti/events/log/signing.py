"""Signed heads: a server's statements about the end of a game's log, which it cannot deny later.

The signature is Ed25519 (RFC 8032) over these bytes, which end with a line feed::

    mcmulti head v1
    <game id>
    <seq>
    <hash in hexadecimal>

The hash covers everything before it, so one signature covers the whole log.

A server can change its key. Both keys sign that the new one succeeds the old one::

    mcmulti key v1
    <public key before>
    <public key from then on>
    <since when, YYYY-MM-DDTHH:MM:SSZ>

A later key can state that an earlier one is compromised, and since when its signatures are invalid::

    mcmulti revoked key v1
    <public key>
    <since when>
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Meta, Struct

from mcmulti.events.log.envelope import Head

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
Since = Annotated[datetime, Meta(tz=True, description="A moment in UTC, to the second.")]

LAG = timedelta(minutes=1)
"""How long after a key was replaced it may still have signed heads: servers check for a new key only now and then, and
their clocks differ.
"""


class Revocation(Struct, frozen=True):
    """Signatures of a key are invalid from `since` on. `by`: the later key that states this."""

    since: Since
    by: PublicKey
    signature: Signature


class KeyStatement(Struct, frozen=True):
    """A key of a server, which signs heads from `since` on.

    `endorsed`: the signature of the previous key over the succession; null for the first key. `accepted`: its own
    signature over the succession; null for the first key. `revoked`: null unless the key must no longer be trusted.
    """

    public: PublicKey
    since: Since
    endorsed: Signature | None = None
    accepted: Signature | None = None
    revoked: Revocation | None = None


class SigningKey:
    """A server's key, from its seed of 32 bytes. `public` and `id` are in hexadecimal.

    `statements`: those of all keys of its server, the first key first and this one last, if they are known.
    """

    def __init__(self, seed: bytes, statements: tuple[KeyStatement, ...] = ()) -> None:
        self.seed = seed
        self.statements = statements
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.public: str = self._private.public_key().public_bytes_raw().hex()
        self.id = key_id(self.public)

    def sign(self, game_id: UUID, head: Head) -> str:
        """The signature of a head, in hexadecimal; always the same for the same head."""
        return self.sign_bytes(statement(game_id, head))

    def sign_bytes(self, content: bytes) -> str:
        """The signature of any statement, in hexadecimal."""
        return self._private.sign(content).hex()


def statement(game_id: UUID, head: Head) -> bytes:
    """The bytes that are signed."""
    return f"mcmulti head v1\n{game_id}\n{head.seq}\n{head.hash.hex()}\n".encode()


def succession(before: str, public: str, since: datetime) -> bytes:
    """The signed bytes for the succession of one key by another."""
    return f"mcmulti key v1\n{before}\n{public}\n{_moment(since)}\n".encode()


def revocation(public: str, since: datetime) -> bytes:
    """The signed bytes for the revocation of a key."""
    return f"mcmulti revoked key v1\n{public}\n{_moment(since)}\n".encode()


def to_the_second(moment: datetime) -> datetime:
    """The moment, rounded to what can be signed."""
    return moment.astimezone(UTC).replace(microsecond=0)


def _moment(moment: datetime) -> str:
    try:
        return f"{to_the_second(moment):%Y-%m-%dT%H:%M:%SZ}"
    except OverflowError:  # beyond the range of dates, which our servers never sign
        return "never"


def key_id(public: str) -> str:
    """The short id of a public key. Raises ValueError if that is not hexadecimal."""
    return sha256(bytes.fromhex(public)).hexdigest()[:16]


def is_signed(public: str, signature: str, game_id: UUID, head: Head) -> bool:
    """Whether the owner of the public key signed this head. False for anything that is not a key or signature."""
    return _holds(public, signature, statement(game_id, head))


def distrust(statements: Sequence[KeyStatement], signer: str, asked: str | None, at: datetime) -> str | None:
    """Why the key `signer` should not have signed a head whose last event is of the moment `at`; None if it may.

    `statements`: those of the keys of the server, the first key first; not needed for a server that has had only one
    key. `asked`: the key that you trust, or its id. Each key that precedes or succeeds it is trusted too.
    """
    ids = [statement.public for statement in statements]
    trusted = next((each for each in (signer, *ids) if asked in (each, key_id(each))), None)
    if asked is not None and trusted is None:
        return "it is not that of the key asked for, nor of one that followed on it"
    if signer not in ids:
        return None if trusted in (None, signer) else "nobody says that its key followed on the one asked for"
    place = ids.index(signer)
    first = place if trusted is None else ids.index(trusted) if trusted in ids else place
    for later in range(min(first, place) + 1, max(first, place) + 1):
        if not _follows(statements, later):
            return f"that key {key_id(ids[later])} followed on key {key_id(ids[later - 1])} is not signed by both"
    for each in range(first, place):
        since = _revoked_since(statements, each)
        if since is not None and since <= statements[each + 1].since:
            return f"key {key_id(ids[each])} was revoked before another followed on it"
    since = _revoked_since(statements, place)
    if since is not None and at >= since:
        return f"its key is revoked since {_moment(since)}"
    if place + 1 < len(ids) and _follows(statements, place + 1) and at > statements[place + 1].since + LAG:
        return f"another key followed on its key on {_moment(statements[place + 1].since)}, before what it signed"
    return None


def _follows(statements: Sequence[KeyStatement], later: int) -> bool:
    """Whether a key and its predecessor both signed the succession."""
    before, key = statements[later - 1], statements[later]
    said = succession(before.public, key.public, key.since)
    return _holds(before.public, key.endorsed or "", said) and _holds(key.public, key.accepted or "", said)


def _revoked_since(statements: Sequence[KeyStatement], place: int) -> datetime | None:
    """Since when a key is revoked by a later one; None if it is not."""
    found = statements[place].revoked
    if found is None or not _holds(found.by, found.signature, revocation(statements[place].public, found.since)):
        return None
    for later in range(place + 1, len(statements)):
        if not _follows(statements, later):
            return None
        if statements[later].public == found.by:
            return found.since
    return None


def _holds(public: str, signature: str, content: bytes) -> bool:
    """Whether the owner of the public key signed this."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), content)
    except (ValueError, InvalidSignature):
        return False
    return True

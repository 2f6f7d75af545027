"""Tokens in the links of emails. Each begins with the id of the address, so that it can be found."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import timedelta
from hashlib import sha256
from secrets import token_bytes
from uuid import UUID

CONFIRMABLE = timedelta(days=2)
"""How long after it was added an address can be confirmed. After that, it is deleted."""
CONFIRMATION = 64
"""Characters of a token that confirms an address."""
UNSUBSCRIPTION = 43
"""Characters of a token that unsubscribes an address."""


def new_confirmation(webhook_id: UUID) -> str:
    """A token that confirms an address: whoever has it got our mail."""
    return _text(webhook_id.bytes + token_bytes(32))


def digest(token: str) -> bytes:
    """How a token that confirms an address is stored."""
    return sha256(token.encode()).digest()


def unsubscription(key: bytes, webhook_id: UUID) -> str:
    """The token that unsubscribes an address: always the same, as old mails have it too. `key`: the server's."""
    return _text(webhook_id.bytes + hmac.digest(key, b"mcmulti unsubscribe" + webhook_id.bytes, "sha256")[:16])


def webhook_of(token: str) -> UUID:
    """The id of the address that a token is for; `token`: with as many characters as one has. Raises ValueError."""
    return UUID(bytes=urlsafe_b64decode(token + "=" * (-len(token) % 4))[:16])


def _text(token: bytes) -> str:
    return urlsafe_b64encode(token).decode().rstrip("=")

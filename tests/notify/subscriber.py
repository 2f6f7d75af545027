"""A browser that has subscribed to Web Push: the keys it stores, and the messages it reads."""

from base64 import urlsafe_b64encode

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from mcmulti.notify.push import browser_keys

AUTH = bytes(range(16))
"""The secret that it shares with the server."""


def text(raw: bytes) -> str:
    """Bytes as base64url without padding."""
    return urlsafe_b64encode(raw).decode().rstrip("=")


class Subscriber:
    """`number`: determines its key."""

    def __init__(self, number: int = 7) -> None:
        self.private = ec.derive_private_key(number, ec.SECP256R1())
        self.point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.keys = browser_keys(text(self.point), text(AUTH))

    def reads(self, body: bytes) -> bytes:
        """The content of a message."""
        read: bytes = http_ece.decrypt(body, private_key=self.private, auth_secret=AUTH, version="aes128gcm")
        return read

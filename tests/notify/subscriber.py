"""A browser that has subscribed to Web Push: the keys it stores, and the messages it reads.

It reads as RFC 8291 and RFC 8188 say, step by step, and shares no code with what encrypts.
"""

from base64 import urlsafe_b64encode

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from mcmulti.notify.push import browser_keys

AUTH = bytes(range(16))
"""The secret that it shares with the server."""


def text(raw: bytes) -> str:
    """Bytes as base64url without padding."""
    return urlsafe_b64encode(raw).decode().rstrip("=")


def read(body: bytes, private: ec.EllipticCurvePrivateKey, auth: bytes) -> bytes:
    """The content of a message of one record, for the browser with this key and secret. Raises `InvalidTag`."""
    salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
    sender, record = body[21 : 21 + length], body[21 + length :]
    assert len(record) <= size
    shared = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    secret = _derived(shared, auth, b"WebPush: info\0" + point + sender, 32)
    key = _derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    content, delimiter, padding = AESGCM(key).decrypt(nonce, record, None).rpartition(b"\2")
    assert delimiter
    assert not padding.strip(b"\0")
    return content


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


class Subscriber:
    """`number`: determines its key."""

    def __init__(self, number: int = 7) -> None:
        self.private = ec.derive_private_key(number, ec.SECP256R1())
        self.point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.keys = browser_keys(text(self.point), text(AUTH))

    def reads(self, body: bytes) -> bytes:
        """The content of a message."""
        return read(body, self.private, AUTH)

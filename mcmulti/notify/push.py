"""Web Push (RFC 8030): messages that a browser shows even if no page is open, sent through the browser vendor.

A browser subscribes with the server's public key, and gives the server an address and two keys. The content is
encrypted for that browser (RFC 8291), and the server authenticates itself by a signature (VAPID, RFC 8292).
"""

import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime, timedelta

import http_ece
import httpx
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

POINT = 65
"""Bytes of a public key: an uncompressed point of the curve P-256."""
AUTH = 16
"""Bytes of the secret that a browser shares with the server."""
KEPT = timedelta(days=1)
"""How long the push service keeps a message for a browser that is off."""

_SIGNED_FOR = timedelta(hours=12)
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class BadKeys(ValueError):
    """The keys are not those of a browser's subscription. The message says why."""


def browser_keys(p256dh: str, auth: str) -> bytes:
    """The two keys of a subscription in storage format, the public one first. Raises `BadKeys`."""
    point, secret = _decoded("p256dh", p256dh, POINT), _decoded("auth", auth, AUTH)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        raise BadKeys("p256dh is not a point of the curve P-256.") from None
    return point + secret


def encrypted(content: bytes, keys: bytes) -> bytes:
    """Content encrypted for the browser with these keys; `keys`: from `browser_keys`."""
    point, auth = keys[:POINT], keys[POINT:]
    once = ec.generate_private_key(ec.SECP256R1())
    sent: bytes = http_ece.encrypt(content, salt=os.urandom(16), private_key=once, dh=point, auth_secret=auth)
    return sent


class PushKey:
    """The key that identifies this installation to push services: the same for all its servers, as long as its database
    lives.
    """

    def __init__(self, secret: bytes) -> None:
        """`secret`: the key is derived from it."""
        drawn = hmac.digest(secret, b"mcmulti push v1", "sha512")
        self._key = ec.derive_private_key(int.from_bytes(drawn) % (_ORDER - 1) + 1, ec.SECP256R1())

    @property
    def public(self) -> str:
        """The public key in browser format: an uncompressed point, as base64url without padding."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return urlsafe_b64encode(point).decode().rstrip("=")

    def headers(self, url: str, site: str, topic: str, now: datetime) -> Mapping[str, str]:
        """The headers of a message to a subscription's address.

        `site`: the contact for this server. `topic`: a message replaces a pending one with the same topic; at most 32
        letters and digits.
        """
        place = httpx.URL(url)
        audience = f"{place.scheme}://{place.netloc.decode()}"
        claims = {"aud": audience, "sub": site, "exp": int((now + _SIGNED_FOR).timestamp())}
        # Its strict mode does not accept a site with a port.
        signed: Mapping[str, str] = Vapid02(self._key, conf={"no-strict": True}).sign(claims)
        return {
            **signed,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(KEPT.total_seconds())),
            "Topic": topic,
            "Urgency": "high",
        }


def _decoded(name: str, text: str, size: int) -> bytes:
    try:
        found = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise BadKeys(f"{name} is not base64url.") from None
    if len(found) != size:
        raise BadKeys(f"{name} must have {size} bytes, not {len(found)}.")
    return found

"""Web Push: content that only the browser can read, and the signature that identifies the server."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from uuid import UUID

import http_ece
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.game_index import Game, TableRow
from mcmulti.events.ports.notices import NO_GAME, Notification, Webhook
from mcmulti.notify.messages import message
from mcmulti.notify.push import BadKeys, PushKey, browser_keys, encrypted
from mcmulti.notify.settings import Notify
from tests.notify.subscriber import AUTH, Subscriber, text

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GAME, ADA, HOOK = UUID(int=1), UUID(int=2), UUID(int=4)
POINT = (
    ec.derive_private_key(7, ec.SECP256R1()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
)
POINT = Subscriber().point
ENDPOINT = "https://push.example.org:8443/send/abc?x=1"


def test_only_the_browser_reads_what_is_sent_and_no_two_messages_are_alike() -> None:
    ada, eve = Subscriber(1), Subscriber(2)
    first, second = (encrypted(b"it is your turn", ada.keys) for _ in range(2))
    assert ada.reads(first) == ada.reads(second) == b"it is your turn"
    assert first != second
    assert b"turn" not in first
    with pytest.raises((http_ece.ECEException, InvalidTag)):
        eve.reads(first)


@pytest.mark.parametrize(
    ("p256dh", "auth", "why"),
    [
        (text(bytes(65)), text(AUTH), "p256dh is not a point of the curve P-256"),
        (text(b"\4" + bytes(64)), text(AUTH), "p256dh is not a point of the curve P-256"),
        (text(bytes(64)), text(AUTH), "p256dh must have 65 bytes, not 64"),
        (text(POINT), text(bytes(15)), "auth must have 16 bytes, not 15"),
        (text(POINT), "A", "auth is not base64url"),
    ],
)
def test_what_is_no_pair_of_keys_is_refused(p256dh: str, auth: str, why: str) -> None:
    with pytest.raises(BadKeys, match=why):
        browser_keys(p256dh, auth)


def test_keys_may_be_padded() -> None:
    point = POINT
    assert browser_keys(urlsafe_b64encode(point).decode(), urlsafe_b64encode(AUTH).decode()) == point + AUTH


def test_all_servers_of_an_installation_have_one_key_and_another_installation_has_another() -> None:
    point = urlsafe_b64decode(PushKey(b"a" * 32).public + "=")
    assert len(point) == 65
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    assert PushKey(b"a" * 32).public == PushKey(b"a" * 32).public != PushKey(b"b" * 32).public


def test_the_server_signs_for_the_push_service_for_twelve_hours() -> None:
    """RFC 8292, section 2: the audience is the origin, the expiry at most a day ahead."""
    key = PushKey(b"a" * 32)
    headers = key.headers(ENDPOINT, "https://play.example.org", "abc", NOON)
    assert Vapid02.verify(headers["Authorization"])
    scheme, _, rest = headers["Authorization"].partition(" ")
    parts = dict(part.split("=", 1) for part in rest.split(","))
    assert scheme == "vapid"
    assert parts["k"].rstrip("=") == key.public
    _, claims, _ = parts["t"].split(".")
    assert json.loads(urlsafe_b64decode(claims + "=" * (-len(claims) % 4))) == {
        "aud": "https://push.example.org:8443",
        "sub": "https://play.example.org",
        "exp": int(NOON.timestamp()) + 12 * 3600,
    }


@pytest.mark.parametrize(
    ("game", "page", "about"),
    [(GAME, f"/games/{GAME}", GAME.hex), (NO_GAME, "/", HOOK.hex)],
)
def test_a_message_says_what_and_where_and_takes_the_place_of_an_older_one(game: UUID, page: str, about: str) -> None:
    browser = Subscriber()
    hook = Webhook(HOOK, ADA, ENDPOINT, "push", ("game.turn",), "de", bytes(32), NOON, keys=browser.keys)
    notice = Notification(game, HOOK, ADA, "test" if game == NO_GAME else "game.turn", 7, UUID(int=5), NOON)
    notify = Notify("https://play.example.org")
    standing = TableRow("running", (ADA,), (0,), 7)
    games = [] if game == NO_GAME else [Game(game, "mcmulti", 1, standing, Head(9, bytes(32)), NOON, NOON)]
    made = message(notice, games, hook, notify, PushKey(bytes(32)), NOON)
    said = "Dies ist ein Test. Deine Nachrichten kommen hier an." if game == NO_GAME else "McMulti: Du bist am Zug."
    assert json.loads(browser.reads(made.body)) == {"text": said, "page": page, "about": about}
    assert made.headers["Content-Encoding"] == "aes128gcm"
    assert made.headers["TTL"] == "86400"
    assert made.headers["Topic"] == about
    assert len(about) == 32  # the maximum of RFC 8030

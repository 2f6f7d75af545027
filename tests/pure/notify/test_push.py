"""Web Push: content that only the browser can read, and the signature that identifies the server."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from uuid import UUID

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.game_index import Game, TableRow
from mcmulti.events.ports.notices import NO_GAME, Notification, Webhook
from mcmulti.notify.messages import message
from mcmulti.notify.push import BadKeys, PushKey, browser_keys, encrypted
from mcmulti.notify.settings import Notify
from tests.notify.subscriber import AUTH, Subscriber, read, text

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
GAME, ADA, HOOK = UUID(int=1), UUID(int=2), UUID(int=4)
POINT = (
    ec.derive_private_key(7, ec.SECP256R1()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
)
POINT = Subscriber().point
RFC_8291 = {
    "content": "V2hlbiBJIGdyb3cgdXAsIEkgd2FudCB0byBiZSBhIHdhdGVybWVsb24",
    "private": "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    "body": "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6P"
    "Bru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
}
"""The example of RFC 8291, section 5 and appendix A: what a browser gets, and what it reads."""
ENDPOINT = "https://push.example.org:8443/send/abc?x=1"


def raw(base64: str) -> bytes:
    """Bytes of base64url without padding."""
    return urlsafe_b64decode(base64 + "=" * (-len(base64) % 4))


def test_the_browser_of_these_tests_reads_the_example_of_rfc_8291() -> None:
    given = {name: raw(value) for name, value in RFC_8291.items()}
    private = ec.derive_private_key(int.from_bytes(given["private"]), ec.SECP256R1())
    assert read(given["body"], private, given["auth"]) == given["content"]
    assert given["content"] == b"When I grow up, I want to be a watermelon"


def test_only_the_browser_reads_what_is_sent_and_no_two_messages_are_alike() -> None:
    ada, eve = Subscriber(1), Subscriber(2)
    first, second = (encrypted(b"it is your turn", ada.keys) for _ in range(2))
    assert ada.reads(first) == ada.reads(second) == b"it is your turn"
    assert first != second
    assert b"turn" not in first
    with pytest.raises(InvalidTag):
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
    scheme, _, rest = headers["Authorization"].partition(" ")
    parts = dict(part.split("=", 1) for part in rest.split(","))
    assert scheme == "vapid"
    assert parts["k"].rstrip("=") == key.public
    head, claims, signature = parts["t"].split(".")
    signed_by = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw(key.public))
    halves = [int.from_bytes(half) for half in (raw(signature)[:32], raw(signature)[32:])]
    signed_by.verify(encode_dss_signature(*halves), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))  # else an error
    assert json.loads(raw(head))["alg"] == "ES256"
    assert json.loads(raw(claims)) == {
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

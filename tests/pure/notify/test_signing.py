"""Signatures of webhooks."""

import hmac
from base64 import b64decode, b64encode
from datetime import UTC, datetime, timedelta
from uuid import UUID

from mcmulti.events.ports.notices import Webhook
from mcmulti.notify.messages import secrets_of, shown, signed

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOOK = Webhook(
    UUID(int=1), UUID(int=2), "https://example.org/", "standard", ("game.turn",), "en", bytes(range(32)), NOON
)


def test_a_signature_is_that_of_the_published_example() -> None:
    """The test vector of the libraries of Standard Webhooks and of Svix."""
    secret = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    made = signed([secret], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_secret_is_shown_with_its_prefix() -> None:
    assert shown(b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")) == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def test_while_a_secret_is_rotated_both_sign() -> None:
    rotated = HOOK._replace(secret=b"n" * 32, previous_secret=HOOK.secret, previous_until=NOON)
    assert secrets_of(HOOK, NOON) == (HOOK.secret,)
    assert secrets_of(rotated, NOON - timedelta(seconds=1)) == (b"n" * 32, HOOK.secret)
    assert secrets_of(rotated, NOON) == (b"n" * 32,)
    both = signed(secrets_of(rotated, NOON - timedelta(hours=1)), "msg_1", 7, b"{}")
    assert both.split(" ") == [
        "v1," + b64encode(hmac.digest(secret, b"msg_1.7.{}", "sha256")).decode() for secret in (b"n" * 32, HOOK.secret)
    ]

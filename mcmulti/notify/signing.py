"""Signatures of webhooks, by the Standard Webhooks specification (https://www.standardwebhooks.com)."""

import hmac
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime

from mcmulti.events.ports.notices import Webhook

PREFIX = "whsec_"


def shown(secret: bytes) -> str:
    """A secret in the format that receivers configure."""
    return PREFIX + b64encode(secret).decode()


def secrets_of(webhook: Webhook, now: datetime) -> tuple[bytes, ...]:
    """The secrets that sign now, the current one first."""
    if webhook.previous_secret is None or webhook.previous_until is None or webhook.previous_until <= now:
        return (webhook.secret,)
    return webhook.secret, webhook.previous_secret


def signed(secrets: Sequence[bytes], message_id: str, timestamp: int, body: bytes) -> str:
    """The value of ``webhook-signature``: one signature for each secret. `timestamp`: seconds since 1970."""
    content = b"%b.%d.%b" % (message_id.encode(), timestamp, body)
    return " ".join(f"v1,{b64encode(hmac.digest(secret, content, 'sha256')).decode()}" for secret in secrets)

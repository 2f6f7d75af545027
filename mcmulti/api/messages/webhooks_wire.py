"""Webhooks in requests and responses."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from mcmulti.api.http.problems import refused_as
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.item import Timestamp
from mcmulti.events.ports.notices import TOPICS, Topic, Webhook, WebhookFormat
from mcmulti.notify.mail.links import CONFIRMATION
from mcmulti.notify.outbound import LONGEST

Url = Annotated[
    str, Meta(min_length=1, max_length=LONGEST, pattern="^(https?://|mailto:)", description="URL to send messages to.")
]
Topics = Annotated[
    tuple[Topic, ...],
    Meta(
        min_length=1,
        max_length=len(TOPICS),
        description="Of the messages that you get (`getNotifications`), those that this webhook gets. `game.turn` "
        "includes the digest.",
    ),
]
SigningSecret = Annotated[
    str, Meta(pattern=r"^whsec_[0-9A-Za-z+/]+=*$", description="The secret that signs messages (Standard Webhooks).")
]

ConfirmationToken = Annotated[
    str,
    Meta(
        max_length=CONFIRMATION,
        pattern=f"^[0-9A-Za-z_-]{{{CONFIRMATION}}}$",
        description="The token in the link of an email.",
    ),
]
PushKeyText = Annotated[
    str,
    Meta(
        pattern="^[0-9A-Za-z_-]{87}$",
        description="The server's key for Web Push (VAPID), which browsers take as `applicationServerKey`.",
    ),
]


class BrowserKeys(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a browser's push subscription, as in its `toJSON()`: base64url. `p256dh`: its public key, 65 bytes.
    `auth`: its secret, 16 bytes.
    """

    p256dh: Annotated[str, Meta(max_length=100, pattern="^[0-9A-Za-z_-]+=*$")]
    auth: Annotated[str, Meta(max_length=40, pattern="^[0-9A-Za-z_-]+=*$")]


class NewWebhook(Struct, frozen=True, forbid_unknown_fields=True):
    """A webhook: `url` gets a POST request for each message. `service`: what receives it, and so what the body is:
    `standard` for signed JSON as Standard Webhooks defines it, a sentence for Discord, Slack, or ntfy, `push` for a
    browser's push subscription: then `url` is its `endpoint`, and `keys` are required, or `email`: then `url` is
    `mailto:` and an address, which gets a link to confirm it. `language`: of the sentence, or of emails.
    """

    url: Annotated[Url, refused_as("refused_url")]
    service: WebhookFormat = "standard"
    topics: Topics = TOPICS
    language: Language = "en"
    keys: Annotated[BrowserKeys | None, refused_as("bad_keys")] = None


class WebhookView(Struct, frozen=True):
    """A webhook of yours, without its secret. `id`: names it in addresses. `service`: what receives its messages.
    `language`: of messages that are a sentence. `created`: when you added it. `previous_secret_until`: until then the
    secret before the last rotation signs too; null before the first. `gone`: when the receiver unsubscribed by
    answering 410, or Discord by 404, since when it gets no messages; null otherwise. Emails contain a
    link for that. `confirmed`: when the link in the first email was followed: until then, an email address gets no
    other emails, and after two days it is removed; null for other services. `refused`: since when the mail server of
    an email address refuses it for good. It gets at most one email a day until that works, and none after two days, as
    `gone` shows.
    """

    id: UUID
    url: Url
    service: WebhookFormat
    topics: Topics
    language: Language
    created: Timestamp
    previous_secret_until: Timestamp | None
    gone: Timestamp | None
    confirmed: Timestamp | None
    refused: Timestamp | None


class WebhookSecret(Struct, frozen=True):
    """The `secret` of a webhook, which is shown only once. `about`: the rest of the webhook."""

    secret: SigningSecret
    about: WebhookView


class WebhookList(Struct, frozen=True):
    """Your `webhooks`, the oldest first. `push_key`: what browsers need to subscribe to Web Push; null if the server
    sends no messages. `email`: whether the server sends emails.
    """

    webhooks: tuple[WebhookView, ...]
    push_key: PushKeyText | None
    email: bool


class EmailConfirmation(Struct, frozen=True, forbid_unknown_fields=True):
    """The `token` at the end of the link in an email that asks to confirm its address."""

    token: ConfirmationToken


class EmailConfirmed(Struct, frozen=True):
    """From now on, the address gets messages. `confirmed`: when that was."""

    confirmed: Timestamp


class EmailUnsubscribed(Struct, frozen=True):
    """From now on, the address gets no messages. `gone`: since when."""

    gone: Timestamp


def view(webhook: Webhook) -> WebhookView:
    """A webhook as its player may see it."""
    return WebhookView(
        webhook.webhook_id,
        webhook.url,
        webhook.format,
        webhook.topics,
        webhook.language,
        webhook.created_at,
        webhook.previous_until,
        webhook.gone_at,
        webhook.confirmed_at,
        webhook.refused_at,
    )

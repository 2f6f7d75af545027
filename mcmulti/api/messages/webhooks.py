"""Webhooks: where players receive messages outside the game."""

from datetime import timedelta
from secrets import token_bytes
from uuid import UUID

from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, answer, operation, private
from mcmulti.api.http.problems import ApiError
from mcmulti.api.messages.email import asks_to_confirm, count_request, emailing
from mcmulti.api.messages.webhooks_wire import NewWebhook, WebhookList, WebhookSecret, WebhookView, view
from mcmulti.api.service import Service
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import Conflict
from mcmulti.events.ports.notices import NO_GAME, Notification, Webhook
from mcmulti.notify.mail.addresses import SCHEME, checked_address
from mcmulti.notify.messages import shown
from mcmulti.notify.outbound import RefusedUrl, checked_url
from mcmulti.notify.push import BadKeys, PushKey, browser_keys
from mcmulti.notify.settings import Notify
from mcmulti.referee.ruling import KeyReused

MOST = 5
"""The most webhooks that a player may have."""
ROTATION = timedelta(days=1)
"""How long the previous secret also signs after a rotation."""


@operation("GET", "/v1/players/me/webhooks", summary="List your webhooks", answer=WebhookList)
async def list_webhooks(call: Call, caller: Player) -> Answer:
    """Lists your webhooks without their secrets."""
    service = call.service
    webhooks = await service.log.webhooks([caller.player_id])
    notify = service.notify
    push = PushKey(await service.referee.history.digest_key()).public if notify else None
    email = notify is not None and notify.smtp is not None
    return private(WebhookList(tuple(map(view, webhooks)), push, email))


@operation(
    "POST",
    "/v1/players/me/webhooks",
    summary="Add a webhook",
    answer=WebhookSecret,
    status=201,
    problems=(
        "no_messages",
        "no_email",
        "too_many_webhooks",
        "too_many_emails",
        "key_reused",
    ),
)
async def add_webhook(call: Call, body: NewWebhook, caller: Player, idempotency_key: str | None) -> Answer:
    """From now on, the URL gets the messages that you want (`setNotifications`), such as when it is your turn. If you
    move within 15 seconds, no message is sent. The secret is shown once. If you send an `Idempotency-Key`, repeating
    the request returns the same response.

    Any status from 200 to 299 confirms a message. On any other status, or if none arrives within 10 seconds, the server
    retries 8 times within about 15 hours. It does not send messages about turns that are over. Because of retries, a
    message may arrive twice, with the same `webhook-id`. Status 410 unsubscribes. The URL must be `https`, at a public
    Internet address. Redirects are not followed.

    With the service `email`, the address gets a link to confirm it, at most three times a day, and nothing else until
    then. Emails are about all games with news, at least 15 minutes apart, at most 30 a day. If you move within five
    minutes, none is sent.
    """
    service = call.service
    url = _checked(body, _sending(service))
    keys = _keys(body)
    webhook_id, secret = await _drawn(service, caller, idempotency_key)
    topics = tuple(dict.fromkeys(body.topics))
    now = service.clock()
    made = Webhook(webhook_id, caller.player_id, url, body.service, topics, body.language, secret, now, keys=keys)
    before = await _found(service, caller, str(webhook_id))
    if before is None:
        asks = list[Notification]()
        if made.format == "email":
            await count_request(service, caller)
            asks = await asks_to_confirm(service, made)
        try:
            added = await service.log.add_webhook(made, MOST, asks)
        except Conflict:
            added = False
        if added:
            return answer(WebhookSecret(shown(secret), view(made)), 201, Cache_Control="no-store")
        before = await _found(service, caller, str(webhook_id))  # added at this moment, under the same key
    if before is None:
        raise ApiError("too_many_webhooks", f"You have {MOST} webhooks, the maximum. Remove one first.")
    if before[2:6] != made[2:6] or (before.secret, before.keys) != (secret, keys):
        raise KeyReused(idempotency_key)
    return answer(WebhookSecret(shown(secret), view(before)), 201, Cache_Control="no-store", Idempotent_Replayed="true")


@operation(
    "DELETE",
    "/v1/players/me/webhooks/{id}",
    summary="Remove a webhook",
    answer=WebhookView,
    problems=("unknown_webhook",),
)
async def remove_webhook(call: Call, caller: Player, id: str) -> Answer:
    """The webhook gets no more messages, except one that is already being sent."""
    webhook = await _known(call.service, caller, id)
    await call.service.log.remove_webhook(caller.player_id, webhook.webhook_id)
    return private(view(webhook))


@operation(
    "POST",
    "/v1/players/me/webhooks/{id}/secret",
    summary="Rotate the secret of a webhook",
    answer=WebhookSecret,
    status=201,
    problems=("unknown_webhook",),
)
async def rotate_webhook_secret(call: Call, caller: Player, id: str) -> Answer:
    """The new secret is shown once. For one day, the old secret signs too, so each message has two signatures."""
    service, secret = call.service, token_bytes(32)
    webhook = await _known(service, caller, id)
    until = service.clock() + ROTATION
    await service.log.rotate_secret(webhook.webhook_id, secret, webhook.secret, until)
    about = view(webhook._replace(previous_until=until))
    return answer(WebhookSecret(shown(secret), about), 201, Cache_Control="no-store")


@operation(
    "POST",
    "/v1/players/me/webhooks/{id}/test",
    summary="Send a test message to a webhook",
    answer=WebhookView,
    problems=("no_messages", "no_email", "unknown_webhook"),
)
async def test_webhook(call: Call, caller: Player, id: str) -> Answer:
    """The message is sent within seconds, at most once a minute, and not if the webhook is `gone`, or an
    email address that is not confirmed.
    """
    service = call.service
    notify = _sending(service)
    webhook, now = await _known(service, caller, id), service.clock()
    if webhook.format == "email":
        emailing(notify)
    await service.log.post_notices(NO_GAME, [webhook.notice(NO_GAME, "test", int(now.timestamp() // 60), now)])
    return private(view(webhook))


def _sending(service: Service) -> Notify:
    """How the server sends messages. Raises a problem if it sends none."""
    if service.notify is None:
        raise ApiError("no_messages", "This server sends no messages. The operator can turn them on with serve --site.")
    return service.notify


def _checked(body: NewWebhook, notify: Notify) -> str:
    """The URL of a new webhook. Raises a problem if the server does not send to it."""
    try:
        if body.service == "email":
            emailing(notify)
            return f"{SCHEME}{checked_address(body.url)}"
        checked_url(body.url, private=notify.private)
    except RefusedUrl as error:
        raise ApiError("refused_url", f"url: {error}", field="url") from None
    return body.url


def _keys(body: NewWebhook) -> bytes | None:
    """The keys of a browser, required by Web Push and by nothing else. Raises a problem."""
    if body.service != "push":
        if body.keys is not None:
            raise ApiError("bad_keys", "keys: Only the service push has keys.", field="keys")
        return None
    if body.keys is None:
        raise ApiError("bad_keys", "keys: The service push needs the keys of the subscription.", field="keys")
    try:
        return browser_keys(body.keys.p256dh, body.keys.auth)
    except BadKeys as error:
        raise ApiError("bad_keys", f"keys: {error}", field="keys") from None


async def _drawn(service: Service, caller: Player, key: str | None) -> tuple[UUID, bytes]:
    """The id and the secret of a new webhook, the same for the same key."""
    what = f"of {caller.player_id}"
    drawn = await service.drawn(f"webhook {what}", key)
    return UUID(bytes=drawn[:16], version=4), await service.drawn(f"secret of webhook {what}", key)


async def _found(service: Service, caller: Player, id: str) -> Webhook | None:
    webhooks = await service.log.webhooks([caller.player_id])
    return next((webhook for webhook in webhooks if str(webhook.webhook_id) == id), None)


async def _known(service: Service, caller: Player, id: str) -> Webhook:
    """The webhook with this id. Raises a problem if the caller has none."""
    if webhook := await _found(service, caller, id):
        return webhook
    detail = f"You have no webhook {id[:40]!r}. GET /v1/players/me/webhooks lists yours."
    raise ApiError("unknown_webhook", detail)

"""Email addresses: links that confirm them, and links that unsubscribe them. Whoever has the link needs no token."""

import hmac
from datetime import UTC

import structlog

from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import Call, answer, operation
from mcmulti.api.http.problems import ApiError
from mcmulti.api.messages.webhooks_wire import EmailConfirmation, EmailConfirmed, EmailUnsubscribed
from mcmulti.api.service import Service
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.notices import NO_GAME, Notification, Webhook
from mcmulti.notify.mail.addresses import SCHEME, counted
from mcmulti.notify.mail.links import CONFIRMABLE, UNSUBSCRIPTION, digest, unsubscription, webhook_of
from mcmulti.notify.settings import Notify, Smtp

_log = structlog.get_logger(__name__)

OF_ADDRESS = 3
"""The most emails of a day that ask to confirm an address, whoever adds it."""
OF_PLAYER = 5
"""The most of them that a player causes."""
OF_SERVER = 500
"""The most of them that all players cause."""


@operation(
    "POST",
    "/v1/email/confirm",
    tag="players",
    summary="Confirm an email address",
    answer=EmailConfirmed,
    problems=("unknown_link",),
)
async def confirm_email(call: Call, body: EmailConfirmation) -> Answer:
    """Confirms an address by the token in the link that was sent there. A token works once, for two days. A later email
    replaces it.
    """
    service = call.service
    webhook = await service.log.webhook(webhook_of(body.token))
    now = service.clock()
    if webhook is None or webhook.created_at + CONFIRMABLE < now:
        raise _unknown_link()
    if not await service.log.confirm_address(webhook.webhook_id, digest(body.token), now):
        raise _unknown_link()
    return answer(EmailConfirmed(now), Cache_Control="no-store")


@operation(
    "POST",
    "/v1/email/unsubscribe/{token}",
    tag="players",
    summary="Unsubscribe an email address",
    answer=EmailUnsubscribed,
)
async def unsubscribe_email(call: Call, token: str) -> Answer:
    """Ends messages to an address, by the token in each of its emails. Mail programs send this request for their users
    (RFC 8058). The body does not matter.
    """
    service = call.service
    if len(token) != UNSUBSCRIPTION:
        raise _unknown_link()
    try:
        webhook = await service.log.webhook(webhook_of(token))
    except ValueError:
        raise _unknown_link() from None
    key = await service.referee.history.digest_key()
    if webhook is None or webhook.format != "email":
        raise _unknown_link()
    if not hmac.compare_digest(token.encode(), unsubscription(key, webhook.webhook_id).encode()):
        raise _unknown_link()
    gone = webhook.gone_at or service.clock()
    await service.log.end_webhook(webhook.webhook_id, gone)
    return answer(EmailUnsubscribed(gone), Cache_Control="no-store")


def emailing(notify: Notify) -> Smtp:
    """The mail server. Raises a problem if there is none."""
    if notify.smtp is None:
        raise ApiError("no_email", "This server sends no emails. The operator can turn them on with serve --smtp.")
    return notify.smtp


async def count_request(service: Service, caller: Player) -> None:
    """Count an email that a player causes. Raises a problem if there were too many today."""
    key, today = await service.referee.history.digest_key(), service.clock().astimezone(UTC).date()
    if not await service.log.count_mail(counted(key, caller.player_id.hex), today, OF_PLAYER):
        detail = f"You added {OF_PLAYER} email addresses today, the maximum. Try again tomorrow."
        raise ApiError("too_many_emails", detail)
    if not await service.log.count_mail(counted(key, "all confirmations"), today, OF_SERVER):
        _log.warning("no more email addresses can be added today", limit=OF_SERVER)
        raise ApiError("too_many_emails", "Too many email addresses were added to this server today. Try tomorrow.")


async def asks_to_confirm(service: Service, webhook: Webhook) -> list[Notification]:
    """The email with a link for an address that is added; none if it got too many today. No response shows which."""
    key, now = await service.referee.history.digest_key(), service.clock()
    what = counted(key, f"confirmation {webhook.url.removeprefix(SCHEME)}")
    if not await service.log.count_mail(what, now.astimezone(UTC).date(), OF_ADDRESS):
        return []
    return [webhook.notice(NO_GAME, "confirm", 0, now)]


def _unknown_link() -> ApiError:
    return ApiError("unknown_link", "The link was used, is too old, or is incomplete. Ask for another one.")

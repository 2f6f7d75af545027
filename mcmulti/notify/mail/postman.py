"""Sends due emails from the outbox: one for all games of an address that have news, and not too often."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from uuid import UUID

import structlog

from mcmulti.events.ports.log import Log
from mcmulti.events.ports.notices import NO_GAME, Notification, Webhook
from mcmulti.notify.mail.addresses import SCHEME, counted
from mcmulti.notify.mail.letters import Envelope, confirmation, news
from mcmulti.notify.mail.links import digest, new_confirmation, unsubscription
from mcmulti.notify.mail.smtp import MailServer
from mcmulti.notify.sending import Sender, Undelivered

AT_ONCE = 5
"""The most emails handed over concurrently."""
PAUSE = timedelta(minutes=15)
"""The time between two emails about games to an address. What happens meanwhile waits for the next one."""
LEASE = timedelta(seconds=30)
"""How long an address is reserved for the server that sends to it: longer than an attempt takes."""
IN_AN_EMAIL = 50
"""The most games in an email."""
OF_A_DAY = 30
"""The most emails of a day (UTC) to an address, whosever it is; without confirmations, which the API counts."""
REFUSED_PAUSE = timedelta(days=1)
"""How long an address gets no emails about games after its mail server refused it for good."""
REFUSED_FOR = timedelta(days=2)
"""If it still does after this time, the address gets no more emails."""

_log = structlog.get_logger(__name__)


class Postman(Sender):
    """Sends emails. Before sending, one server claims the address."""

    failure = "an email was not accepted"

    def __init__(self, log: Log, server: MailServer, site: str, chance: random.Random | None = None) -> None:
        """`site`: the public address of the pages."""
        super().__init__(log, chance)
        self._server = server
        self._site = site

    async def step(self) -> None:
        """Start sending what is due. Raises `LogUnavailable`."""
        if len(self._sending) >= AT_ONCE:
            return
        now = await self._log.now()
        due = await self._due(now, IN_AN_EMAIL, by_mail=True)
        hooks = await self._hooks(due) if due else {}
        batches: dict[tuple[UUID, UUID], list[Notification]] = {}
        for notice in due:  # what is not about a game is an email of its own, at once
            alone = notice.message_id if notice.game_id == NO_GAME else NO_GAME
            batches.setdefault((notice.webhook_id, alone), []).append(notice)
        for (webhook_id, _), notices in batches.items():
            if len(self._sending) < AT_ONCE:
                await self._claim(notices, hooks.get(webhook_id), now)

    async def _claim(self, notices: Sequence[Notification], hook: Webhook | None, now: datetime) -> None:
        """Send these messages to an address in one email, unless it is too early for one."""
        confirms = notices[0].kind == "confirm"
        if hook is None or hook.gone_at is not None or confirms != (hook.confirmed_at is None):
            await self._settle(notices, "obsolete")
            return
        if notices[0].game_id != NO_GAME:
            if hook.mail_at is not None and hook.mail_at > now:
                for notice in notices:
                    await self._log.postpone_notice(notice, hook.mail_at)
                return
            if not await self._log.take_mail(hook.webhook_id, now, now + LEASE):
                return
        if taken := await self._take(notices, now):
            self._begin(taken, hook)

    async def _deliver(self, notices: Sequence[Notification], hook: Webhook) -> None:
        now, address = await self._log.now(), hook.url.removeprefix(SCHEME)
        to, key = Envelope(self._server.smtp.sender, address, hook.language, self._site), await self._log.digest_key()
        if notices[0].kind == "confirm":
            token = new_confirmation(hook.webhook_id)
            if await self._log.ask_to_confirm(hook.webhook_id, digest(token)):
                await self._server.deliver(confirmation(to, token, now), address)
                await self._settle(notices, "sent")
            else:
                await self._settle(notices, "obsolete")
            return
        told = [each for notice in notices if (each := await self._errand(notice, now)) is not None]
        true = [each.notice for each in told]
        about_games = notices[0].game_id != NO_GAME
        if not true:
            if about_games:
                await self._log.pause_mail(hook.webhook_id, now)
        elif not await self._log.count_mail(counted(key, address), now.astimezone(UTC).date(), OF_A_DAY):
            await self._tomorrow(true, now)
        else:
            await self._server.deliver(news(told, to, unsubscription(key, hook.webhook_id), now), address)
            await self._settle(true, "sent")
            if hook.refused_at is not None:
                await self._log.mark_refused(hook.webhook_id, None)
            if about_games:
                await self._log.pause_mail(hook.webhook_id, now + PAUSE)

    async def _failed(self, notices: Sequence[Notification], hook: Webhook, error: Undelivered) -> None:
        """Also pause an address that its mail server refuses for good, and give it up if that does not change."""
        if error.final and error.receiver:
            now = await self._log.now()
            since = hook.refused_at or now
            await self._log.mark_refused(hook.webhook_id, since)
            await self._log.pause_mail(hook.webhook_id, now + REFUSED_PAUSE)
            if hook.confirmed_at is None or now - since >= REFUSED_FOR:
                await self._log.end_webhook(hook.webhook_id, now)
                _log.info("an address is given up", webhook=str(hook.webhook_id), player=str(hook.player_id))
        await super()._failed(notices, hook, error)

    async def _tomorrow(self, notices: Sequence[Notification], now: datetime) -> None:
        """An address had all the emails of a day."""
        midnight = datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
        for notice in notices:
            await self._log.postpone_notice(notice, midnight)

"""Sends due emails from the outbox: one for all games of an address that have news, and not too often."""

import asyncio
import random
from collections.abc import Sequence
from datetime import UTC, datetime, time, timedelta
from uuid import UUID

import structlog

from mcmulti.events.ports.errors import LogUnavailable, UnknownGame
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.notices import NO_GAME, Notification, Webhook
from mcmulti.metrics import NOTICES
from mcmulti.notify.courier import ATTEMPTS, LOOKED_AT, pause_after
from mcmulti.notify.mail.addresses import SCHEME, counted
from mcmulti.notify.mail.letters import Envelope, LetterItem, confirmation, news
from mcmulti.notify.mail.links import digest, new_confirmation, unsubscription
from mcmulti.notify.mail.smtp import MailServer, Undelivered
from mcmulti.notify.messages import stands

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

_log = structlog.get_logger(__name__)


class Postman:
    """Sends emails. Several servers may each have one; before sending, one of them claims the address."""

    def __init__(self, log: Log, server: MailServer, site: str, chance: random.Random | None = None) -> None:
        """`site`: the public address of the pages."""
        self._log = log
        self._server = server
        self._site = site
        self._chance = chance or random.Random()  # spreads attempts
        self._sending: set[asyncio.Task[None]] = set()

    async def step(self) -> None:
        """Start sending what is due. Raises `LogUnavailable`."""
        if len(self._sending) >= AT_ONCE:
            return
        now = await self._log.now()
        due = await self._log.notices_due(now, LOOKED_AT, IN_AN_EMAIL, away=set(), by_mail=True)
        if not due:
            return
        hooks = {hook.webhook_id: hook for hook in await self._log.webhooks({notice.player_id for notice in due})}
        batches: dict[tuple[UUID, UUID], list[Notification]] = {}
        for notice in due:  # what is not about a game is an email of its own, at once
            alone = notice.message_id if notice.game_id == NO_GAME else NO_GAME
            batches.setdefault((notice.webhook_id, alone), []).append(notice)
        for (webhook_id, _), notices in batches.items():
            if len(self._sending) < AT_ONCE:
                await self._begin(notices, hooks.get(webhook_id), now)

    async def idle(self) -> None:
        """Wait until all emails in progress have been handed over or failed."""
        while self._sending:
            await asyncio.wait(self._sending)

    async def stop(self) -> None:
        """Abandon the emails in progress; they are due again later."""
        for task in self._sending:
            task.cancel()
        await self.idle()

    async def _begin(self, notices: Sequence[Notification], hook: Webhook | None, now: datetime) -> None:
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
        again_at = now + pause_after(max(notice.attempts for notice in notices) + 1, self._chance)
        taken = [notice for notice in notices if await self._log.take_notice(notice, again_at)]
        if taken:
            task = asyncio.create_task(self._send(taken, hook))
            self._sending.add(task)
            task.add_done_callback(self._sending.discard)

    async def _send(self, notices: Sequence[Notification], hook: Webhook) -> None:
        """Try to send these messages, which are due again at a moment unless this settles them."""
        try:
            try:
                await self._sent(notices, hook)
            except Undelivered as error:
                await self._failed(notices, hook, str(error), final=error.final)
            except LogUnavailable:
                raise
            except Exception as error:  # a fault in one email must not affect others
                _log.error("an email cannot be sent", webhook=str(hook.webhook_id), exc_info=error)
                await self._failed(notices, hook, type(error).__name__)
        except LogUnavailable:
            pass  # they are due again

    async def _sent(self, notices: Sequence[Notification], hook: Webhook) -> None:
        """Send what is still true. Raises `Undelivered` and `LogUnavailable`."""
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
        told = [each for notice in notices if (each := await self._true(notice)) is not None]
        true = [each.notice for each in told]
        await self._settle([notice for notice in notices if notice not in true], "obsolete")
        about_games = notices[0].game_id != NO_GAME
        if not true:
            await self._log.pause_mail(hook.webhook_id, now)
        elif not await self._log.count_mail(counted(key, address), now.astimezone(UTC).date(), OF_A_DAY):
            await self._tomorrow(true, now)
        else:
            await self._server.deliver(news(told, to, unsubscription(key, hook.webhook_id), now), address)
            await self._settle(true, "sent")
            if about_games:
                await self._log.pause_mail(hook.webhook_id, now + PAUSE)

    async def _true(self, notice: Notification) -> LetterItem | None:
        """A message with the rule set of its game; None if it is no longer true."""
        if notice.game_id == NO_GAME:
            return LetterItem(notice, None)
        try:
            game = await self._log.game(notice.game_id)
        except UnknownGame:
            return None
        return LetterItem(notice, game.ruleset) if stands(notice, game) else None

    async def _tomorrow(self, notices: Sequence[Notification], now: datetime) -> None:
        """An address had all the emails of a day."""
        midnight = datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
        for notice in notices:
            await self._log.postpone_notice(notice, midnight)

    async def _failed(
        self, notices: Sequence[Notification], hook: Webhook, reason: str, *, final: bool = False
    ) -> None:
        attempt = max(notice.attempts for notice in notices) + 1
        _log.info("an email was not accepted", webhook=str(hook.webhook_id), attempt=attempt, reason=reason)
        lost = [notice for notice in notices if final or notice.attempts + 1 >= ATTEMPTS]
        await self._settle(lost, "given_up")
        NOTICES.labels("failed").inc(len(notices) - len(lost))

    async def _settle(self, notices: Sequence[Notification], outcome: str) -> None:
        for notice in notices:
            await self._log.settle_notice(notice, await self._log.now())
            NOTICES.labels(outcome).inc()

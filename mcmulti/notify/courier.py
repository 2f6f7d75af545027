"""Sends due messages from the outbox, each at least once, and retries those that did not arrive."""

import asyncio
import random
from collections import Counter
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from mcmulti.events.ports.errors import LogUnavailable, UnknownGame
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.notices import NO_GAME, Notification, Webhook
from mcmulti.metrics import NOTICES
from mcmulti.notify.messages import message, stands
from mcmulti.notify.outbound import Outbound, RefusedUrl, Unreachable
from mcmulti.notify.push import PushKey
from mcmulti.notify.settings import Notify

AT_ONCE = 50
"""The most messages sent concurrently."""
OF_PLAYER = 2
"""The most of them for one player, so that an address that does not answer does not delay other players' messages."""
LOOKED_AT = 500
"""Messages that are searched to find those."""
FIRST_PAUSE = timedelta(seconds=30)
"""The pause until the second attempt; each later pause is four times as long."""
LONGEST_PAUSE = timedelta(hours=6)
"""The longest pause between two attempts."""
JITTER = 0.2
"""The relative variation of pauses, so that retries do not all come at once."""
ATTEMPTS = 8
"""Attempts until a message is given up, about 15 hours after the first."""

_GONE = 410
_UNKNOWN = 404
_ENDS_WITH_404 = ("discord", "push")
"""Services that respond with 404 when the receiver no longer exists."""

_log = structlog.get_logger(__name__)


def pause_after(attempts: int, chance: random.Random) -> timedelta:
    """The pause before the next attempt; `attempts`: those so far, from 1."""
    seconds = min(FIRST_PAUSE.total_seconds() * 4.0 ** (attempts - 1), LONGEST_PAUSE.total_seconds())
    return timedelta(seconds=seconds * chance.uniform(1 - JITTER, 1 + JITTER))


class Courier:
    """Sends messages. Several servers may each have one; before sending, one of them claims the message."""

    def __init__(self, log: Log, outbound: Outbound, notify: Notify, chance: random.Random | None = None) -> None:
        self._log = log
        self._outbound = outbound
        self._notify = notify
        self._chance = chance or random.Random()  # spreads attempts
        self._sending: dict[asyncio.Task[None], UUID] = {}
        self._push: PushKey | None = None

    async def step(self) -> None:
        """Start sending what is due. Raises `LogUnavailable`."""
        room = AT_ONCE - len(self._sending)
        if room <= 0:
            return
        now = await self._log.now()
        due = await self._log.notices_due(now, LOOKED_AT, OF_PLAYER, away=set())
        if not due:
            return
        players = {notice.player_id for notice in due}
        hooks = {hook.webhook_id: hook for hook in await self._log.webhooks(players)}
        under_way = Counter(self._sending.values())
        for notice in due:
            if room and under_way[notice.player_id] < OF_PLAYER:
                again_at = now + pause_after(notice.attempts + 1, self._chance)
                if await self._log.take_notice(notice, again_at):
                    room -= 1
                    under_way[notice.player_id] += 1
                    task = asyncio.create_task(self._deliver(notice, hooks.get(notice.webhook_id), again_at))
                    self._sending[task] = notice.player_id
                    task.add_done_callback(self._sending.pop)

    async def idle(self) -> None:
        """Wait until all messages in progress have arrived or failed."""
        while self._sending:
            await asyncio.wait(self._sending)

    async def stop(self) -> None:
        """Abandon the messages in progress; they are due again later."""
        for task in self._sending:
            task.cancel()
        await self.idle()

    async def _deliver(self, notice: Notification, hook: Webhook | None, again_at: datetime) -> None:
        """Try to send a message, which is due again at a moment unless this settles it."""
        try:
            try:
                outcome = await self._sent(notice, hook, again_at)
            except (RefusedUrl, Unreachable) as error:
                outcome = self._failed(notice, str(error))
            except LogUnavailable:
                raise
            except Exception as error:  # a fault in one message must not affect others
                _log.error("a message cannot be sent", webhook=str(notice.webhook_id), exc_info=error)
                outcome = self._failed(notice, type(error).__name__)
            if outcome != "failed":
                await self._log.settle_notice(notice, await self._log.now())
            NOTICES.labels(outcome).inc()
        except LogUnavailable:
            pass  # it is due again

    async def _sent(self, notice: Notification, hook: Webhook | None, again_at: datetime) -> str:
        """The outcome of an attempt, as counted in `NOTICES`. Raises `LogUnavailable`, `RefusedUrl`, `Unreachable`."""
        if hook is None or hook.gone_at is not None:
            return "obsolete"
        ruleset = None
        if notice.game_id != NO_GAME:
            try:
                game = await self._log.game(notice.game_id)
            except UnknownGame:
                return "obsolete"
            if not stands(notice, game):
                return "obsolete"
            ruleset = game.ruleset
        told = message(notice, hook, ruleset, self._notify, await self._push_key(), await self._log.now())
        reply = await self._outbound.post(hook.url, told.body, told.headers)
        if 200 <= reply.status < 300:
            return "sent"
        if reply.status == _GONE or (reply.status == _UNKNOWN and hook.format in _ENDS_WITH_404):
            await self._log.end_webhook(hook.webhook_id, await self._log.now())
            _log.info("a receiver unsubscribed", webhook=str(hook.webhook_id), player=str(hook.player_id))
            return "unsubscribed"
        if reply.retry_after is not None:
            wanted = await self._log.now() + min(timedelta(seconds=reply.retry_after), LONGEST_PAUSE)
            await self._log.postpone_notice(notice, max(again_at, wanted))
        return self._failed(notice, f"HTTP status {reply.status}")

    async def _push_key(self) -> PushKey:
        if self._push is None:
            self._push = PushKey(await self._log.digest_key())
        return self._push

    def _failed(self, notice: Notification, reason: str) -> str:
        attempt = notice.attempts + 1
        _log.info("a message did not arrive", webhook=str(notice.webhook_id), attempt=attempt, reason=reason)
        return "failed" if attempt < ATTEMPTS else "given_up"

"""Sends due messages from the outbox, each at least once, and retries those that did not arrive."""

import random
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

import structlog

from mcmulti.events.ports.log import Log
from mcmulti.events.ports.notices import Notification, Webhook
from mcmulti.notify.messages import message
from mcmulti.notify.outbound import Outbound, RefusedUrl, Unreachable
from mcmulti.notify.push import PushKey
from mcmulti.notify.sending import LONGEST_PAUSE, Sender, Undelivered
from mcmulti.notify.settings import Notify

AT_ONCE = 50
"""The most messages sent concurrently."""
OF_PLAYER = 2
"""The most of them for one player, so that an address that does not answer does not delay other players' messages."""

_GONE = 410
_UNKNOWN = 404
_ENDS_WITH_404 = ("discord", "push")
"""Services that respond with 404 when the receiver no longer exists."""

_log = structlog.get_logger(__name__)


class Courier(Sender):
    """Sends messages over HTTP."""

    failure = "a message did not arrive"

    def __init__(self, log: Log, outbound: Outbound, notify: Notify, chance: random.Random | None = None) -> None:
        super().__init__(log, chance)
        self._outbound = outbound
        self._notify = notify
        self._push: PushKey | None = None

    async def step(self) -> None:
        """Start sending what is due. Raises `LogUnavailable`."""
        room = AT_ONCE - len(self._sending)
        if room <= 0:
            return
        now = await self._log.now()
        due = await self._due(now, OF_PLAYER, by_mail=False)
        hooks = await self._hooks(due) if due else {}
        under_way = Counter(self._sending.values())
        for notice in due:
            if room and under_way[notice.player_id] < OF_PLAYER:
                hook = hooks.get(notice.webhook_id)
                if hook is None or hook.gone_at is not None:
                    await self._settle([notice], "obsolete")
                elif taken := await self._take([notice], now):
                    room -= 1
                    under_way[notice.player_id] += 1
                    self._begin(taken, hook)

    async def _deliver(self, notices: Sequence[Notification], hook: Webhook) -> None:
        [notice] = notices
        errand = await self._errand(notice, await self._log.now())
        if errand is None:
            return
        told = message(*errand, hook, self._notify, await self._push_key(), await self._log.now())
        try:
            reply = await self._outbound.post(hook.url, told.body, told.headers)
        except (RefusedUrl, Unreachable) as error:
            raise Undelivered(str(error)) from None
        if 200 <= reply.status < 300:
            await self._settle(notices, "sent")
        elif reply.status == _GONE or (reply.status == _UNKNOWN and hook.format in _ENDS_WITH_404):
            await self._log.end_webhook(hook.webhook_id, await self._log.now())
            _log.info("a receiver unsubscribed", webhook=str(hook.webhook_id), player=str(hook.player_id))
            await self._settle(notices, "unsubscribed")
        else:
            if reply.retry_after is not None:
                asked = await self._log.now() + min(timedelta(seconds=reply.retry_after), LONGEST_PAUSE)
                await self._log.postpone_notice(notice, max(notice.due_at, asked))
            raise Undelivered(f"HTTP status {reply.status}")

    async def _push_key(self) -> PushKey:
        if self._push is None:
            self._push = PushKey(await self._log.digest_key())
        return self._push

"""Sends messages while a server runs."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from functools import partial

from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.log import Log
from mcmulti.notify.courier import Courier
from mcmulti.notify.mail.links import CONFIRMABLE
from mcmulti.notify.mail.postman import Postman
from mcmulti.notify.mail.smtp import MailServer
from mcmulti.notify.outbound import Outbound
from mcmulti.notify.settings import Notify
from mcmulti.notify.watch import GameWatch, post_digests
from mcmulti.supervision import repeated, running

_repeated = partial(repeated, expected=LogUnavailable, at_once=True)

PERIOD = 2.0
"""Seconds between two searches for games that moved."""
PLANNING = 20.0
"""Seconds between two searches for due digests."""
SENDING = 1.0
"""Seconds between two searches for due messages."""
FORGETTING = 3600.0
"""Seconds between two deletions of old messages."""
REMEMBERED = timedelta(days=7)
"""How long a sent message is remembered, so that it is not sent again."""


@asynccontextmanager
async def notifying(log: Log, notify: Notify | None) -> AsyncIterator[None]:
    """Send messages to players while the block runs; None: send none."""
    if notify is None:
        yield
        return
    async with Outbound(private=notify.private) as outbound:
        email = notify.smtp is not None
        watch, digests = GameWatch(log, email=email), partial(post_digests, log, email=email)
        courier = Courier(log, outbound, notify)
        postman = None if notify.smtp is None else Postman(log, MailServer(notify.smtp), notify.site)
        async with AsyncExitStack() as tasks:
            tasks.push_async_callback(courier.stop)
            await tasks.enter_async_context(running("notices", partial(_repeated, watch.step, PERIOD)))
            await tasks.enter_async_context(running("notices_digests", partial(_repeated, digests, PLANNING)))
            await tasks.enter_async_context(running("notices_sending", partial(_repeated, courier.step, SENDING)))
            if postman is not None:
                tasks.push_async_callback(postman.stop)
                await tasks.enter_async_context(running("notices_emailing", partial(_repeated, postman.step, SENDING)))
            forget = partial(_repeated, partial(_forget, log), FORGETTING)
            await tasks.enter_async_context(running("notices_forgetting", forget))
            yield


async def _forget(log: Log) -> None:
    now = await log.now()
    await log.forget_settled(now - REMEMBERED)
    await log.forget_mail(now - CONFIRMABLE)

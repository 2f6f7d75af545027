"""Sends messages while a server runs."""

from collections.abc import AsyncIterator, Awaitable, Callable
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
from mcmulti.supervision import repeating

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
        courier = Courier(log, outbound, notify)
        steps: dict[str, tuple[Callable[[], Awaitable[object]], float]] = {
            "notices": (GameWatch(log, email=email).step, PERIOD),
            "notices_digests": (partial(post_digests, log, email=email), PLANNING),
            "notices_sending": (courier.step, SENDING),
            "notices_forgetting": (partial(_forget, log), FORGETTING),
        }
        async with AsyncExitStack() as tasks:
            tasks.push_async_callback(courier.stop)
            if notify.smtp is not None:
                postman = Postman(log, MailServer(notify.smtp), notify.site)
                tasks.push_async_callback(postman.stop)
                steps["notices_emailing"] = postman.step, SENDING
            for name, (step, pause) in steps.items():
                await tasks.enter_async_context(repeating(name, step, pause, LogUnavailable, at_once=True))
            yield


async def _forget(log: Log) -> None:
    now = await log.now()
    await log.forget_settled(now - REMEMBERED)
    await log.forget_mail(now - CONFIRMABLE)

"""Sends messages while a server runs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial

from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.events.ports.log import Log
from mcmulti.notify.courier import Courier
from mcmulti.notify.outbound import Outbound
from mcmulti.notify.settings import Notify
from mcmulti.notify.watch import GameWatch
from mcmulti.supervision import repeated, running

_repeated = partial(repeated, expected=LogUnavailable, at_once=True)

PERIOD = 2.0
"""Seconds between two searches for games that moved."""
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
        watch, courier = GameWatch(log), Courier(log, outbound, notify)
        try:
            async with (
                running("notices", partial(_repeated, watch.step, PERIOD)),
                running("notices_sending", partial(_repeated, courier.step, SENDING)),
                running("notices_forgetting", partial(_repeated, partial(_forget, log), FORGETTING)),
            ):
                yield
        finally:
            await courier.stop()


async def _forget(log: Log) -> None:
    await log.forget_settled(await log.now() - REMEMBERED)

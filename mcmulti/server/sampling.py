"""Metrics that are updated once a second, since updating them immediately would slow down every request."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from litestar import Litestar

from mcmulti import metrics
from mcmulti.api.logging import RequestLog
from mcmulti.api.service import Service
from mcmulti.domain.rulesets import CURRENT
from mcmulti.referee.reading import GAMES
from mcmulti.supervision import running

PERIOD = 1.0
"""Seconds between two updates."""


@asynccontextmanager
async def sampled(app: Litestar) -> AsyncIterator[None]:
    """Keep the gauges up to date while the block runs."""
    for ruleset in CURRENT:  # so that the first event of a rule set is an increase, and not a new time series
        metrics.appended(ruleset)
    metrics.CACHED_GAMES_LIMIT.set(GAMES)
    try:
        async with running("sampling", partial(_sample, app)):
            yield
    finally:
        metrics.settle()


async def _sample(app: Litestar) -> None:
    requests: RequestLog = app.state.requests
    service: Service = app.state.service
    while True:
        pool = service.log.pool()
        metrics.settle()
        metrics.UNDER_WAY.set(requests.under_way)
        metrics.UNSENT.set(service.unsent.bytes)
        metrics.CACHED_GAMES.set(service.referee.at_hand)
        metrics.POOL.labels("idle").set(pool.idle)
        metrics.POOL.labels("used").set(pool.used)
        metrics.POOL_WAITING.set(pool.waiting)
        await asyncio.sleep(PERIOD)

"""The database on the coordinator that `CITUS_URL` names, which the tests may fill and empty."""

import psycopg

from mcmulti.events.cluster import citus
from mcmulti.events.postgres.migrate import migrate
from tests.needs import found

_KEPT = ("migration", "heartbeat", "last_announcement")


async def spread_at_citus_url() -> str:
    """Where it is; its tables are spread."""
    url = found("CITUS_URL")
    await migrate(url)
    assert await citus.distribute(url) in ("done", "already")
    return url


async def emptied_at_citus_url() -> str:
    """Where it is, without what other tests have left there; time is kept as of now."""
    url = await spread_at_citus_url()
    with psycopg.connect(url) as owner:
        for table in [*reversed(citus.BY_GAME), *citus.EVERYWHERE]:  # what refers to games first
            if table not in _KEPT:
                owner.execute(f"DELETE FROM {table}")
        owner.execute("UPDATE heartbeat SET at = now()")
    return url

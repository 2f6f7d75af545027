"""The database on the coordinator that `CITUS_URL` names. Tests may fill and empty it."""

import psycopg

from mcmulti.events.cluster import citus
from mcmulti.events.postgres.migrate import migrate
from tests.needs import found

_KEPT = ("migration", "heartbeat", "last_announcement")


async def spread_at_citus_url() -> str:
    """Its address. Its tables are distributed."""
    url = found("CITUS_URL")
    await migrate(url)
    assert await citus.distribute(url) in ("done", "already")
    return url


async def emptied_at_citus_url() -> str:
    """Its address, without rows that other tests left behind. Its heartbeat is set to now."""
    url = await spread_at_citus_url()
    with psycopg.connect(url) as owner:
        for table in [*reversed(citus.BY_GAME), *citus.EVERYWHERE]:  # tables that refer to games come first
            if table not in _KEPT:
                owner.execute(f"DELETE FROM {table}")
        owner.execute("UPDATE heartbeat SET at = now()")
    return url

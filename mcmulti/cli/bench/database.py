"""A database measured by itself: how far it is, how soon it commits, and how it is set."""

import time
from collections.abc import Mapping

from msgspec import Struct
from psycopg import AsyncConnection

from mcmulti.cli.bench.measured import Latency

SETTINGS = (
    "server_version",
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "wal_sync_method",
    "wal_level",
    "wal_compression",
    "max_wal_size",
    "checkpoint_timeout",
    "commit_delay",
    "shared_buffers",
    "max_connections",
)
"""What decides how fast and how safe commits are, and how many servers there can be."""

TIMES = 300
"""How often each thing is timed at most, and in how many seconds."""
SECONDS = 1.0


class Probe(Struct, frozen=True):
    """How long a question takes that needs nothing (`SELECT 1`), how long a row until it is safe, and the settings."""

    round_trip: Latency
    commit: Latency
    settings: Mapping[str, str]


async def probe(conninfo: str) -> Probe:
    """Measure a database that nobody else uses. It has a table ``bench_row`` afterwards."""
    async with await AsyncConnection.connect(conninfo, autocommit=True, prepare_threshold=0) as connection:
        await connection.execute("CREATE TABLE bench_row (number integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY)")
        settings = {}
        for name in SETTINGS:
            row = await (await connection.execute("SELECT current_setting(%s)", (name,))).fetchone()
            assert row is not None
            settings[name] = str(row[0])
        round_trip = await _timed(connection, "SELECT 1")
        commit = await _timed(connection, "INSERT INTO bench_row DEFAULT VALUES")
        return Probe(round_trip, commit, settings)


async def _timed(connection: AsyncConnection, query: str) -> Latency:
    await connection.execute(query)  # which prepares it
    nanoseconds: list[int] = []
    end = time.perf_counter() + SECONDS
    while len(nanoseconds) < TIMES and (not nanoseconds or time.perf_counter() < end):
        start = time.perf_counter_ns()
        await connection.execute(query)
        nanoseconds.append(time.perf_counter_ns() - start)
    return Latency.of(nanoseconds)


def warnings(settings: Mapping[str, str]) -> tuple[str, ...]:
    """What the settings put at risk, in sentences."""
    found = []
    if settings["fsync"] == "off":
        found.append("fsync is off. A crash of the machine may destroy the database with all games.")
    if settings["synchronous_commit"] == "off":
        found.append(
            "synchronous_commit is off. A crash loses the last moments of games, even those already confirmed."
        )
    if settings["full_page_writes"] == "off":
        found.append("full_page_writes is off. A crash of the machine may leave torn pages in the database.")
    return tuple(found)

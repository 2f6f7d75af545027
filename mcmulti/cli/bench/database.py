"""Measures a database by itself: its distance, its commit latency, and its settings."""

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
"""Settings that decide how fast and safe commits are, and how many servers there can be."""

TIMES = 300
"""The most times that each thing is measured, and for how many seconds at most."""
SECONDS = 1.0


class Probe(Struct, frozen=True):
    """Seconds for an empty query (`SELECT 1`) and for a durable row, and the settings."""

    round_trip: Latency
    commit: Latency
    settings: Mapping[str, str]


async def probe(conninfo: str) -> Probe:
    """Measure a database that nobody else uses. Leaves a table ``bench_row`` behind."""
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
    await connection.execute(query)  # this prepares the statement
    nanoseconds: list[int] = []
    end = time.perf_counter() + SECONDS
    while len(nanoseconds) < TIMES and (not nanoseconds or time.perf_counter() < end):
        start = time.perf_counter_ns()
        await connection.execute(query)
        nanoseconds.append(time.perf_counter_ns() - start)
    return Latency.of(nanoseconds)


def warnings(settings: Mapping[str, str]) -> tuple[str, ...]:
    """The risks of the settings, in sentences."""
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

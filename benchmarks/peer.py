"""The peer: the package `eventsourcing` with its Postgres recorder, with the same stream of events.

As many events per save, with the same bytes as their state. An application of that package numbers all its events in
the order of their commits, for which it locks the table. Its recorder of aggregates alone does not.
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from datetime import datetime
from itertools import cycle
from threading import Thread
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import AggregateRecorder, StoredEvent, Transcoder
from eventsourcing.postgres import PostgresFactory
from psycopg.conninfo import conninfo_to_dict

from benchmarks.comparisons import AGGREGATES, FUNCTIONS, REBUILT
from benchmarks.figures import Figure, Measure, Taken
from benchmarks.sample import appends

LATE = 30.0
"""Seconds that a last save may take."""
BATCH = 100
"""Events per save of a long aggregate: its recorder sends each save as a pipeline, and one of thousands can hang."""
TOPIC = "mcmulti:GameMoved"


class Moved(Aggregate):
    """An aggregate whose events hold what ours hold, and which only stores it."""

    @event("Opened")
    def __init__(self) -> None:
        self.latest: dict[str, Any] = {}

    @event("Moved")
    def move(self, data: dict[str, Any]) -> None:
        """Store the data of the event."""
        self.latest = data


class MsgspecTranscoder(Transcoder):
    """The package's own JSON is the standard library's. This is the fastest available."""

    def encode(self, obj: Any) -> bytes:
        """The stored form of an event."""
        return msgspec.json.encode(obj)

    def decode(self, data: bytes) -> Any:
        """The event of the stored form, with times as written."""
        decoded = msgspec.json.decode(data)
        decoded["timestamp"] = datetime.fromisoformat(decoded["timestamp"])
        return decoded


class FastApplication(Application[UUID]):
    """An application with that transcoder."""

    def construct_transcoder(self) -> Transcoder:
        """See `MsgspecTranscoder`."""
        return MsgspecTranscoder()


def environment(conninfo: str, connections: int = 1, **more: str) -> dict[str, str]:
    """How the package connects to the database: as many connections as threads, none checked before use."""
    where = conninfo_to_dict(conninfo)
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": str(where["dbname"]),
        "POSTGRES_HOST": str(where["host"]),
        "POSTGRES_PORT": str(where["port"]),
        "POSTGRES_USER": str(where["user"]),
        "POSTGRES_PASSWORD": "",
        "POSTGRES_SCHEMA": "bench",
        "POSTGRES_POOL_SIZE": str(connections),
        "POSTGRES_MAX_OVERFLOW": "0",
        **more,
    }


def saving(conninfo: str, figure: Figure, threads: int, seconds: float) -> Measure:
    """Saves per second by threads that each write an aggregate of their own."""
    more = {"POSTGRES_ENABLE_DB_FUNCTIONS": "y"} if figure == FUNCTIONS else {}

    def measured() -> float:
        with PostgresFactory(environment(conninfo, threads, **more)) as factory:
            recorder = factory.aggregate_recorder("lean") if figure == AGGREGATES else factory.application_recorder()
            saved: list[int] = []
            appends()  # played once, before the clock starts
            start = perf_counter()
            work = [
                Thread(target=_save, args=(recorder, start + seconds, saved.append), daemon=True)
                for _ in range(threads)
            ]
            for thread in work:
                thread.start()
            for thread in work:
                thread.join(seconds + LATE)
                if thread.is_alive():
                    raise TimeoutError(f"eventsourcing did not end within {seconds + LATE:.0f} s")
            return sum(saved) / (perf_counter() - start)

    async def measure() -> Taken:
        return {figure: await asyncio.to_thread(measured)}

    return measure


def _save(recorder: AggregateRecorder, end: float, tell: Callable[[int], None]) -> None:
    """Append to one aggregate until the end, at least once."""
    aggregate, version, saves = uuid4(), 0, 0
    for events in cycle(appends()):
        recorder.insert_events([StoredEvent(aggregate, version + n, TOPIC, e.data) for n, e in enumerate(events, 1)])
        version += len(events)
        saves += 1
        if perf_counter() >= end:
            break
    tell(saves)


class Rebuilding:
    """The same events in aggregates of that package, in its tables; `exits` closes them."""

    def __init__(self, conninfo: str, data: list[bytes], exits: AsyncExitStack) -> None:
        self._applications: dict[str, tuple[Application[UUID], UUID]] = {}
        for name, application in {"json": Application[UUID], "msgspec": FastApplication}.items():
            opened = exits.enter_context(application(env=environment(conninfo)))
            moved = Moved()
            for number, one in enumerate(data):
                moved.move(data=msgspec.json.decode(one))
                if number % BATCH == 0:
                    opened.save(moved)
            opened.save(moved)
            self._applications[name] = (opened, moved.id)

    def rebuild(self, transcoder: str) -> object:
        """Load the aggregate from the database. `transcoder` is json (the package's own) or msgspec."""
        application, aggregate = self._applications[transcoder]
        return application.repository.get(aggregate)

    async def measure(self, length: int, seconds: float) -> Taken:
        """Events per second, for each transcoder."""
        return {figure: await asyncio.to_thread(self._rate, name, length, seconds) for name, figure in REBUILT.items()}

    def _rate(self, transcoder: str, length: int, seconds: float) -> float:
        start, done = perf_counter(), 0
        while perf_counter() - start < seconds:
            self.rebuild(transcoder)
            done += length
        return done / (perf_counter() - start)

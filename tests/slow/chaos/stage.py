"""Two servers on one database, as processes, which faults are applied to.

The *keeper* keeps the database, its own PostgreSQL in a folder, and has two workers. The *guest* is another server, of
one process, that reaches the database over a network, which may go silent.
"""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import httpx
import psycopg
from psycopg.conninfo import make_conninfo

from mcmulti.cli.bench.load import UNLIMITED
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.embedded.watchdog import OWNER, PGDATA
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.migrate import migrate
from tests.api.stream_server import finished_game
from tests.events.deaf import Way, way_to
from tests.events.running import running_in
from tests.slow.chaos import deadlines
from tests.slow.chaos.asker import Manners
from tests.slow.chaos.history import History
from tests.slow.chaos.volume import Volume, mounted

GIVE_UP = 6
"""Seconds after which the keeper gives up on its PostgreSQL."""
DESCRIPTORS = 200
"""File descriptors of the guest."""
PATIENCE = 120.0
"""Seconds within which everything expected must happen, even on a busy machine."""
DATA_MEGABYTES = 160
WAL_MEGABYTES = 96


async def until(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until a condition holds. Raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while True:
            if holds():
                return
            await asyncio.sleep(0.05)


def send(pids: Sequence[int], number: int) -> None:
    """Send a signal to processes that are still running."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


class Server:
    """One server, as a process that can be killed, stopped, and restarted on its port."""

    def __init__(
        self, arguments: Sequence[str], log: Path, environment: Mapping[str, str], descriptors: int | None = None
    ) -> None:
        self._port = _free_port()
        self._arguments = ("serve", "--port", str(self._port), "--log-level", "warning", *UNLIMITED, *arguments)
        self._environment = {**os.environ, **environment}
        self._descriptors = descriptors
        self.log = log
        self.build: Path | None = None
        """The folder of another build that runs when it is started the next time; None for this one."""
        self.address = f"http://127.0.0.1:{self._port}"
        self.process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start it, again if it ends because its database is away, and return when it responds."""
        self.process = self._begun()
        async with asyncio.timeout(PATIENCE):
            while not await self._listens():
                if self.process.poll() is not None:
                    self.process = self._begun()
                await asyncio.sleep(0.05)

    async def _listens(self) -> bool:
        """Whether it accepts connections and responds on one."""
        with suppress(httpx.TransportError):
            async with httpx.AsyncClient(trust_env=False, timeout=5) as client:
                return (await client.get(f"{self.address}/healthz")).is_success
        return False

    def _begun(self) -> "subprocess.Popen[bytes]":
        environment = {**self._environment, **({"PYTHONPATH": str(self.build)} if self.build else {})}
        limit = () if self._descriptors is None else ("prlimit", f"--nofile={self._descriptors}:{self._descriptors}")
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [*limit, sys.executable, "-m", "tests.slow.chaos.serving", *self._arguments],
                cwd=self.build,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def ended(self) -> int | None:
        """The exit status, if it has ended."""
        return None if self.process is None else self.process.poll()

    @property
    def last_line(self) -> str:
        """Its last output."""
        return self.log.read_text(errors="replace").rstrip().rpartition("\n")[2]

    def workers(self) -> list[int]:
        """The process ids of its workers, or its own if it has none."""
        assert self.process is not None
        me = self.process.pid
        children = Path(f"/proc/{me}/task/{me}/children").read_text().split()
        found = []
        for pid in children:
            with suppress(OSError):  # it has ended meanwhile
                if b"mcmulti.server.worker" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(int(pid))
        return found or [me]

    async def end(self, number: int) -> int:
        """End it with a signal. Return its status."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(number)
        return await asyncio.to_thread(self.process.wait, PATIENCE)


class Stage(NamedTuple):
    """The targets of faults, beside the contents of the database folder. `url`: as its owner, past the network.

    `long_game`: a finished one of 1,500 events. `clock`: a file with the seconds that the guest's clock is ahead.
    `disk`, `wal`: the volumes of the database and its log. None where they have no volumes of their own.
    """

    folder: Path
    url: str
    way: Way
    keeper: Server
    guest: Server
    history: History
    manners: Manners
    long_game: str
    clock: Path
    disk: Volume | None
    wal: Volume | None

    @property
    def servers(self) -> list[Server]:
        """Both servers."""
        return [self.keeper, self.guest]

    @property
    def pgdata(self) -> Path:
        """Where PostgreSQL keeps its files."""
        return self.folder / PGDATA

    def complain(self, sentence: str) -> None:
        """A promise was broken."""
        self.history.complaints.append(sentence)

    def postgres(self) -> list[int]:
        """The process ids of PostgreSQL, the postmaster first."""
        return sorted(pid for pid, name in running_in(self.folder).items() if name == "postgres")


@asynccontextmanager
async def staged(folder: Path, history: History, *, volumes: bool) -> AsyncIterator[Stage]:
    """The servers, ready, for the block. It is an error if they do not end properly."""
    data = folder / "data"
    data.mkdir(parents=True, mode=0o700)
    clock = folder / "clock"
    clock.write_text("0")
    async with AsyncExitStack() as stack:
        disk = stack.enter_context(mounted(data, DATA_MEGABYTES)) if volumes else None
        long_game = await _filled(data)
        wal = stack.enter_context(mounted(data / PGDATA / "pg_wal", WAL_MEGABYTES)) if volumes else None
        url = make_conninfo(host=str(data / PGDATA), port=5432, user=OWNER, dbname=OWNER)
        way, over_the_network = await stack.enter_async_context(way_to(url))
        keeper = Server(
            ("--folder", str(data), "--workers", "2"), folder / "keeper.log", {"CHAOS_GIVE_UP": str(GIVE_UP)}
        )
        guest = Server(
            ("--database-url", over_the_network),
            folder / "guest.log",
            {"CHAOS_CLOCK": str(clock)},
            DESCRIPTORS,
        )
        stage = Stage(data, url, way, keeper, guest, history, Manners(), long_game, clock, disk, wal)
        try:
            for server in stage.servers:
                await server.start()
            yield stage
            for server in (guest, keeper):
                if status := await server.end(signal.SIGTERM):
                    stage.complain(f"{server.log.stem} did not end in order, but with status {status}")
        finally:
            for server in (guest, keeper):
                if server.process is not None:
                    await server.end(signal.SIGKILL)
            await until(lambda: not running_in(data))  # what the keeper leaves behind ends by itself


async def _filled(data: Path) -> str:
    """A database of this build in the folder, with a long game in it, and little room for its WAL."""
    postgres = EmbeddedPostgres(data)
    await asyncio.to_thread(postgres.start)
    try:
        await migrate(postgres.url())
        with psycopg.connect(postgres.url(), autocommit=True) as owner:
            for setting in ("max_wal_size", "min_wal_size"):
                owner.execute(f"ALTER SYSTEM SET {setting} = '32MB'")
            deadlines.note(owner)
        async with PostgresLog.open(postgres.url()) as log:
            return str(await finished_game(log))
    finally:
        await asyncio.to_thread(postgres.stop)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])

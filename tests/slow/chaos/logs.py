"""A log that goes back while servers run, and games that are damaged."""

import asyncio
import fcntl
import os
import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import httpx
import psycopg
from psycopg import sql

from mcmulti.events.embedded.server import binaries
from mcmulti.events.embedded.watchdog import OWNER, WATCHDOG, try_lock
from tests.api.guests import Table
from tests.api.owner import DAMAGES, Owner
from tests.events.running import kill_all
from tests.slow.chaos.asker import moment
from tests.slow.chaos.history import Rewind, Span, Told
from tests.slow.chaos.stage import Server, Stage

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration'"
"""The contents of a backup."""
EVENTS = "SELECT game_id::text, seq, encode(hash, 'hex') FROM event"


async def restore(stage: Stage, dice: random.Random) -> None:
    """A backup replaces the log, in one transaction, while servers have it cached."""
    kept = moment()
    backup = await asyncio.to_thread(_backup, stage)
    await asyncio.sleep(dice.uniform(1.0, 4.0))
    began = moment()
    gone = await asyncio.to_thread(_restored_at_last, stage, backup)
    stage.history.rewinds.append(Rewind(kept, Span(began, moment()), gone))


async def fail_over(stage: Stage, dice: random.Random) -> None:
    """The database ends, and an older copy of it takes its place."""
    copy = stage.folder.with_name("copy")
    kept = moment()
    await asyncio.to_thread(_copied, stage, copy)
    await asyncio.sleep(dice.uniform(1.0, 4.0))
    began = moment()
    await asyncio.to_thread(_taken_over, stage, copy)
    stage.history.rewinds.append(Rewind(kept, Span(began, moment()), None))


async def damage(stage: Stage, dice: random.Random) -> None:
    """Games are damaged in every way. Servers that have not cached them report it, and continue all others."""
    owner = Owner(stage.url)
    damaged: dict[str, str] = {}
    try:
        async with _client(stage.guest) as client:
            names = f"A {dice.getrandbits(40):x}", f"B {dice.getrandbits(40):x}"
            table = Table(client, None)  # type: ignore[arg-type]  # it plays over HTTP alone
            for name in names:
                await table.guest(name)
            for what, statement in DAMAGES.items():
                game = await table.start()
                damaged[what] = game
                await asyncio.to_thread(owner.do, statement, game=UUID(game))
            token = table.guests[0].token
        async with _client(stage.keeper) as client:
            for what, game in damaged.items():
                for answer in await _asked(client, game, token):
                    if answer.status_code != 409 or answer.json()["code"] != "damaged_game":
                        stage.complain(f"{what}, and the keeper answered {answer.status_code} {answer.text[:200]}")
    finally:
        for game in damaged.values():
            await asyncio.to_thread(owner.drop, game)


def _client(server: Server) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=server.address, timeout=60, transport=_Patient())


class _Patient(httpx.AsyncHTTPTransport):
    """Retries if a busy server cannot respond."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        while (answer := await super().handle_async_request(request)).status_code == 503:
            await answer.aclose()
            await asyncio.sleep(0.1)
        return answer


async def _asked(client: httpx.AsyncClient, game: str, token: str) -> Sequence[httpx.Response]:
    """A game, its proof, and a command in it."""
    headers = {"Authorization": f"Bearer {token}"}
    commands = {"commands": [{"type": "EndPurchases"}]}
    return [
        await client.get(f"/v1/games/{game}"),
        await client.get(f"/v1/games/{game}/proof"),
        await client.post(f"/v1/games/{game}/commands", headers=headers, json=commands),
    ]


def _backup(stage: Stage) -> dict[str, bytes]:
    """The rows of all tables at one moment."""
    with psycopg.connect(stage.url) as owner:
        owner.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        with owner.cursor() as cursor:
            found = {}
            for (table,) in cursor.execute(TABLES).fetchall():
                with cursor.copy(sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(table))) as copy:
                    found[table] = b"".join(bytes(piece) for piece in copy)
            return found


def _restored_at_last(stage: Stage, backup: dict[str, bytes]) -> set[tuple[str, Told]]:
    """Like `_restored`, with retries while servers that lock tables in another order are in the way."""
    while True:
        try:
            return _restored(stage, backup)
        except psycopg.errors.DeadlockDetected:
            continue


def _restored(stage: Stage, backup: dict[str, bytes]) -> set[tuple[str, Told]]:
    """Replace the rows by those of the backup. Return the lost events."""
    with psycopg.connect(stage.url) as owner, owner.cursor() as cursor:
        names = sql.SQL(", ").join(map(sql.Identifier, backup))
        cursor.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(names))
        before = cursor.execute(EVENTS).fetchall()
        for table, lines in backup.items():
            cursor.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
            with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table))) as copy:
                copy.write(lines)
        after = set(cursor.execute(EVENTS).fetchall())
        return {(game, Told(seq, own)) for game, seq, own in before if (game, seq, own) not in after}


def _copied(stage: Stage, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    options = f"--host={stage.pgdata}", f"--username={OWNER}", f"--pgdata={copy}", "--checkpoint=fast", "--no-sync"
    subprocess.run([binaries() / "pg_basebackup", *options], check=True, capture_output=True)


def _taken_over(stage: Stage, copy: Path) -> None:
    """End the database, and put the copy in its place. Block restarts meanwhile."""
    kill_all(stage.folder)
    while (lock := try_lock(stage.folder / WATCHDOG, fcntl.LOCK_EX)) is None:
        kill_all(stage.folder)
    try:
        owner = stage.pgdata.stat()
        _clear(stage.pgdata)
        shutil.copytree(copy, stage.pgdata, symlinks=True, dirs_exist_ok=True)
        for file in stage.pgdata.rglob("*"):
            os.chown(file, owner.st_uid, owner.st_gid, follow_symlinks=False)
    finally:
        os.close(lock)


def _clear(folder: Path) -> None:
    """Remove everything in a folder, except the mount point of a volume."""
    for entry in folder.iterdir():
        if entry.is_mount():
            _clear(entry)
        elif entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


FAULTS = {
    "a backup restored under living servers": restore,
    "a copy that was behind takes over": fail_over,
    "damaged games": damage,
}

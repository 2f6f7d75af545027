"""Looking at an installation, part by part, without changing anything in it."""

import platform
import shutil
import time
from collections import Counter
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from secrets import token_bytes

import psycopg
from msgspec import Struct

from mcmulti.events.history import History
from mcmulti.events.log import DamagedGame, Log
from mcmulti.events.migrate import undone
from mcmulti.events.rights import MigrationError
from mcmulti.server.http_protocol import OtherUvicorn, check_uvicorn
from mcmulti.server.process import connected

PAGE = 1000
"""Games that are listed at a time."""
LATE = 1000
"""Deadlines that are counted at most."""
APART = 10.0
"""Seconds by which clocks may differ before servers go by that of the database."""
LITTLE = 2**30
"""Bytes on the disk of a folder below which there is a warning."""


_SAFE = ("fsync", "full_page_writes", "synchronous_commit")
_SET = """
    SELECT current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
        current_setting('max_connections'), extract(epoch FROM clock_timestamp())::float8 - %s
"""


class Observation(Struct, frozen=True):
    """Something that was looked at, in a phrase. `sound`: whether it is as it should be; None for what is told only.

    `game` is the one that it is about, if it is about one.
    """

    sound: bool | None
    what: str
    game: str | None = None


def program() -> Observation:
    """What is installed."""
    installed = f"mcmulti {version('mcmulti')}, Python {platform.python_version()}"
    try:
        check_uvicorn()
    except OtherUvicorn as error:
        return Observation(False, f"{installed}: {error}")
    return Observation(True, f"{installed}, uvicorn {version('uvicorn')}")


def room(folder: Path) -> Observation:
    """Whether there is room for more games in a folder."""
    free = shutil.disk_usage(folder).free
    return Observation(free >= LITTLE, f"{free / 2**30:,.1f} GiB are free on the disk that holds {folder}")


async def examine(conninfo: str) -> AsyncIterator[Observation]:
    """Look at a database and at every game in it. Raises `ServerError` if it does not answer."""
    try:
        async with await psycopg.AsyncConnection.connect(conninfo, connect_timeout=10) as connection:
            yield Observation(True, f"PostgreSQL {connection.info.parameter_status('server_version')} answers")
            for observation in await _settings(connection):
                yield observation
            left = await undone(connection)
    except psycopg.OperationalError:  # what it says may have the address in it, and that a password
        yield Observation(False, "the database does not answer")
        return
    except MigrationError as error:
        yield Observation(False, str(error))
        return
    if left:
        yield Observation(
            False, f"the database is not as this build wants it; mcmulti migrate would do: {', '.join(left)}"
        )
        return
    yield Observation(True, "its schema and the rights of the server's role are those of this build")
    async with connected(conninfo, 1) as log:
        key = await log.signer(token_bytes(32))
        since, before = key.statements[-1].since, len(key.statements) - 1
        yield Observation(None, f"heads are signed with key {key.id}, since {since:%Y-%m-%d}; {before} before it")
        async for observation in _games(log):
            yield observation
        late = len(await log.due(datetime.now(UTC), LATE))
        yield Observation(None if late == 0 else False, f"deadlines that have come and were not kept yet: {late}")


async def _settings(connection: psycopg.AsyncConnection) -> list[Observation]:
    """What of the database's settings, and of its clock, could cost games."""
    cursor = await connection.execute(_SET, [time.time()])
    row = await cursor.fetchone()
    assert row is not None
    *safe, most, apart = row
    off = [name for name, value in zip(_SAFE, safe, strict=True) if value == "off"]
    what = f"{', '.join(_SAFE)} are on"
    if off:
        what = f"{', '.join(off)} is off: a crash loses or destroys games that were answered; set it on"
    clock = f"its clock and the one here are {abs(apart):.0f} s apart"
    return [
        Observation(not off, what),
        Observation(abs(apart) <= APART, clock if abs(apart) <= APART else f"{clock}: keep both in step (NTP)"),
        Observation(None, f"it takes {most} connections: all workers of all servers together have to keep fewer"),
    ]


async def _games(log: Log) -> AsyncIterator[Observation]:
    """An observation for each game that is damaged, and one for all others together."""
    sound: Counter[str] = Counter()
    events = damaged = 0
    before = None
    history = History(log)
    while page := await log.games(PAGE, before):
        for game in page:
            try:
                events += (await history.examine(game.game_id, game.head)).seq
                sound[game.status] += 1
            except DamagedGame as error:
                damaged += 1
                about = f"game {game.game_id} ({game.ruleset} {game.version}) is damaged: {error.fault}"
                yield Observation(False, about, str(game.game_id))
        before = page[-1].game_id
    told = ", ".join(f"{number} {status}" for status, number in sorted(sound.items())) or "none"
    yield Observation(damaged == 0, f"games whose {events:,} events hang together: {told}; damaged: {damaged}")

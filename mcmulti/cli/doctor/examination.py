"""Looking at an installation, part by part, without changing anything in it."""

import platform
import resource
import shutil
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from secrets import token_bytes

import psycopg
from msgspec import UNSET, Struct
from msgspec.structs import replace

from mcmulti.events.cluster.citus import is_distributed
from mcmulti.events.embedded.server import major_of, replaced
from mcmulti.events.embedded.watchdog import PGDATA
from mcmulti.events.log.codec import opened_with
from mcmulti.events.ports.errors import Conflict, DamagedGame
from mcmulti.events.ports.game_index import Game
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.migrate import undone
from mcmulti.events.postgres.rights import MigrationError
from mcmulti.events.store.history import History
from mcmulti.events.store.standing import retraced
from mcmulti.events.store.tenures import tenures
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
MANY = 4096
"""Descriptors below which a server soon has too few."""
CROWDED = 0.8
"""The part of all connections beyond which there are soon too few."""
DELAY = timedelta(minutes=1)
"""How late a deadline is that should have been kept."""

_NODES = """
    SELECT count(*) FILTER (WHERE isactive), count(*) FILTER (WHERE NOT isactive)
    FROM pg_dist_node WHERE shouldhaveshards
"""

_SAFE = ("fsync", "full_page_writes", "synchronous_commit")
_SET = """
    SELECT current_setting('fsync'), current_setting('full_page_writes'), current_setting('synchronous_commit'),
        current_setting('max_connections'),
        (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
        extract(epoch FROM clock_timestamp())::float8 - %s
"""


class Observation(Struct, frozen=True, omit_defaults=True):
    """Something that was looked at, in a phrase. `sound`: whether it is as it should be; None for what is told only.

    `advice` is what may be done about it; of what is told only, it says that it is worth a look. `game` is the one that
    it is about, if it is about one.
    """

    sound: bool | None
    what: str
    advice: str | None = None
    game: str | None = None

    @property
    def mark(self) -> str:
        """✓ for sound, ✗ for wrong, ! for worth a look, · for told."""
        if self.sound is None:
            return "·" if self.advice is None else "!"
        return "✓" if self.sound else "✗"

    @property
    def line(self) -> str:
        """It in a line, for people."""
        return f"{self.mark} {self.what}{'' if self.advice is None else f': {self.advice}'}"


def program() -> Observation:
    """What is installed."""
    installed = f"mcmulti {version('mcmulti')}, Python {platform.python_version()}"
    try:
        check_uvicorn()
    except OtherUvicorn as error:
        return Observation(False, f"{installed}: {error}")
    return Observation(True, f"{installed}, uvicorn {version('uvicorn')}")


def descriptors() -> Observation:
    """How many connections and files a server may have open that is started here."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    what = f"a server that is started from here may have {most:,} files and connections open"
    return Observation(None, what, None if most >= MANY else "raise the limit (ulimit -Hn, LimitNOFILE=)")


def data(folder: Path) -> Iterator[Observation]:
    """What a folder holds, and whether there is room for more games in it."""
    held = _size(_held(folder / PGDATA))
    yield Observation(None, f"{folder} holds {held} of PostgreSQL {major_of(folder / PGDATA)}")
    for old in replaced(folder):
        what = f"{old} holds {_size(_held(old))} that an upgrade has replaced"
        yield Observation(None, what, "mcmulti upgrade --remove-old deletes them")
    free = shutil.disk_usage(folder).free
    what = f"{_size(free)} are free on the disk that holds {folder}"
    yield Observation(free >= LITTLE, what, None if free >= LITTLE else "make room before it is full")


def _held(folder: Path) -> int:
    """Bytes of the files in a folder; a server may be at work in it, and delete some."""
    held = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            held += path.lstat().st_size
    return held


def _size(number: int) -> str:
    return f"{number / 2**30:,.1f} GiB" if number >= 2**30 else f"{number / 2**20:,.1f} MiB"


async def examine(conninfo: str, *, mend: bool = False) -> AsyncIterator[Observation]:
    """Look at a database and at every game in it. Raises `ServerError` if it does not answer.

    `mend`: what is kept of a table beside its events is made anew where it is wrong.
    """
    try:
        async with await psycopg.AsyncConnection.connect(conninfo, connect_timeout=10) as connection:
            yield Observation(True, f"PostgreSQL {connection.info.parameter_status('server_version')} answers")
            for observation in await _settings(connection):
                yield observation
            left = await undone(connection)
            kept = [] if left else [await _nodes(connection), await _snapshots(connection)]
    except psycopg.OperationalError:  # what it says may have the address in it, and that a password
        yield Observation(False, "the database does not answer")
        return
    except MigrationError as error:
        yield Observation(False, str(error))
        return
    if left:
        yield Observation(
            False, "the database is not as this build wants it", f"mcmulti migrate would do: {', '.join(left)}"
        )
        return
    yield Observation(True, "its schema and the rights of the server's role are those of this build")
    for observation in kept:
        yield observation
    async with connected(conninfo, 1) as log:
        key = await log.signer(token_bytes(32))
        since, before = key.statements[-1].since, len(key.statements) - 1
        yield Observation(None, f"heads are signed with key {key.id}, since {since:%Y-%m-%d}; {before} before it")
        async for observation in _games(log, mend):
            yield observation
        late = len(await log.due(datetime.now(UTC) - DELAY, LATE))
        what = f"deadlines that passed more than a minute ago and were not kept: {late}"
        yield Observation(
            None, what, "a server keeps them once it runs; if one does, its log says why not" if late else None
        )


async def _settings(connection: psycopg.AsyncConnection) -> list[Observation]:
    """What of the database's settings, and of its clock, could cost games."""
    cursor = await connection.execute(_SET, [time.time()])
    row = await cursor.fetchone()
    assert row is not None
    *safe, most, used, apart = row
    off = [name for name, value in zip(_SAFE, safe, strict=True) if value == "off"]
    settings = Observation(True, f"{', '.join(_SAFE)} are on")
    if off:
        what = f"{', '.join(off)} is off, so that a crash loses or destroys games that were answered"
        settings = Observation(False, what, "set it on")
    together = abs(apart) <= APART
    clock = f"its clock and the one here are {abs(apart):.0f} s apart"
    connections = f"{used} of {most} connections are in use"
    advice = "raise max_connections, or keep fewer (--workers, --pool-size)"
    return [
        settings,
        Observation(together, clock, None if together else "keep both in step (NTP)"),
        Observation(None, connections, advice if used > CROWDED * int(most) else None),
    ]


async def _nodes(connection: psycopg.AsyncConnection) -> Observation:
    """Where games live."""
    if not await is_distributed(connection):
        return Observation(None, "all games live on this PostgreSQL")
    cursor = await connection.execute(_NODES)
    ((active, shut),) = await cursor.fetchall()
    what = f"games are spread over {active} nodes"
    return Observation(None, what, f"{shut} more are registered and not active" if shut else None)


async def _snapshots(connection: psycopg.AsyncConnection) -> Observation:
    """What could be thrown away."""
    ((kept,),) = await (await connection.execute("SELECT count(*) FROM snapshot")).fetchall()
    return Observation(None, f"{kept:,} snapshots make reading quick; all could be deleted, and are made anew")


async def _games(log: Log, mend: bool) -> AsyncIterator[Observation]:
    """An observation for each game that is damaged or listed wrongly, and one for all others together."""
    sound: Counter[str] = Counter()
    events = damaged = 0
    before = None
    history = History(log)
    while page := await log.games(PAGE, before):
        for game in page:
            try:
                events += (await history.examine(game.game_id, game.head)).seq
                sound[game.status] += 1
                if await _listed_wrongly(log, game, mend):
                    about = f"game {game.game_id} ({game.ruleset} {game.version}) is listed otherwise than it stands"
                    advice = "it was put right" if mend else "mcmulti doctor --mend puts it right"
                    yield Observation(None if mend else False, about, advice, str(game.game_id))
            except DamagedGame as error:
                damaged += 1
                about = f"game {game.game_id} ({game.ruleset} {game.version}) is damaged: {error.fault}"
                yield Observation(False, about, "take its rows from a backup", str(game.game_id))
        before = page[-1].mark()
    told = ", ".join(f"{number} {status}" for status, number in sorted(sound.items())) or "none"
    yield Observation(damaged == 0, f"games whose {events:,} events hang together: {told}; damaged: {damaged}")


async def _listed_wrongly(log: Log, game: Game, mend: bool) -> bool:
    """Whether the log says of a game what its events do not; to `mend` that is to put it right."""
    events = await log.read(game.game_id, 0, game.head.seq)
    try:
        ruleset = opened_with(events[0])
        stands = retraced(ruleset, events, await log.now() if game.deadline is None else None)
        played = tenures(ruleset, events)
    except Exception as error:  # whatever events that hang together say, they may say nonsense
        raise DamagedGame(game.game_id, f"its events cannot be: {error}") from error
    if (stands.deadline is None) == (game.deadline is None):  # it may have moved, with time given back
        stands = replace(stands, deadline=UNSET)
    here = await log.players([tenure.player_id for tenure in played])
    kept = {tenure.player_id: tenure for tenure in await log.tenures_at(game.game_id)}
    played = tuple(each for each in played if each.player_id not in here or here[each.player_id].name)
    if stands.behind(game.standing) == game.standing and kept == {tenure.player_id: tenure for tenure in played}:
        return False
    if (await log.heads([game.game_id])).get(game.game_id) != game.head:  # it went on meanwhile, and is right by that
        return False
    if mend:
        with suppress(Conflict):  # it went on only now
            await log.append(game.game_id, game.head, [], stands, reseated=True, tenures=played)
    return True

"""Examine an installation, part by part, without changing anything in it."""

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
from msgspec import UNSET
from msgspec.structs import replace

from mcmulti.cli.doctor.observation import DoctorWords, Observation
from mcmulti.cli.doctor.ratings import stored_ratings
from mcmulti.cli.doctor.rows import beside_events
from mcmulti.events.cluster.citus import is_distributed
from mcmulti.events.embedded.server import major_of, replaced
from mcmulti.events.embedded.watchdog import PGDATA
from mcmulti.events.log.codec import opened_with
from mcmulti.events.ports.errors import Conflict, DamagedGame
from mcmulti.events.ports.game_index import Game
from mcmulti.events.ports.log import Log
from mcmulti.events.postgres.migrate import undone
from mcmulti.events.postgres.rights import MigrationError
from mcmulti.events.store.standing import retraced, tenures
from mcmulti.referee.referee import Referee
from mcmulti.referee.scrubber import Scrubber
from mcmulti.server.database import connected
from mcmulti.server.http_protocol import OtherUvicorn, check_uvicorn

PAGE = 1000
"""Games listed at a time."""
LATE = 1000
"""The most late deadlines that are counted."""
APART = 10.0
"""Seconds by which clocks may differ before servers use the clock of the database."""
LITTLE = 2**30
"""Warn if the disk of a folder has fewer free bytes."""
MANY = 4096
"""With fewer file descriptors, a server soon runs out of them."""
CROWDED = 0.8
"""Warn beyond this share of all connections."""
DELAY = timedelta(minutes=1)
"""How late a deadline is if no server handles it."""

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


def program(say: DoctorWords) -> Observation:
    """The installed versions."""
    installed = say("program", build=version("mcmulti"), python=platform.python_version())
    try:
        check_uvicorn()
    except OtherUvicorn as error:
        return Observation(False, f"{installed}: {error}")
    return Observation(True, say("uvicorn", program=installed, version=version("uvicorn")))


def descriptors(say: DoctorWords) -> Observation:
    """How many connections and files a server started here can have open."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    advice = None if most >= MANY else say("descriptors.advice")
    return Observation(None, say("descriptors", most=most), advice)


def data(folder: Path, say: DoctorWords) -> Iterator[Observation]:
    """What a folder holds, and whether it has room for more games."""
    pgdata = folder / PGDATA
    yield Observation(None, say("data", folder=folder, held=say.bytes(_held(pgdata)), major=major_of(pgdata)))
    for old in replaced(folder):
        what = say("replaced", folder=old, held=say.bytes(_held(old)))
        yield Observation(None, what, say("replaced.advice"))
    free = shutil.disk_usage(folder).free
    what = say("free", free=say.bytes(free), folder=folder)
    yield Observation(free >= LITTLE, what, None if free >= LITTLE else say("free.advice"))


def _held(folder: Path) -> int:
    """Bytes of the files in a folder. A running server may delete some meanwhile."""
    held = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            held += path.lstat().st_size
    return held


async def examine(conninfo: str, say: DoctorWords, *, mend: bool = False) -> AsyncIterator[Observation]:
    """Examine a database and every game in it. Raises `ServerError` if it does not answer.

    `mend`: repair damaged data that is derived from the events of a table.
    """
    try:
        async with await psycopg.AsyncConnection.connect(conninfo, connect_timeout=10) as connection:
            version_there = connection.info.parameter_status("server_version")
            yield Observation(True, say("answers", version=version_there))
            for observation in await _settings(connection, say):
                yield observation
            left = await undone(connection)
            kept = [] if left else [await _nodes(connection, say), await _snapshots(connection, say)]
    except psycopg.OperationalError:  # the message may contain the address, including a password
        yield Observation(False, say("silent"))
        return
    except MigrationError as error:
        yield Observation(False, str(error))
        return
    if left:
        yield Observation(False, say("other_schema"), say("other_schema.advice", steps=", ".join(left)))
        return
    yield Observation(True, say("schema"))
    for observation in kept:
        yield observation
    async with connected(conninfo, 1) as log:
        key = await log.signer(token_bytes(32))
        since, before = key.statements[-1].since, len(key.statements) - 1
        yield Observation(None, say("key", key=key.id, since=f"{since:%Y-%m-%d}", before=before))
        async for observation in _games(log, say, mend):
            yield observation
        digest_key = await log.digest_key()
        async with await psycopg.AsyncConnection.connect(conninfo, connect_timeout=10) as connection:
            async for observation in beside_events(connection, digest_key, say, mend):
                yield observation
            async for observation in stored_ratings(log, connection, digest_key, say, mend):
                yield observation
        late = len(await log.due(datetime.now(UTC) - DELAY, LATE))
        yield Observation(None, say("late", late=late), say("late.advice") if late else None)


async def _settings(connection: psycopg.AsyncConnection, say: DoctorWords) -> list[Observation]:
    """Settings of the database, and of its clock, that could cost games."""
    cursor = await connection.execute(_SET, [time.time()])
    row = await cursor.fetchone()
    assert row is not None
    *safe, most, used, apart = row
    off = [name for name, value in zip(_SAFE, safe, strict=True) if value == "off"]
    settings = Observation(True, say("settings", names=", ".join(_SAFE)))
    if off:
        settings = Observation(False, say("settings_off", names=", ".join(off)), say("settings_off.advice"))
    together = abs(apart) <= APART
    crowded = used > CROWDED * int(most)
    return [
        settings,
        Observation(together, say("clock", seconds=round(abs(apart))), None if together else say("clock.advice")),
        Observation(None, say("connections", used=used, most=most), say("connections.advice") if crowded else None),
    ]


async def _nodes(connection: psycopg.AsyncConnection, say: DoctorWords) -> Observation:
    """The nodes that store games."""
    if not await is_distributed(connection):
        return Observation(None, say("one_node"))
    cursor = await connection.execute(_NODES)
    ((active, shut),) = await cursor.fetchall()
    return Observation(None, say("nodes", active=active), say("nodes.advice", shut=shut) if shut else None)


async def _snapshots(connection: psycopg.AsyncConnection, say: DoctorWords) -> Observation:
    """Snapshots that could be deleted."""
    ((kept,),) = await (await connection.execute("SELECT count(*) FROM snapshot")).fetchall()
    return Observation(None, say("snapshots", kept=kept))


async def _games(log: Log, say: DoctorWords, mend: bool) -> AsyncIterator[Observation]:
    """An observation for each game that is damaged or listed incorrectly, and one for all others together."""
    sound: Counter[str] = Counter()
    events = damaged = 0
    before = None
    scrubber = Scrubber(Referee(log), log, share=1)
    while page := await log.games(PAGE, before):
        for game in page:
            try:
                events += (await scrubber.examined(game.game_id, game.head)).seq
                sound[game.status] += 1
                if await _listed_wrongly(log, game, mend):
                    advice = say("listed.mended" if mend else "listed.advice")
                    about = say("listed", game=_game_label(game))
                    yield Observation(None if mend else False, about, advice, str(game.game_id))
            except DamagedGame as error:
                damaged += 1
                about = say("damaged", game=_game_label(game), fault=error.fault)
                yield Observation(False, about, say("damaged.advice"), str(game.game_id))
        before = page[-1].mark()
    told = ", ".join(f"{number} {say(status)}" for status, number in sorted(sound.items())) or say("none")
    yield Observation(damaged == 0, say("games", events=events, told=told, damaged=damaged))


def _game_label(game: Game) -> str:
    return f"{game.game_id} ({game.ruleset} {game.version})"


async def _listed_wrongly(log: Log, game: Game, mend: bool) -> bool:
    """Whether the log's index entry of a game differs from its events. `mend` corrects it."""
    events = await log.read(game.game_id, 0, game.head.seq)
    try:
        ruleset = opened_with(events[0])
        stands = retraced(ruleset, events, await log.now() if game.deadline is None else None)
        played = tenures(ruleset, events)
    except Exception as error:  # even events with an intact hash chain may make no sense
        raise DamagedGame(game.game_id, f"its events cannot be: {error}") from error
    if (stands.deadline is None) == (game.deadline is None):  # it may have moved, if time was given back
        stands = replace(stands, deadline=UNSET)
    here = await log.players([tenure.player_id for tenure in played])
    kept = {tenure.player_id: tenure for tenure in await log.tenures_at(game.game_id)}
    played = tuple(each for each in played if each.player_id not in here or here[each.player_id].name)
    if stands.behind(game.standing) == game.standing and kept == {tenure.player_id: tenure for tenure in played}:
        return False
    if (await log.heads([game.game_id])).get(game.game_id) != game.head:  # it went on meanwhile, which corrected it
        return False
    if mend:
        with suppress(Conflict):  # it went on just now
            await log.append(game.game_id, game.head, [], stands, reseated=True, tenures=played)
    return True

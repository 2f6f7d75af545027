"""Import another installation: its players, their tokens, and all its games, also those that go on.

Ids, hashes, and times of games stay as they are, so that their proofs stay valid. Everything is checked before anything
is written. Players are then imported together, and each game as a whole: an interrupted import is finished by another
one, and what is there already is left alone.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from msgspec.structs import replace
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row

from mcmulti.api.telling.ladder import LadderBoard
from mcmulti.cli.proof.importing import ImportRefused
from mcmulti.cli.running import address_of, counted
from mcmulti.events.embedded.server import has_data
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.ports.errors import UnknownGame
from mcmulti.events.ports.event_store import Receipt, signed
from mcmulti.events.ports.game_index import Game
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.timekeeping import BEAT, OUTAGE, Question
from mcmulti.events.postgres.appending import KEEP_RECEIPT
from mcmulti.events.postgres.tables import composed, insertion
from mcmulti.events.store.history import holds
from mcmulti.events.store.names import can_be_shown, is_reserved, name_key, name_skeleton, of_one_script
from mcmulti.events.store.standing import retraced, tenures
from mcmulti.projections.proof.prover import Prover
from mcmulti.referee.referee import Referee
from mcmulti.server.database import opened_log

PAGE = 1000
"""Games listed at a time."""
LONGEST = 40
"""The most characters of a name."""

_BEAT = "SELECT max(at) AS at, now() - max(at) < %s AS lately FROM heartbeat"
_PLAYERS = "SELECT id, name, kind, origin, created_at FROM player"
_TAKEN = "SELECT id, name, name_key, name_skeleton FROM player WHERE name_key = ANY (%s) OR name_skeleton = ANY (%s)"
_KNOWN = "SELECT id FROM player WHERE id = ANY (%s)"
_ADD_PLAYER = insertion("player", ("id", "name", "name_key", "name_skeleton", "kind", "origin", "created_at"))
_TOKEN = ("id", "player_id", "hash", "name", "scopes", "created_at", "expires_at", "used_at", "revoked_at", "parent_id")
_TOKENS = f"SELECT {', '.join(_TOKEN)} FROM token WHERE player_id = ANY (%s)"  # noqa: S608 # of constants alone
_ADD_TOKEN = insertion("token", _TOKEN)
_VISITOR = ("id", "name", "name_key", "companion_of")
_VISITORS = f"SELECT {', '.join(_VISITOR)} FROM visitor"  # noqa: S608 # of constants alone
_ADD_VISITOR = f"{insertion('visitor', _VISITOR)} ON CONFLICT (id) DO NOTHING"
_RECEIPTS = composed("SELECT {columns} FROM receipt WHERE game_id = %s", row=Receipt)
_ADD_RECEIPT = f"{KEEP_RECEIPT} ON CONFLICT (game_id, player_id, key) DO NOTHING"


class Merged(NamedTuple):
    """What was imported: `players`, `games`, how many of these go on, and how many games were there already."""

    players: int
    games: int
    running: int
    there: int

    @property
    def sentence(self) -> str:
        """The same in words."""
        there = f" {counted(self.there, 'game')} already there." if self.there else ""
        return (
            f"Imported {counted(self.players, 'player')} and {counted(self.games, 'game')}, "
            f"{self.running} of them unfinished.{there}"
        )


class Installation(NamedTuple):
    """A database with games. `at`: when its servers last kept the time."""

    log: Log
    connection: AsyncConnection[DictRow]
    at: datetime


async def merge(source: Path | str, target: Path | str, names: Mapping[str, str]) -> Merged:
    """Import everything in a database, or in a folder, into another one. `names`: new names for players, by old names.

    Raises `ImportRefused`, and `ServerError` if a database does not start.
    """
    if isinstance(source, Path) and not has_data(source):
        raise ImportRefused(f"there are no games in {source}.")
    async with AsyncExitStack() as stack:
        old, new = [await stack.enter_async_context(_installation(place)) for place in (source, target)]
        await asyncio.gather(_stopped(old, "the installation to import"), _stopped(new, "the one to import into"))
        people = await _people(old, new, names)
        missing = {game.game_id: game async for game in _games(old.log) if not await _is_there(old, new, game)}
        await _bring_people(old, new, people)
        there = 0
        async for game in _games(old.log):
            if game.game_id in missing:
                await _bring(old, new, game)
            else:
                there += 1
            await _bring_beside(old, new, game.game_id)
        if any(game.access.rated and game.status == "finished" for game in missing.values()):
            await LadderBoard(new.log, Referee(new.log)).rebuild()
    unfinished = sum(game.status != "finished" for game in missing.values())
    return Merged(len(people), len(missing), unfinished, there)


@asynccontextmanager
async def _installation(place: Path | str) -> AsyncIterator[Installation]:
    async with AsyncExitStack() as stack:
        conninfo = await stack.enter_async_context(address_of(place, new=True))
        log = await stack.enter_async_context(opened_log(conninfo))
        connecting = AsyncConnection.connect(conninfo, client_encoding="UTF8", row_factory=dict_row)
        connection = await stack.enter_async_context(await connecting)
        beat = await _beat(connection)
        yield Installation(log, connection, beat["at"])


async def _beat(connection: AsyncConnection[DictRow]) -> DictRow:
    (row,) = await _fetch_all(connection, _BEAT, OUTAGE)
    return row


async def _stopped(there: Installation, called: str) -> None:
    """Refuse an installation with a running server: games would go on in two places, or without what is imported."""
    beat = await _beat(there.connection)
    if beat["lately"]:
        await asyncio.sleep((BEAT + timedelta(seconds=1)).total_seconds())
        beat = await _beat(there.connection)
    if beat["at"] != there.at:
        raise ImportRefused(f"a server is running on {called}. Stop it first.")


async def _people(old: Installation, new: Installation, names: Mapping[str, str]) -> list[DictRow]:
    """The players to import, with their names. Refuses names that others have."""
    rows = await _fetch_all(old.connection, _PLAYERS)
    known = {row["id"] for row in await _fetch_all(new.connection, _KNOWN, [row["id"] for row in rows])}
    people = [row for row in rows if row["id"] not in known]
    if unknown := names.keys() - {row["name"] for row in rows}:
        raise ImportRefused(f"there is no player {min(unknown)!r} to rename.")
    for row in people:
        name = row["name"] = names.get(row["name"], row["name"])
        if name is not None:
            row["name_key"], row["name_skeleton"] = name_key(name), name_skeleton(name)
    for name in names.values():
        if not (can_be_shown(name) and of_one_script(name) and name == name.strip() and len(name) <= LONGEST):
            raise ImportRefused(f"{name!r} cannot be the name of a player.")
        if is_reserved(name):
            raise ImportRefused(f"the name {name!r} is reserved.")
    named = [row for row in people if row["name"] is not None]
    for column in ("name_key", "name_skeleton"):
        if twice := [look for look, number in Counter(row[column] for row in named).items() if number > 1]:
            alike = ", ".join(sorted(row["name"] for row in named if row[column] == twice[0]))
            raise ImportRefused(f"these names look too much alike: {alike}. Use --rename OLD=NEW.")
    looks = [row["name_key"] for row in named], [row["name_skeleton"] for row in named]
    taken = await _fetch_all(new.connection, _TAKEN, *looks)
    keys, skeletons = {row["name_key"] for row in taken}, {row["name_skeleton"] for row in taken}
    if clashing := sorted(row["name"] for row in named if row["name_key"] in keys or row["name_skeleton"] in skeletons):
        alike = ", ".join(clashing)
        raise ImportRefused(f"these names are taken, or look too much like others: {alike}. Use --rename OLD=NEW.")
    return people


async def _games(log: Log) -> AsyncIterator[Game]:
    """All games of a log."""
    before = None
    while page := await log.games(PAGE, before):
        for game in page:
            yield game
        before = page[-1].mark()


async def _is_there(old: Installation, new: Installation, game: Game) -> bool:
    """Whether a game was imported before, and may have gone on. Refuses one that cannot be imported."""
    held = (await new.log.heads([game.game_id])).get(game.game_id)
    if held is not None:
        if held.seq >= game.head.seq and await holds(new.log, game.game_id, game.head):
            return True
        raise ImportRefused(f"a different game {game.game_id} already exists, at event {held.seq}.")
    fault = await asyncio.to_thread(_fault, await _events(old, game), await _seed(old, game), game)
    if fault is not None:
        raise ImportRefused(f"game {game.game_id} is damaged: {fault}.")
    return False


async def _events(old: Installation, game: Game) -> Sequence[Recorded]:
    return await old.log.read(game.game_id, 0)


async def _seed(old: Installation, game: Game) -> bytes | None:
    try:
        return await old.log.secret(game.game_id)
    except UnknownGame:
        return None


def _fault(events: Sequence[Recorded], seed: bytes | None, game: Game) -> str | None:
    """Why a game cannot be imported; None if its log is proven with its seed."""
    if not events:
        return "event 1 is missing"
    if seed is None:
        return "its seed is missing"
    try:
        commitment = fold(opened_with(events[0]), events[:1]).commitment
    except ValueError as error:
        return f"event 1 opens no game: {error}"
    if sha256(seed).hexdigest() != commitment:
        return "its seed does not match the commitment in its first event"
    fault = Prover(events[0], seed).prove(events).fault
    if fault is None and Head(events[-1].seq, events[-1].hash) != game.head:
        return f"its log does not end with event {game.head.seq}, which its head names"
    return fault


async def _bring_people(old: Installation, new: Installation, people: Sequence[DictRow]) -> None:
    """Import players with their tokens, and the names of people who never registered."""
    tokens = await _fetch_all(old.connection, _TOKENS, [row["id"] for row in people])
    visitors = await _fetch_all(old.connection, _VISITORS)
    async with new.connection.transaction():
        cursor = new.connection.cursor()
        nameless = {"name_key": None, "name_skeleton": None}
        await cursor.executemany(_ADD_PLAYER, [nameless | row for row in people])
        await cursor.executemany(_ADD_TOKEN, tokens)
        await cursor.executemany(_ADD_VISITOR, visitors)


async def _bring(old: Installation, new: Installation, game: Game) -> None:
    """Import a game. Whoever it waits for has as long as when the servers of its installation stopped."""
    events, seed = await _events(old, game), await old.log.secret(game.game_id)
    ruleset = opened_with(events[0])
    stands = retraced(ruleset, events, new.at if game.deadline is None else None)
    if game.deadline is not None:
        # The first server that starts gives back the time since the last one stopped: then it is as long as it was.
        stands = replace(stands, deadline=new.at + (game.deadline - old.at))
    played = tenures(ruleset, events)
    there = await new.log.players([each.player_id for each in played])
    played = tuple(each for each in played if each.player_id not in there or there[each.player_id].name)
    made = ruleset.name, ruleset.version, stands, seed, events
    await new.log.create(game.game_id, *made, game.opened_by, game.access, tenures=played)


async def _bring_beside(old: Installation, new: Installation, game_id: UUID) -> None:
    """Import what belongs to a game beside its events: receipts, and an open question. What is there stays."""
    before, after = await old.log.digest_key(), await new.log.digest_key()
    receipts = [Receipt(**row) for row in await _fetch_all(old.connection, _RECEIPTS, game_id)]
    sound = [each for each in receipts if each == signed(before, game_id, *each[:-1])]
    async with new.connection.transaction():
        anew = [{"game": game_id, **signed(after, game_id, *each[:-1])._asdict()} for each in sound]
        await new.connection.cursor().executemany(_ADD_RECEIPT, anew)
    question = await old.log.question(game_id)
    if question is not None and await new.log.question(game_id) is None:
        answer_at = await new.log.now() + (question.answer_at - old.at)
        await new.log.ask(game_id, Question(answer_at, question.open))


async def _fetch_all(connection: AsyncConnection[DictRow], query: str, *values: object) -> list[DictRow]:
    async with connection.transaction():
        return await (await connection.execute(query, values)).fetchall()

"""Whether commands get slower as a game gets longer, and as the tables fill."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import count
from time import perf_counter

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from benchmarks.commands import Games, advance, refereed, send
from benchmarks.figures import Aim, Figure, Measure, Taken
from benchmarks.scale import Scale
from mcmulti.cli.bench.games import Move, PreparedGame
from mcmulti.events.ports.log import Log
from mcmulti.referee.referee import Referee
from mcmulti.server.database import opened_log

SHORT, LONG = 100, Scale().long
"""Events of the games to compare."""
BLOCK = 25
"""Commands of a game before it is the other's turn."""
FEW, MANY = 10, Scale().many
"""Games in the tables to compare."""
EVENTS = 5
"""Events of each of the many."""

_LENGTH = {length: Figure(f"a command in process at event {length:,} of a game", "ms") for length in (SHORT, LONG)}
_GAMES = {games: Figure(f"a command in process, {games:,} games in the tables", "ms") for games in (FEW, MANY)}
FIGURES = (*_LENGTH.values(), *_GAMES.values())
AIMS = (
    Aim(f"a command at event {LONG:,} / at event {SHORT}", _LENGTH[LONG], (_LENGTH[SHORT],), "under", 1.2),
    Aim(f"a command among {MANY:,} games / among {FEW}", _GAMES[MANY], (_GAMES[FEW],), "under", 1.2),
)

FILL = """
    INSERT INTO game (id, ruleset, version, status, head_seq, head_hash, created_at, moved_at, moved_minute)
    SELECT md5(n::text)::uuid, 'mcmulti', 1, 'running', {events}, sha256(n::text::bytea),
        now() - n * interval '1 second', now(), 0
    FROM generate_series(1, {games}) AS n;
    INSERT INTO secret (game_id, seed) SELECT id, sha256(id::text::bytea) FROM game;
    INSERT INTO event
        (game_id, seq, type, data, rule, actor, command_id, command, recorded_at, prev_hash, hash)
    SELECT id, seq, 'DiceRolled', '{{"type":"DiceRolled","seat":0,"red":3,"white":4}}', 'turn/roll', 0, id,
        '{{"type":"RollDice"}}', created_at, sha256((seq - 1)::text::bytea), sha256(seq::text::bytea)
    FROM game, generate_series(1, {events}) AS seq;
    INSERT INTO receipt (game_id, player_id, key, request_hash, after_seq, seq, digest)
    SELECT id, id, n::text, head_hash, n, n + 1, substr(head_hash, 1, 16)
    FROM game, generate_series(1, 3) AS n;
    INSERT INTO seat (game_id, player_id) SELECT id, md5(id::text || n)::uuid FROM game, generate_series(1, 4) AS n;
"""


class Lengths:
    """A long game, and new games."""

    def __init__(self, log: Log, games: Games, length: int = LONG) -> None:
        self._referee = Referee(log)
        self._games = games
        self._length = length
        self._long: tuple[PreparedGame, Iterator[Move]] | None = None
        self._keys = count()

    async def grow(self, rounds: int, commands: int) -> None:
        """Play the long game up to its length, with this many commands left for each of the rounds."""
        (game,) = await self._games.fresh(1, self._length + rounds * commands)
        moves = iter(game.moves)
        await advance(self._referee, game, moves, self._length)
        self._long = game, moves

    def alternating(self, commands: int) -> Measure:
        """Milliseconds of a command in each of the two, one after the other, in alternating games."""

        async def measure() -> Taken:
            assert self._long is not None
            (short,) = await self._games.fresh(1, self._length)
            coming = iter(short.moves)
            await advance(self._referee, short, coming, SHORT)
            taken = dict.fromkeys(_LENGTH.values(), 0.0)
            for _ in range(commands // BLOCK):
                for figure, game, moves in ((_LENGTH[SHORT], short, coming), (_LENGTH[LONG], *self._long)):
                    start = perf_counter()
                    for _ in range(BLOCK):
                        await send(self._referee, game, next(moves), str(next(self._keys)))
                    taken[figure] += perf_counter() - start
            done = commands // BLOCK * BLOCK
            return {figure: 1000 * seconds / done for figure, seconds in taken.items()}

        return measure


@asynccontextmanager
async def filled(conninfo: str, name: str, games: int) -> AsyncIterator[Log]:
    """The log in a new database of the same server, with this many games in it."""
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    address = make_conninfo(conninfo, dbname=name)
    async with opened_log(address) as log:
        with psycopg.connect(address, autocommit=True) as connection:
            if games:
                connection.execute(FILL.format(games=games, events=EVENTS).encode())
            connection.execute("VACUUM ANALYZE")
        yield log


def fullness(few: Log, many: Log, seconds: float) -> Measure:
    """Milliseconds of a command, with ten games at once, alternately in tables with no others and in full ones."""
    logs = {_GAMES[FEW]: (few, Games(few)), _GAMES[MANY]: (many, Games(many))}

    async def measure() -> Taken:
        taken = {}
        for figure, (log, games) in logs.items():
            fresh = await games.fresh(FEW, int(1000 * seconds) + 20)
            done, took = await refereed(Referee(log), fresh, seconds)
            taken[figure] = 1000 * took / done
        return taken

    return measure

"""Whole commands: over HTTP, in process, and the bare servers that do a part of the work."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import count, repeat
from time import perf_counter

from benchmarks.figures import Figure, Measure, Taken, say_clients
from benchmarks.sample import answer
from benchmarks.scale import Scale
from mcmulti.cli.bench.games import Move, PreparedGame, prepared
from mcmulti.cli.bench.load import commanding, load
from mcmulti.cli.bench.measured import Load
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.codec import command_decoder
from mcmulti.events.ports.log import Log
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Idempotency

HOST = "127.0.0.1"
CLIENTS = (1, 16, 64, 256)
TASKS = 64
FIRST_GUESS = {1: 1500}
"""Commands per second to prepare for the first round, by the number of clients."""
WARM_UP = 0.2
"""Seconds for a server to load the games before the clock starts."""

HTTP = {clients: Figure(f"commands over HTTP, {say_clients(clients)}", "commands/s") for clients in CLIENTS}
WORKERS = {clients: Figure(f"commands over HTTP, {clients} clients, 2 workers", "commands/s") for clients in (64, 256)}
IN_PROCESS = Figure(f"commands in process, durable, {TASKS} tasks", "commands/s")
MEAN = Figure("a command over HTTP, 1 client, mean", "ms")
ONE_ROW = Figure("one row a transaction, Litestar POST, 64 clients", "requests/s")
ONE_ROW_POOL = Figure("the same over the pool of psycopg", "requests/s")
BATCHED = Figure("one row in batches, ASGI route, 64 clients", "requests/s")
WITHOUT_RULES = Figure("what a command appends, in batches, ASGI route, 64 clients", "requests/s")
NOTHING = Figure("no database, Litestar POST, 64 clients", "requests/s")
NOTHING_MEAN = Figure("no database, Litestar POST, 1 client, mean", "ms")
BARE = (
    ("/queue", ONE_ROW, 64),
    ("/pool", ONE_ROW_POOL, 64),
    ("/batch", BATCHED, 64),
    ("/append", WITHOUT_RULES, 64),
    ("/nothing", NOTHING, 64),
    ("/nothing", NOTHING_MEAN, 1),
)
"""The responses of the bare server: path, figure, clients."""


def latencies(rate: Figure) -> dict[str, Figure]:
    """The rate of commands whose latency is measured."""
    return {name: Figure(f"{rate.what}: {name}", "ms") for name in ("p50", "p95", "p99")}


WORKER_FIGURES = tuple(each for rate in WORKERS.values() for each in (rate, *latencies(rate).values()))
FIGURES = (*(each for rate in HTTP.values() for each in (rate, *latencies(rate).values())), MEAN, IN_PROCESS)

_decode = command_decoder(RULESET.name, RULESET.version)


class Games:
    """New games, played in advance for about as many commands as a measurement will send."""

    def __init__(self, log: Log, seed: int = 1) -> None:
        self._log = log
        self._seeds = count(seed)  # a log accepts the games of a seed only once

    async def fresh(self, number: int, commands: int) -> list[PreparedGame]:
        """This many games, each with this many commands to come."""
        return await prepared(self._log, number, commands=commands, seed=next(self._seeds))


def commands(games: Games, port: int, clients: int, scale: Scale, figures: dict[int, Figure]) -> Measure:
    """Commands per second over HTTP with as many games as clients, and their latency."""
    expected, seconds, number = float(FIRST_GUESS.get(clients, 5000)), scale.seconds, min(clients, scale.clients)

    async def measure() -> Taken:
        nonlocal expected
        length = int(expected * (seconds + WARM_UP) * 2 / number) + 20
        sent = [commanding(game) for game in await games.fresh(number, length)]
        await load(HOST, port, sent, WARM_UP)
        done = await load(HOST, port, sent, seconds)
        expected = done.rate
        taken = {figures[clients]: done.rate, **_latencies(figures[clients], done)}
        if figures is HTTP and clients == 1:
            taken[MEAN] = 1000 * done.seconds / done.answers
        return taken

    return measure


def _latencies(figure: Figure, done: Load) -> Taken:
    named = {"p50": done.latency.p50, "p95": done.latency.p95, "p99": done.latency.p99}
    return {each: named[name] / 1000 for name, each in latencies(figure).items()}


def bare(port: int, path: str, figure: Figure, clients: int, seconds: float) -> Measure:
    """Requests per second to a bare server, or the milliseconds of one, depending on the figure."""
    request = _post(path, b'{"commands":[{"type":"RollDice"}]}')

    async def measure() -> Taken:
        await load(HOST, port, [repeat(request)] * clients, WARM_UP)
        done = await load(HOST, port, [repeat(request)] * clients, seconds)
        return {figure: 1000 * done.seconds / done.answers if figure.unit == "ms" else done.rate}

    return measure


def _post(path: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def in_process(log: Log, games: Games, seconds: float) -> Measure:
    """Commands per second by the referee alone, each with its receipt."""
    expected = 5000.0

    async def measure() -> Taken:
        nonlocal expected
        fresh = await games.fresh(TASKS, int(expected * seconds * 2 / TASKS) + 20)
        done, took = await refereed(Referee(log), fresh, seconds)
        expected = done / took
        return {IN_PROCESS: expected}

    return measure


async def refereed(referee: Referee, games: Sequence[PreparedGame], seconds: float) -> tuple[int, float]:
    """Let a task play each game for this long. Return the number of commands, and the seconds."""
    for game in games:
        await referee.position(game.game_id)
    start = perf_counter()

    async def playing(game: PreparedGame) -> int:
        done = 0
        while done < len(game.moves) and perf_counter() < start + seconds:
            await send(referee, game, game.moves[done], str(done))
            done += 1
        return done

    done = sum(await asyncio.gather(*map(playing, games)))
    return done, perf_counter() - start


async def send(referee: Referee, game: PreparedGame, move: Move, key: str) -> None:
    """One command of a prepared game, under an idempotency key."""
    player = game.players[move.seat]
    done = await referee.command(game.game_id, player, [_decode(move.command)], idempotency=Idempotency(key, bytes(32)))
    answer(done.events)


async def advance(referee: Referee, game: PreparedGame, moves: Iterator[Move], until: int) -> None:
    """Continue a prepared game until it has this many events."""
    while (await referee.position(game.game_id)).head.seq < until:
        move = next(moves)
        await referee.command(game.game_id, game.players[move.seat], [_decode(move.command)])

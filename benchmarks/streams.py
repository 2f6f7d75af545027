"""How soon readers of server-sent events see what was appended.

The delay of an event goes from the moment that stands in it (`recorded_at`, before its commit) to the moment its bytes
have come to the reader, all readers in one process beside the server: more than from the commit on.
"""

import asyncio
import re
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import count

from benchmarks.commands import HOST, Games
from benchmarks.figures import Aim, Figure, Measure, Taken
from mcmulti.cli.bench.games import PreparedGame
from mcmulti.cli.bench.measured import Latency
from mcmulti.cli.bench.requests import commanding, reading

SENDERS = 8
SETTLE = 0.5
"""Seconds after the last command in which the last events come."""
_RECORDED = re.compile(rb'"recorded_at":"([^"]+)"')
_LONGEST = 80
"""Bytes at the end of a read that may hold a part of a moment."""


class _Reader(asyncio.Protocol):
    """A connection that follows a game, and notes how late each event is."""

    def __init__(self, request: bytes, delays: list[int]) -> None:
        self._request = request
        self._delays = delays
        self._rest = b""
        self.began = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.write(self._request)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        now = time.time()
        self.began.set()
        data = self._rest + data
        end = 0
        for moment in _RECORDED.finditer(data):
            end = moment.end()
            recorded = datetime.fromisoformat(moment[1].decode()).timestamp()
            self._delays.append(int(1e9 * (now - recorded)))
        self._rest = data[max(end, len(data) - _LONGEST) :]


def named(readers: int, games: int, rate: int) -> str:
    """What such a measurement is called."""
    return f"delay of events, {readers:,} SSE readers of {games} {'games' if games > 1 else 'game'}, {rate} commands/s"


def aim(readers: int, games: int, rate: int, value: float | None = None) -> Aim:
    """How late one event in a hundred may be, in milliseconds."""
    what = named(readers, games, rate)
    return Aim(f"{what}: p99", Figure(f"{what}: p99", "ms"), sense="under", value=value)


def delays(games: Games, port: int, readers: int, number: int, rate: int, seconds: float) -> Measure:
    """Milliseconds until readers spread over so many games see their events, at so many commands a second."""
    what = named(readers, number, rate)

    async def measure() -> Taken:
        followed = await games.fresh(number, round(rate * seconds / number) + 20)
        taken: list[int] = []
        connected = await _connected(port, followed, readers, taken)
        await asyncio.sleep(SETTLE)
        taken.clear()  # what the streams began with
        try:
            answered = await _paced(port, followed, rate, seconds)
            await asyncio.sleep(SETTLE)
        finally:
            for follower in connected:
                follower.transport.close()
        if len(taken) < answered * readers // number:
            raise AssertionError(f"readers saw {len(taken)} events of {answered} commands")
        late = Latency.of(taken)
        named_figures = {"p50": late.p50, "p95": late.p95, "p99": late.p99, "longest": late.longest}
        return {Figure(f"{what}: {name}", "ms"): value / 1000 for name, value in named_figures.items()}

    return measure


async def _connected(port: int, followed: Sequence[PreparedGame], readers: int, delays: list[int]) -> list[_Reader]:
    loop = asyncio.get_running_loop()
    followers: list[_Reader] = []
    for number in range(readers):
        game = followed[number % len(followed)]
        request = reading(f"/v1/games/{game.game_id}/events", accept="text/event-stream")
        _, follower = await loop.create_connection(partial(_Reader, request, delays), HOST, port)
        followers.append(follower)
    for follower in followers:  # or the delay of the first events would be that of the last streams to begin
        await follower.began.wait()
    return followers


async def _paced(port: int, followed: Sequence[PreparedGame], rate: int, seconds: float) -> int:
    """Send so many commands a second over all games in turn; how many were answered."""
    turns = count()
    commands = [commanding(game) for game in followed]
    start = time.perf_counter()
    locks = [asyncio.Lock() for _ in followed]
    done = await asyncio.gather(*(_sending(port, commands, turns, locks, rate, start, seconds) for _ in range(SENDERS)))
    return sum(done)


async def _sending(
    port: int,
    commands: Sequence[Iterator[bytes]],
    turns: Iterator[int],
    locks: Sequence[asyncio.Lock],
    rate: int,
    start: float,
    seconds: float,
) -> int:
    """Take the next turn, wait until it is due, send its command, and read the answer."""
    reader, writer = await asyncio.open_connection(HOST, port)
    done = 0
    for turn in turns:
        if turn / rate > seconds:
            break
        await asyncio.sleep(max(0.0, start + turn / rate - time.perf_counter()))
        game = turn % len(commands)
        async with locks[game]:  # the commands of a game follow on each other
            writer.write(next(commands[game]))
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
            if length is None or b" 200 " not in head:
                raise AssertionError(f"a command was answered with {head!r}")
            await reader.readexactly(int(length[1]))
        done += 1
    writer.close()
    return done

"""How soon readers of server-sent events see appended events.

The delay of an event is the time from its `recorded_at`, before its commit, to the arrival of its bytes at the reader.
All readers are in one process beside the server. So this is more than the delay since the commit.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from itertools import count
from typing import NamedTuple

from benchmarks.commands import HOST, Games
from benchmarks.figures import Aim, Figure, Measure, Taken
from mcmulti.cli.bench.games import PreparedGame
from mcmulti.cli.bench.load import HUNG_UP, commanding, reading, refusal
from mcmulti.cli.bench.measured import Latency

SENDERS = 8
PATIENCE = 60.0
"""Seconds until all streams must have begun, and until the last command must have a response."""
SETTLE = 0.5
"""Seconds after the last command in which the last events come."""
_RECORDED = re.compile(rb'"recorded_at":"([^"]+)"')
_LONGEST = 80
"""Bytes at the end of a read that may contain a part of a time."""


class RefusedReader(Exception):
    """The server refuses a reader, or hangs up on it."""


class _Reader(asyncio.Protocol):
    """A connection that follows a game, and records how late each event is. `began` fails if it is refused."""

    def __init__(self, request: bytes, delays: list[int]) -> None:
        self._request = request
        self._delays = delays
        self._rest = b""
        self._head: bytes | None = b""
        self.began: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.lost: str | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.write(self._request)  # type: ignore[attr-defined]

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = f"the server closed a stream{f': {error}' if error else ''}"
        if not self.began.done():
            self._refused(self._why() if self._head else HUNG_UP)

    def data_received(self, data: bytes) -> None:
        now = time.time()
        if self._head is not None:
            self._head += data
            if b"\r\n\r\n" not in self._head:
                return
            if _status(self._head) != 200:
                if not self.began.done() and _whole(self._head):
                    self._refused(self._why())
                return
            self._head = None
            if not self.began.done():
                self.began.set_result(None)
        data = self._rest + data
        end = 0
        for moment in _RECORDED.finditer(data):
            end = moment.end()
            recorded = datetime.fromisoformat(moment[1].decode()).timestamp()
            self._delays.append(int(1e9 * (now - recorded)))
        self._rest = data[max(end, len(data) - _LONGEST) :]

    def _why(self) -> str:
        assert self._head is not None
        return refusal(_status(self._head), self._head.partition(b"\r\n\r\n")[2])

    def _refused(self, why: str) -> None:
        self.began.set_exception(RefusedReader(f"a reader was refused: {why}"))


def _status(head: bytes) -> int:
    return int(head.split(None, 2)[1])


def _whole(response: bytes) -> bool:
    """Whether all of a response with a body of a given length is there."""
    head, _, body = response.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    return length is None or len(body) >= int(length[1])


class Following(NamedTuple):
    """The name of a measurement, with its size, as in RESULTS.md."""

    what: str

    def figures(self) -> dict[str, Figure]:
        """How late events are."""
        return {name: Figure(f"{self.what}: {name}", "ms") for name in ("p50", "p95", "p99", "longest")}


MANY = Following("delay of events, 1,000 SSE readers of 100 games, 100 commands/s")
CROWD = Following("delay of events, 200 SSE readers of 1 game, 20 commands/s")
FIGURES = (*MANY.figures().values(), *CROWD.figures().values())
AIMS = (Aim(f"{MANY.what}: p99", MANY.figures()["p99"], sense="under", value=50),)


def delays(
    games: Games, port: int, following: Following, readers: int, number: int, rate: int, seconds: float
) -> Measure:
    """Milliseconds until readers spread over this many games see their events, at this many commands per second."""

    async def measure() -> Taken:
        followed = await games.fresh(number, round(rate * seconds / number) + 20)
        taken: list[int] = []
        async with _connected(port, followed, readers, taken) as connected:
            await asyncio.sleep(SETTLE)
            taken.clear()  # what the streams began with
            async with asyncio.timeout(seconds + PATIENCE):
                answered = await _paced(port, followed, rate, seconds)
            await asyncio.sleep(SETTLE)
            if lost := next((reader.lost for reader in connected if reader.lost), None):
                raise RefusedReader(lost)
        if len(taken) < answered * readers // number:
            raise AssertionError(f"readers saw {len(taken)} events of {answered} commands")
        late = Latency.of(taken)
        found = {"p50": late.p50, "p95": late.p95, "p99": late.p99, "longest": late.longest}
        return {figure: found[name] / 1000 for name, figure in following.figures().items()}

    return measure


@asynccontextmanager
async def _connected(
    port: int, followed: Sequence[PreparedGame], readers: int, delays: list[int]
) -> AsyncIterator[list[_Reader]]:
    """Readers whose streams have begun. Raises `RefusedReader`, which names the limit that was reached."""
    loop = asyncio.get_running_loop()
    followers: list[_Reader] = []
    try:
        try:
            async with asyncio.timeout(PATIENCE):
                for number in range(readers):
                    game = followed[number % len(followed)]
                    request = reading(f"/v1/games/{game.game_id}/events", accept="text/event-stream")
                    _, follower = await loop.create_connection(partial(_Reader, request, delays), HOST, port)
                    followers.append(follower)
                for follower in followers:  # or the first events would be as late as the last streams begin
                    await asyncio.shield(follower.began)
        except TimeoutError:
            begun = sum(follower.began.done() for follower in followers)
            raise RefusedReader(f"only {begun} of {readers} streams began within {PATIENCE:g} s") from None
        yield followers
    finally:
        for follower in followers:
            follower.began.cancel()
            if follower.began.done() and not follower.began.cancelled():
                follower.began.exception()  # it is known, or comes after another one
            follower.transport.close()


async def _paced(port: int, followed: Sequence[PreparedGame], rate: int, seconds: float) -> int:
    """Send this many commands per second over all games in turn. Return how many got a response."""
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
    """Take the next turn, wait until it is due, send its command, and read the response."""
    reader, writer = await asyncio.open_connection(HOST, port)
    done = 0
    for turn in turns:
        if turn / rate > seconds:
            break
        await asyncio.sleep(max(0.0, start + turn / rate - time.perf_counter()))
        game = turn % len(commands)
        async with locks[game]:  # the commands of a game follow each other
            writer.write(next(commands[game]))
            head = await reader.readuntil(b"\r\n\r\n")
            length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
            body = await reader.readexactly(int(length[1]) if length else 0)
            if _status(head) != 200:
                raise AssertionError(f"a command was refused: {refusal(_status(head), body)}")
        done += 1
    writer.close()
    return done

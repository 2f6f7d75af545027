"""House bots: a process beside the server that plays on for players who left, and against whoever asks for opponents.

It plays over HTTP as any bot does, by what its seats may see. Its players are the same for all servers of a database;
its tokens are made anew whenever it starts, expire after a day, and are revoked when it ends. It is given neither
arguments nor the environment that say where the database is. It stands back for all other processes of the machine.
"""

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from hashlib import sha256
from itertools import count
from uuid import UUID, uuid4

import msgspec
import structlog
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from mcmulti.api.admission.house import opponents
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.course.house import HOUSE
from mcmulti.events.ports.accounts import Player, Token, first_token
from mcmulti.events.ports.errors import LogError, NameTaken
from mcmulti.events.ports.log import Log
from mcmulti.server.child import child
from mcmulti.supervision import supervised

BOTS = "mcmulti.bots.seats.house"
"""The module that plays: it knows the server by its API alone."""
NAME = "House bot"
NICENESS = 19
"""How far the process stands back for others: as far as it can."""
LIFE = timedelta(days=1)
"""How long a token of theirs is valid, where nobody was left to revoke it."""
STEADY = 10.0
"""Seconds after which a process that ended was not one that cannot work at all."""
PAUSE, LONGEST_PAUSE = 0.2, 30.0
"""Seconds before it is started again: the first time, and at most."""
PATIENCE = 5.0
"""Seconds in which it has to end in order."""

_log = structlog.get_logger(__name__)


class HouseCounts(Collector):
    """What house bots do, for Prometheus. `games`: how many they may play at a time. `pid`: their process, if any."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.pid: int | None = None
        self._starts = 0
        self._now: dict[str, float] = {}
        self._ended = {"decisions": 0.0, "seconds": 0.0}

    @property
    def process(self) -> dict[str, int]:
        """Their process, by the label that metrics have for it."""
        return {} if self.pid is None else {"house": self.pid}

    def started(self, pid: int) -> None:
        """A process plays."""
        self.pid, self._starts = pid, self._starts + 1

    def told(self, **numbers: str) -> None:
        """What it does now."""
        self._now = {name: float(number) for name, number in numbers.items()}

    def ended(self) -> None:
        """It is gone; what it did stays counted."""
        for name in self._ended:
            self._ended[name] += self._now.get(name, 0.0)
        self.pid, self._now = None, {}

    def collect(self) -> Iterator[Metric]:
        limit = "How many games house bots may play at a time, as `--house-bots` says."
        yield GaugeMetricFamily("mcmulti_house_bot_games_limit", limit, self.games)
        games = "Games that house bots play: for players who left (`substituting`), and as opponents (`opposing`)."
        family = GaugeMetricFamily("mcmulti_house_bot_games", games, labels=["role"])
        for role in ("substituting", "opposing"):
            family.add_metric([role], self._now.get(role, 0.0))
        yield family
        waiting = "Games that wait for house bots as opponents, because these play in as many as they may."
        yield GaugeMetricFamily("mcmulti_house_bot_games_waiting", waiting, self._now.get("waiting", 0.0))
        starts = "Starts of the process of the house bots."
        yield CounterMetricFamily("mcmulti_house_bot_starts", starts, self._starts)
        for name, what in (("decisions", "Decisions of house bots as opponents."), ("seconds", _SECONDS)):
            metric = "mcmulti_house_bot_decisions" if name == "decisions" else "mcmulti_house_bot_decision_seconds"
            yield CounterMetricFamily(metric, what, self._ended[name] + self._now.get(name, 0.0))


_SECONDS = "Seconds that these decisions took."


@asynccontextmanager
async def house_bots(log: Log, address: str, counts: HouseCounts) -> AsyncIterator[None]:
    """Have bots that play in so many games at a time on the server at this address, as long as the block; 0: none."""
    if not counts.games:
        yield
        return
    keeping = asyncio.create_task(supervised("house_bots", partial(_kept, log, address, counts)))
    try:
        yield
    finally:
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping


async def _kept(log: Log, address: str, counts: HouseCounts) -> None:
    """Have a process with house bots, and another one when it ends, until cancelled."""
    pause = PAUSE
    while True:
        since = time.monotonic()
        try:
            code: int | None = await _played(log, address, counts)
            reason = None
        except (LogError, OSError) as error:
            code, reason = None, str(error)
        pause = PAUSE if time.monotonic() - since > STEADY else min(2 * pause, LONGEST_PAUSE)
        _log.error("the house bots ended", code=code, reason=reason, next_in_seconds=pause)
        await asyncio.sleep(pause)


async def _played(log: Log, address: str, counts: HouseCounts) -> int:
    """Let the bots play until their process ends; its code. Raises `LogError` and `OSError`."""
    environment = {
        name: value for name, value in os.environ.items() if name != "DATABASE_URL" and not name.startswith("PG")
    }
    against = {str(player): {"level": level, "number": number} for player, (level, number) in opponents().items()}
    duty = {"server": address, "substitutes": HOUSE, "opponents": against, "games": counts.games}
    async with (
        _tokens(log) as tokens,
        child(BOTS, duty, PATIENCE, environment, niceness=NICENESS) as process,
    ):
        counts.started(process.pid)
        _log.info("house bots play", pid=process.pid, games=counts.games)
        assert process.stdout is not None
        assert process.stdin is not None
        try:
            async for line in process.stdout:
                said = msgspec.json.decode(line, type=dict[str, str])
                event = said.pop("event")
                if event == "playing":
                    counts.told(**said)
                elif event in ("seed", "token"):
                    answer = await (_seed(log, **said) if event == "seed" else tokens.of(**said))
                    asked = " ".join((event, *said.values()))
                    process.stdin.write(msgspec.json.encode({"asked": asked, "answer": answer}) + b"\n")
                else:
                    _log.info(event, **said)
            return await process.wait()
        finally:
            counts.ended()


async def _seed(log: Log, game_id: str, seat: str) -> int | None:
    """The seed that a bot plays a seat by: a secret of the game, from which nothing else of it can be computed."""
    try:
        return SeededChance(await log.secret(UUID(game_id)), game_id).bot_seed(int(seat))
    except LogError as error:
        _log.error("no seed for a house bot", game_id=game_id, reason=str(error))
        return None


class _Tokens:
    """Tokens of house bots, made as they are needed."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._names = {UUID(player): (NAME, number) for number, player in enumerate(HOUSE, 1)}
        self._names |= {player: (_called(level), number) for player, (level, number) in opponents().items()}
        self.made: list[tuple[UUID, UUID]] = []

    async def of(self, player: str) -> str | None:
        """A token of a player, who is registered before; None if the log cannot take it at the moment."""
        player_id, secret = UUID(player), f"mcm_{secrets.token_urlsafe(32)}"
        try:
            await registered(self._log, player_id, *self._names[player_id])
            now = await self._log.now()
            token = Token(uuid4(), NAME, ("read", "play"), now, now + LIFE)
            await self._log.add_token(player_id, token, sha256(secret.encode()).digest())
        except LogError as error:
            _log.error("no token for a house bot", reason=str(error))
            return None
        self.made.append((player_id, token.token_id))
        return secret


@asynccontextmanager
async def _tokens(log: Log) -> AsyncIterator[_Tokens]:
    """Tokens of the house bots that hold as long as the block."""
    tokens = _Tokens(log)
    try:
        yield tokens
    finally:
        with suppress(LogError):
            for player, token_id in tokens.made:
                await log.revoke_tokens(player, [token_id])


def _called(level: str) -> str:
    """What bots of a level are called."""
    return level.replace("-", " ").capitalize()


async def registered(log: Log, player: UUID, name: str, number: int) -> None:
    """Register a house bot, unless it is, under a name that nobody bears, with the first number from this one on.

    Nobody holds the token that comes with it. Raises `LogError`.
    """
    for other in count(number):
        if await log.player(player) is not None:
            return
        with suppress(NameTaken):  # by somebody else, or another server registers it at the moment
            called = name if other == 1 else f"{name} {other}"
            await log.add_player(Player(player, called, "bot"), first_token(await log.now()), secrets.token_bytes(32))
            return

"""House bots: a process next to the server that takes over for players who left, and plays as requested opponents.

It plays over HTTP like any bot, using what its seats can see. Its players are the same for all servers of a database.
Its tokens are created whenever it starts, expire after a day, and are revoked when it ends. Neither its arguments nor
its environment contain the address of the database. It runs at the lowest priority.
"""

import asyncio
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
from mcmulti.domain.core.table import HOUSE
from mcmulti.events.ports.accounts import Player, Token, first_token
from mcmulti.events.ports.errors import LogError, NameTaken
from mcmulti.events.ports.log import Log
from mcmulti.server.children.child import child
from mcmulti.supervision import supervised

BOTS = "mcmulti.bots.seats.house"
"""The module that plays, using only the server's API."""
NAME = "House bot"
NICENESS = 19
"""The nice value of the process: the lowest priority."""
LIFE = timedelta(days=1)
"""How long one of its tokens is valid if no server is left to revoke it."""
STEADY = 10.0
"""A process that ran for longer than this many seconds is able to work."""
PAUSE, LONGEST_PAUSE = 0.2, 30.0
"""Seconds before it is restarted: the first time, and at most."""
PATIENCE = 5.0
"""Seconds that it has to end by itself."""

_log = structlog.get_logger(__name__)


class HouseCounts(Collector):
    """The activity of house bots, for Prometheus. `games`: the most games at a time. `pid`: their process, if any."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.pid: int | None = None
        self._starts = 0
        self._now: dict[str, float] = {}
        self._ended = {"decisions": 0.0, "seconds": 0.0}

    @property
    def process(self) -> dict[str, int]:
        """Their process, by its label in metrics."""
        return {} if self.pid is None else {"house": self.pid}

    def started(self, pid: int) -> None:
        """A process has started."""
        self.pid, self._starts = pid, self._starts + 1

    def set_activity(self, **numbers: str) -> None:
        """Set its current activity."""
        self._now = {name: float(number) for name, number in numbers.items()}

    def ended(self) -> None:
        """It has ended; its counts are kept."""
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
        total = {name: ended + self._now.get(name, 0.0) for name, ended in self._ended.items()}
        decisions, seconds = "Decisions of house bots as opponents.", "Total seconds of these decisions."
        yield CounterMetricFamily("mcmulti_house_bot_decisions", decisions, total["decisions"])
        yield CounterMetricFamily("mcmulti_house_bot_decision_seconds", seconds, total["seconds"])


@asynccontextmanager
async def house_bots(log: Log, address: str, counts: HouseCounts) -> AsyncIterator[None]:
    """Run bots that play in at most N games at a time on the server at this address, while the block runs; 0: none."""
    if not counts.games:
        yield
        return
    keeping = asyncio.create_task(supervised("house_bots", partial(_keep_house, log, address, counts)))
    try:
        yield
    finally:
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping


async def _keep_house(log: Log, address: str, counts: HouseCounts) -> None:
    """Keep a process with house bots running until canceled."""
    pause = PAUSE
    while True:
        since = time.monotonic()
        try:
            code: int | None = await _let_bots_play(log, address, counts)
            reason = None
        except (LogError, OSError) as error:
            code, reason = None, str(error)
        pause = PAUSE if time.monotonic() - since > STEADY else min(2 * pause, LONGEST_PAUSE)
        _log.error("the house bots ended", code=code, reason=reason, next_in_seconds=pause)
        await asyncio.sleep(pause)


async def _let_bots_play(log: Log, address: str, counts: HouseCounts) -> int:
    """Let the bots play until their process ends. Returns its exit code. Raises `LogError` and `OSError`."""
    against = {str(player): {"level": level, "number": number} for player, (level, number) in opponents().items()}
    duty = {"server": address, "substitutes": HOUSE, "opponents": against, "games": counts.games}
    async with (
        _valid_tokens(log) as tokens,
        child(BOTS, duty, PATIENCE, niceness=NICENESS) as process,
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
                    counts.set_activity(**said)
                elif event in ("seed", "token"):
                    answer = await (_seed(log, **said) if event == "seed" else tokens.token_for(**said))
                    asked = " ".join((event, *said.values()))
                    process.stdin.write(msgspec.json.encode({"asked": asked, "answer": answer}) + b"\n")
                else:
                    _log.info(event, **said)
            return await process.wait()
        finally:
            counts.ended()


async def _seed(log: Log, game_id: str, seat: str) -> int | None:
    """The seed of a bot on a seat: a secret of the game, from which nothing else of it can be computed."""
    try:
        return SeededChance(await log.secret(UUID(game_id)), game_id).bot_seed(int(seat))
    except LogError as error:
        _log.error("no seed for a house bot", game_id=game_id, reason=str(error))
        return None


class _Tokens:
    """Tokens of house bots, created on demand."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._names = {UUID(player): (NAME, number) for number, player in enumerate(HOUSE, 1)}
        self._names |= {player: (_called(level), number) for player, (level, number) in opponents().items()}
        self.made: list[tuple[UUID, UUID]] = []

    async def token_for(self, player: str) -> str | None:
        """A token of a player, who is registered first if necessary; None if the log cannot create it now."""
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
async def _valid_tokens(log: Log) -> AsyncIterator[_Tokens]:
    """Tokens of the house bots that are valid while the block runs."""
    tokens = _Tokens(log)
    try:
        yield tokens
    finally:
        with suppress(LogError):
            for player, token_id in tokens.made:
                await log.revoke_tokens(player, [token_id])


def _called(level: str) -> str:
    """The displayed name of bots of a level."""
    return level.replace("-", " ").capitalize()


async def registered(log: Log, player: UUID, name: str, number: int) -> None:
    """Register a house bot, unless it exists, under a free name, with the first free number from this one on.

    Nobody holds its first token. Raises `LogError`.
    """
    for other in count(number):
        if await log.player(player) is not None:
            return
        with suppress(NameTaken):  # by somebody else, or another server is registering it now
            called = name if other == 1 else f"{name} {other}"
            await log.add_player(Player(player, called, "bot"), first_token(await log.now()), secrets.token_bytes(32))
            return

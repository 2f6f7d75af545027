"""House bots: a process beside the server that plays on for who left, where tables agreed on that.

It plays over HTTP as any bot does, by what its seats may see. Its players are the same for all servers of a database;
its tokens are made anew whenever it starts, expire after a day, and are revoked when it ends. It is given neither
arguments nor the environment that say where the database is.
"""

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from hashlib import sha256
from itertools import count
from uuid import UUID, uuid4

import msgspec
import structlog

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.house import HOUSE
from mcmulti.events.store.ports import Log, LogError, NameTaken, Player, Token, first_token
from mcmulti.server.child import child

BOTS = "mcmulti.bots.seats.house"
"""The module that plays: it knows the server by its API alone."""
NAME = "House bot"
LIFE = timedelta(days=1)
"""How long a token of theirs is valid, where nobody was left to revoke it."""
STEADY = 10.0
"""Seconds after which a process that ended was not one that cannot work at all."""
PAUSE, LONGEST_PAUSE = 0.2, 30.0
"""Seconds before it is started again: the first time, and at most."""
PATIENCE = 5.0
"""Seconds in which it has to end in order."""

_log = structlog.get_logger(__name__)


@asynccontextmanager
async def house_bots(log: Log, address: str, games: int) -> AsyncIterator[None]:
    """Have bots that play in so many games at a time on the server at this address, as long as the block; 0: none."""
    if not games:
        yield
        return
    keeping = asyncio.create_task(_kept(log, address, games))
    try:
        yield
    finally:
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping


async def _kept(log: Log, address: str, games: int) -> None:
    """Have a process with house bots, and another one when it ends, until cancelled."""
    pause = PAUSE
    while True:
        since = time.monotonic()
        try:
            code: int | None = await _played(log, address, games)
            reason = None
        except (LogError, OSError) as error:
            code, reason = None, str(error)
        pause = PAUSE if time.monotonic() - since > STEADY else min(2 * pause, LONGEST_PAUSE)
        _log.error("the house bots ended", code=code, reason=reason, next_in_seconds=pause)
        await asyncio.sleep(pause)


async def _played(log: Log, address: str, games: int) -> int:
    """Let the bots play until their process ends; its code. Raises `LogError` and `OSError`."""
    environment = {
        name: value for name, value in os.environ.items() if name != "DATABASE_URL" and not name.startswith("PG")
    }
    async with (
        _tokens(log) as tokens,
        child(BOTS, {"server": address, "tokens": tokens, "games": games}, PATIENCE, environment) as process,
    ):
        _log.info("house bots play", pid=process.pid, games=games)
        assert process.stdout is not None
        assert process.stdin is not None
        async for line in process.stdout:
            said = msgspec.json.decode(line, type=dict[str, str])
            event = said.pop("event")
            if event == "seed":
                process.stdin.write(msgspec.json.encode(await _seed(log, **said)) + b"\n")
            else:
                _log.info(event, **said)
        return await process.wait()


async def _seed(log: Log, game_id: str, seat: str) -> dict[str, object]:
    """The seed that a bot plays a seat by: a secret of the game, from which nothing else of it can be computed."""
    try:
        seed = SeededChance(await log.secret(UUID(game_id)), game_id).bot_seed(int(seat))
    except LogError as error:
        _log.error("no seed for a house bot", game_id=game_id, reason=str(error))
        seed = None
    return {"game_id": game_id, "seat": int(seat), "seed": seed}


@asynccontextmanager
async def _tokens(log: Log) -> AsyncIterator[dict[str, str]]:
    """Tokens of the house bots, by player, that hold as long as the block. Raises `LogError`."""
    made: list[tuple[UUID, UUID]] = []
    tokens = {}
    try:
        for player in map(UUID, HOUSE):
            await registered(log, player)
            now, secret = await log.now(), f"mcm_{secrets.token_urlsafe(32)}"
            token = Token(uuid4(), NAME, ("read", "play"), now, now + LIFE)
            await log.add_token(player, token, sha256(secret.encode()).digest())
            made.append((player, token.token_id))
            tokens[str(player)] = secret
        yield tokens
    finally:
        with suppress(LogError):
            for player, token_id in made:
                await log.revoke_tokens(player, [token_id])


async def registered(log: Log, player: UUID) -> None:
    """Register a house bot, unless it is, under a name that nobody bears. Nobody holds the token that comes with it."""
    for number in count(1):
        if await log.player(player) is not None:
            return
        name = NAME if number == 1 else f"{NAME} {number}"
        with suppress(NameTaken):  # by somebody else, or another server registers it at the moment
            await log.add_player(Player(player, name, "bot"), first_token(await log.now()), secrets.token_bytes(32))

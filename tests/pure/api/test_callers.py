"""The use of tokens is recorded outside of requests: in one batch, however many are used at a time."""

import asyncio
from collections.abc import Collection
from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID, uuid4

from mcmulti.api.admission.callers import Callers
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.accounts import Player, first_token
from mcmulti.events.ports.errors import LogUnavailable
from mcmulti.referee.clock import SteadyClock

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TOKENS = [f"mcm_{number}" for number in range(20)]


class SlowLog(MemoryLog):
    """Takes a while to record the use of tokens, and lists the sizes of the batches."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[int] = []
        self.away = False

    async def use_tokens(self, token_ids: Collection[UUID], at: datetime) -> None:
        self.noted.append(len(token_ids))
        await asyncio.sleep(0.01)
        if self.away:
            raise LogUnavailable("the database does not answer")
        await super().use_tokens(token_ids, at)


async def begun() -> tuple[SlowLog, Callers]:
    """A log with a player for each token, and the callers that know them."""
    log = SlowLog()
    for token in TOKENS:
        await log.add_player(Player(uuid4(), token), first_token(NOON), sha256(token.encode()).digest())
    callers = Callers(log, SteadyClock())
    callers.told = True
    return log, callers


async def use(callers: Callers, *tokens: str) -> None:
    """Use all of them at once, and wait until that is recorded."""
    assert all(await asyncio.gather(*(callers.holder(f"Bearer {token}") for token in tokens)))
    if callers._noting is not None:
        await callers._noting


async def used(log: SlowLog) -> int:
    """How many tokens have a last use."""
    holders = [await log.holder(sha256(token.encode()).digest()) for token in TOKENS]
    return sum(holder is not None and holder.token.used_at is not None for holder in holders)


async def test_tokens_that_are_used_while_others_are_noted_are_noted_together() -> None:
    log, callers = await begun()
    await use(callers, *TOKENS)
    assert await used(log) == len(TOKENS)
    assert sum(log.noted) == len(TOKENS)
    assert len(log.noted) <= 2, "the first, or all that came at once; and all others"
    await use(callers, *TOKENS)
    assert sum(log.noted) == len(TOKENS), "once an hour is enough"


async def test_an_outage_keeps_nobody_out_and_later_tokens_are_noted_again() -> None:
    log, callers = await begun()
    log.away = True
    await use(callers, *TOKENS[:5])
    assert await used(log) == 0
    log.away = False
    await use(callers, *TOKENS[5:])
    assert await used(log) == len(TOKENS) - 5

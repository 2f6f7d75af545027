"""What all channels share: which messages are still wanted, and what becomes of an attempt that failed."""

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Coroutine, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import structlog
from msgspec.structs import replace

from mcmulti.events.ports.errors import LogUnavailable, UnknownGame
from mcmulti.events.ports.game_index import Game, GamesWanted
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.notices import NO_GAME, Notification, Preferences, Webhook
from mcmulti.metrics import NOTICES
from mcmulti.notify.messages import stands
from mcmulti.notify.preferences import is_wanted, quiet_until, reminder_at

LOOKED_AT = 500
"""Due messages that are searched to find those that can be sent."""
IN_A_DIGEST = 50
"""The most games in a digest."""
FIRST_PAUSE = timedelta(seconds=30)
"""The pause until the second attempt; each later pause is four times as long."""
LONGEST_PAUSE = timedelta(hours=6)
"""The longest pause between two attempts."""
JITTER = 0.2
"""The relative variation of pauses, so that retries do not all come at once."""
ATTEMPTS = 8
"""Attempts until a message is given up, about 15 hours after the first."""

_log = structlog.get_logger(__name__)


class Undelivered(Exception):
    """A message did not arrive. The text says why, without an email address.

    `final`: it never will. `receiver`: because of the receiver, not of this message.
    """

    def __init__(self, reason: str, *, final: bool = False, receiver: bool = False) -> None:
        super().__init__(reason)
        self.final = final
        self.receiver = receiver


class Errand(NamedTuple):
    """A message that is still true, and the games that it is about: one, none, or all those of a digest."""

    notice: Notification
    games: tuple[Game, ...]


def pause_after(attempts: int, chance: random.Random) -> timedelta:
    """The pause before the next attempt; `attempts`: those so far, from 1."""
    seconds = min(FIRST_PAUSE.total_seconds() * 4.0 ** (attempts - 1), LONGEST_PAUSE.total_seconds())
    return timedelta(seconds=seconds * chance.uniform(1 - JITTER, 1 + JITTER))


class Sender(ABC):
    """A channel. Several servers may each have one; before sending, one of them claims the message.

    `failure`: the line in the operator's log if an attempt fails.
    """

    failure: str

    def __init__(self, log: Log, chance: random.Random | None = None) -> None:
        self._log = log
        self._chance = chance or random.Random()  # spreads attempts
        self._sending: dict[asyncio.Task[None], UUID] = {}

    async def idle(self) -> None:
        """Wait until all messages in progress have arrived or failed."""
        while self._sending:
            await asyncio.wait(self._sending)

    async def stop(self) -> None:
        """Abandon the messages in progress; they are due again later."""
        for task in self._sending:
            task.cancel()
        await self.idle()

    @abstractmethod
    async def _deliver(self, notices: Sequence[Notification], hook: Webhook) -> None:
        """Send what is still true, and settle all. Raises `Undelivered` and `LogUnavailable`."""

    async def _due(self, now: datetime, each: int, *, by_mail: bool) -> list[Notification]:
        """The messages that are due and wanted now, at most `each` for a player. Others are settled or postponed."""
        due = await self._log.notices_due(now, LOOKED_AT, each, away=set(), by_mail=by_mail)
        if not due:
            return []
        games = {notice.game_id for notice in due} - {NO_GAME}
        known = await self._log.preferences({notice.player_id for notice in due}, games)
        wanted = []
        for notice in due:
            mine = known.get(notice.player_id, Preferences())
            later = quiet_until(mine, now) if notice.game_id != NO_GAME and notice.kind != "game.deadline" else None
            if not is_wanted(mine, notice.kind, notice.game_id):
                await self._settle([notice], "obsolete")
            elif later is not None:
                await self._log.postpone_notice(notice, later)
            else:
                wanted.append(notice)
        return wanted

    async def _hooks(self, notices: Sequence[Notification]) -> dict[UUID, Webhook]:
        """The webhooks of the players of these messages, by id."""
        hooks = await self._log.webhooks({notice.player_id for notice in notices})
        return {hook.webhook_id: hook for hook in hooks}

    async def _take(self, notices: Sequence[Notification], now: datetime) -> list[Notification]:
        """Claim messages, with the moment at which they are due again unless they are settled."""
        again_at = now + pause_after(max(notice.attempts for notice in notices) + 1, self._chance)
        return [replace(notice, due_at=again_at) for notice in notices if await self._log.take_notice(notice, again_at)]

    def _begin(self, notices: Sequence[Notification], hook: Webhook) -> None:
        """Send claimed messages in the background."""
        sending: Coroutine[Any, Any, None] = self._attempt(notices, hook)
        task = asyncio.create_task(sending)
        self._sending[task] = hook.player_id
        task.add_done_callback(self._sending.pop)

    async def _attempt(self, notices: Sequence[Notification], hook: Webhook) -> None:
        try:
            try:
                await self._deliver(notices, hook)
            except Undelivered as error:
                await self._failed(notices, hook, error)
            except LogUnavailable:
                raise
            except Exception as error:  # a fault in one message must not affect others
                _log.error("a message cannot be sent", webhook=str(hook.webhook_id), exc_info=error)
                await self._failed(notices, hook, Undelivered(type(error).__name__))
        except LogUnavailable:
            pass  # they are due again

    async def _errand(self, notice: Notification, now: datetime) -> Errand | None:
        """A message with its games. None if the message is outdated, which settles it, or early, which postpones it."""
        games = await self._games_of(notice)
        if games is not None and notice.kind == "game.deadline":
            moment = await self._reminder_of(notice, games[0], now)
            if moment is not None and moment > now:  # the deadline was moved
                await self._log.postpone_notice(notice, moment)
                return None
            games = None if moment is None else games
        if games is None:
            await self._settle([notice], "obsolete")
            return None
        return Errand(notice, games)

    async def _games_of(self, notice: Notification) -> tuple[Game, ...] | None:
        """The games that a message is about; None if the message is outdated."""
        if notice.kind == "digest":
            asks = GamesWanted("running", asks=notice.player_id)
            games = await self._log.games(IN_A_DIGEST, None, asks, set(), "moved")
            own = (await self._preferences_of(notice, {game.game_id for game in games})).games
            muted = {game_id for game_id, wish in own.items() if "game.turn" not in wish.topics}
            return tuple(game for game in games if game.game_id not in muted) or None
        if notice.game_id == NO_GAME:
            return ()
        try:
            game = await self._log.game(notice.game_id)
        except UnknownGame:
            return None
        return (game,) if stands(notice, game) else None

    async def _reminder_of(self, notice: Notification, game: Game, now: datetime) -> datetime | None:
        """When to remind a player of the deadline of a game; None for no reminder."""
        if game.deadline is None:
            return None
        return reminder_at(await self._preferences_of(notice, {notice.game_id}), notice.game_id, game.deadline, now)

    async def _preferences_of(self, notice: Notification, games: Collection[UUID]) -> Preferences:
        return (await self._log.preferences([notice.player_id], games)).get(notice.player_id, Preferences())

    async def _failed(self, notices: Sequence[Notification], hook: Webhook, error: Undelivered) -> None:
        """Give up what will never arrive; the rest is due again."""
        attempt = max(notice.attempts for notice in notices) + 1
        _log.info(self.failure, webhook=str(hook.webhook_id), attempt=attempt, reason=str(error))
        lost = [notice for notice in notices if error.final or notice.attempts + 1 >= ATTEMPTS]
        await self._settle(lost, "given_up")
        NOTICES.labels("failed").inc(len(notices) - len(lost))

    async def _settle(self, notices: Sequence[Notification], outcome: str) -> None:
        for notice in notices:
            await self._log.settle_notice(notice, await self._log.now())
            NOTICES.labels(outcome).inc()

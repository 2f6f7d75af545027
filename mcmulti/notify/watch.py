"""Fills the outbox with messages about games that moved, and with digests, one a day instead of one for each turn.

It polls the index of games for those that moved, whichever server appended. So play does not wait for it, and an append
is found even if its server died immediately after it.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.game_index import Game
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.notices import NO_GAME, DueDigest, Kind, Notification, Preferences, Webhook
from mcmulti.metrics import NOTICES, NOTICES_WAITING
from mcmulti.notify.messages import waited_for
from mcmulti.notify.news import GRACE, reached, wants
from mcmulti.notify.preferences import digest_day, next_digest, reminder_at

PAGE = 100
"""Games queried at a time."""
LATE = timedelta(minutes=1)
"""How late a move can become visible after its last event: longer appends are abandoned."""
LOOK_BACK = timedelta(days=1)
"""How far a server looks back when it starts."""
EMAIL_GRACE = timedelta(minutes=5)
"""The delay of emails after a turn began: they are for games that take days."""
MOST_WAITING = 100_000
"""The most messages in the outbox. Beyond that, new ones are dropped."""
AT_ONCE = 100
"""The most digests that are put into the outbox at a time."""


class GameWatch:
    """Watches for games that moved. Several servers may each have one: the outbox has each message once."""

    def __init__(self, log: Log, *, email: bool = False) -> None:
        """`email`: whether the server sends emails."""
        self._log = log
        self._email = email
        self._since: datetime | None = None
        self._heads: dict[UUID, Head] = {}

    async def step(self) -> None:
        """Check once. Raises `LogUnavailable`."""
        now, away = await self._log.now(), set[str]()
        if not await self._log.any_webhooks():
            self._since, self._heads = now - LATE, {}
            NOTICES_WAITING.set(0)
            return
        since = now - LOOK_BACK if self._since is None else self._since
        waiting = await self._log.notices_waiting(away)
        NOTICES_WAITING.set(waiting)
        seen: dict[UUID, Head] = {}
        before, more = None, True
        while more:
            page = await self._log.games(PAGE, before, away=away, order="moved")
            moved = [game for game in page if game.moved_at >= since]
            fresh = [game for game in moved if self._heads.get(game.game_id) != game.head]
            if fresh:
                waiting += await self._post(fresh, now, MOST_WAITING - waiting)
            seen |= {game.game_id: game.head for game in moved}
            more = len(moved) == PAGE
            before = page[-1].mark("moved") if page else None
        self._heads = {**self._heads, **seen} if away else seen
        if not away:
            self._since = now - LATE

    async def _post(self, games: Sequence[Game], now: datetime, room: int) -> int:
        """Update the outbox for these games. Returns how many messages were posted, or existed already."""
        players = {player for game in games for player in game.standing.players if player is not None}
        hooks: dict[UUID, list[Webhook]] = {}
        for hook in await reached(self._log, players, email=self._email):
            hooks.setdefault(hook.player_id, []).append(hook)
        known = await self._log.preferences(hooks.keys(), [game.game_id for game in games]) if hooks else {}
        posted = 0
        for game in games:
            there = {player for player in game.standing.players if player is not None}
            theirs = [hook for player in there for hook in hooks.get(player, ())]
            if not theirs:
                continue
            to_move = waited_for(game)
            await self._log.withdraw_turns(game.game_id, game.head.seq, to_move)
            wanted = [
                notice
                for hook in theirs
                for notice in _notices(game, hook, known.get(hook.player_id, Preferences()), to_move, now)
            ]
            fitting = wanted[: max(0, room - posted)]
            NOTICES.labels("dropped").inc(len(wanted) - len(fitting))
            if fitting:
                await self._log.post_notices(game.game_id, fitting)
            posted += len(fitting)
        return posted


def _notices(
    game: Game, hook: Webhook, preferences: Preferences, to_move: Collection[UUID], now: datetime
) -> Iterator[Notification]:
    """A webhook's messages about a game. What happened before the webhook was added is not news."""
    if game.moved_at < (hook.confirmed_at or hook.created_at):
        return

    def notice(kind: Kind, mark: int, due: datetime) -> Iterator[Notification]:
        if wants(hook, preferences, kind, game.game_id):
            yield hook.notice(game.game_id, kind, mark, due, game.head.seq)

    if game.status == "finished":
        yield from notice("game.over", 0, now)
    if hook.player_id in to_move:
        yield from notice("game.turn", game.standing.turn, now + (EMAIL_GRACE if hook.format == "email" else GRACE))
        deadline = game.deadline
        reminder = None if deadline is None else reminder_at(preferences, game.game_id, deadline, now)
        # If most of the time is over by then, the message about the turn is enough.
        if deadline is not None and reminder is not None and reminder - now >= deadline - reminder:
            yield from notice("game.deadline", int(deadline.timestamp() // 60), reminder)


async def post_digests(log: Log, *, email: bool = False) -> None:
    """Post the digests that are due. Several servers may each do it: the outbox has each digest once. `email`: whether
    the server sends emails. Raises `LogUnavailable`.
    """
    now = await log.now()
    for digest in await log.digests_due(now, AT_ONCE):
        await post_digest(log, digest, email=email)
        at = next_digest(digest.preferences, now)
        if at is not None:  # after it was posted, so that no crash loses it
            await log.plan_digest(digest, at)


async def post_digest(log: Log, digest: DueDigest, *, email: bool = False) -> None:
    """Post a digest to a player's webhooks. What it says is found out when it is sent. Raises `LogUnavailable`."""
    mark = digest_day(digest.preferences, digest.at)
    notices = [
        hook.notice(NO_GAME, "digest", mark, digest.at)
        for hook in await reached(log, [digest.player_id], email=email)
        if "game.turn" in hook.topics
    ]
    if notices:
        await log.post_notices(NO_GAME, notices)

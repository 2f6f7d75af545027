"""Which webhooks get a message; and messages about what is not in the log: invitations, and chat.

Whoever stores an invitation or what was said puts these into the outbox in the same transaction. So none is lost if the
server dies.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from mcmulti.events.ports.log import Log
from mcmulti.events.ports.notices import Kind, Notification, Preferences, Webhook, Webhooks
from mcmulti.notify.preferences import is_wanted
from mcmulti.notify.settings import Notify

GRACE = timedelta(seconds=15)
"""The delay of a message: if you are looking, or move sooner, you need none."""
WINDOW = 15
"""Minutes in which a chat causes one message at most."""


async def notices_of(
    kind: Literal["game.invitation", "chat.message"],
    log: Log,
    notify: Notify | None,
    game_id: UUID,
    players: Collection[UUID],
    now: datetime,
) -> list[Notification]:
    """Tell players that they are invited to a table, each once, or that something is said at their table. Raises
    `LogUnavailable`.
    """
    if notify is None or not players:
        return []
    hooks = await reached(log, players, email=notify.smtp is not None)
    if not hooks:
        return []
    mark = int(now.timestamp() // (60 * WINDOW)) if kind == "chat.message" else 0
    known = await log.preferences({hook.player_id for hook in hooks}, [game_id])
    return [
        hook.notice(game_id, kind, mark, now + GRACE)
        for hook in hooks
        if wants(hook, known.get(hook.player_id, Preferences()), kind, game_id)
    ]


async def reached(log: Webhooks, players: Collection[UUID], *, email: bool) -> list[Webhook]:
    """The webhooks of these players that get messages. `email`: whether the server sends emails."""
    return [
        hook
        for hook in await log.webhooks(players)
        if hook.gone_at is None and (hook.format != "email" or (email and hook.confirmed_at is not None))
    ]


def wants(hook: Webhook, preferences: Preferences, kind: Kind, game_id: UUID) -> bool:
    """Whether a webhook gets messages of a kind about a game: by its own topics, and by its player's preferences."""
    return kind in hook.topics and is_wanted(preferences, kind, game_id)

"""Which webhooks get a message."""

from collections.abc import Collection
from uuid import UUID

from mcmulti.events.ports.notices import Kind, Preferences, Webhook, Webhooks
from mcmulti.notify.preferences import is_wanted


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

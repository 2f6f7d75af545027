"""What the server keeps about a player, for that player."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from mcmulti.api.chat.texts import QuickReplyId
from mcmulti.api.chat.wire import ChatText, InRoom
from mcmulti.api.http.answers import Answer
from mcmulti.api.http.contract import DEAR, Call, operation, private
from mcmulti.api.messages.notifications import NotificationSettings, notification_settings
from mcmulti.api.messages.webhooks import MOST
from mcmulti.api.messages.webhooks_wire import WebhookView, view
from mcmulti.api.telling.tables import Name
from mcmulti.events.log.item import Timestamp
from mcmulti.events.ports.accounts import Kind, Player
from mcmulti.events.ports.notices import Preferences

MOST_SAID = 5000
"""The most messages in chats that are returned."""


class SaidView(Struct, frozen=True):
    """What you said in the chat of a `game`: a `text`, or a `quick_reply`. Both are null if it was removed. `said_at`:
    when you said it.
    """

    game: UUID
    room: InRoom
    said_at: Timestamp
    text: ChatText | None
    quick_reply: QuickReplyId | None


class PersonalData(Struct, frozen=True):
    """What the server keeps about you. `webhooks`: where you get messages, without secrets. `notifications`: which
    ones, and when. `said`: what you wrote in chats and is still kept, the latest first. `more`: whether there is more
    of it.
    """

    player: UUID
    name: Name
    kind: Kind
    webhooks: Annotated[tuple[WebhookView, ...], Meta(max_length=MOST)]
    notifications: NotificationSettings
    said: Annotated[tuple[SaidView, ...], Meta(max_length=MOST_SAID)]
    more: bool


@operation("GET", "/v1/players/me/data", summary="Take your personal data", answer=PersonalData, cost=DEAR)
async def get_my_data(call: Call, caller: Player) -> Answer:
    """Returns where you get messages, your settings for them, and what you wrote in chats. What else the server keeps
    about you has operations of its own: `listGames` with `mine` returns your games, `getGameFile` each of them as a
    file, and `listTokens` your tokens. `eraseMe` deletes all of it, except finished games, which stay without your
    name.
    """
    log = call.service.log
    me = caller.player_id
    webhooks, known = await log.webhooks([me]), await log.preferences([me])
    said = await log.said_by(me, MOST_SAID + 1)
    texts = tuple(SaidView(each.game_id, each.room, each.said_at, each.text, each.quick_reply) for each in said)
    settings = notification_settings(known.get(me, Preferences()))
    found = PersonalData(
        me, caller.name, caller.kind, tuple(map(view, webhooks)), settings, texts[:MOST_SAID], len(said) > MOST_SAID
    )
    return private(found)

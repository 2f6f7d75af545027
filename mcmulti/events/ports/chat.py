"""Chat at tables: what people say to each other beside the game. It is not in the log, and no rule reads it."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple, Protocol, get_args
from uuid import UUID

from msgspec import Struct

from mcmulti.events.ports.notices import Notification

ChatRoom = Literal["players", "spectators"]
"""The rooms of a table's chat: one for those who sit there, one for everybody else."""
ROOMS: tuple[ChatRoom, ...] = get_args(ChatRoom)
RemovedBy = Literal["author", "opener", "operator"]
"""Who removed a message."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ChatMessage(Struct, frozen=True):
    """A message in the chat of a game: a `text`, or a `quick_reply` by its id. A removed one has neither.

    `number`: its id in its game. Later messages have higher ones. `changed`: like `number` when it was said, and higher
    than any other of its game when it was removed. `key`: that of the request that said it, if it had one.
    """

    game_id: UUID
    room: ChatRoom
    author: UUID
    said_at: datetime
    text: str | None = None
    quick_reply: str | None = None
    key: str | None = None
    number: int = 0
    changed: int = 0
    removed_by: RemovedBy | None = None


class ChatBounds(NamedTuple):
    """How much may be said: an author's messages at a table in a `window`, and the messages of a room."""

    of_author: int
    window: timedelta
    of_room: int


class ChatFlag(Struct, frozen=True):
    """That a player reported a message to the operator, with a `reason` or an empty text."""

    game_id: UUID
    number: int
    flagged_by: UUID
    flagged_at: datetime
    reason: str = ""


class FlaggedMessage(Struct, frozen=True):
    """A message, and one of the flags on it."""

    game_id: UUID
    number: int
    room: ChatRoom
    author: UUID
    said_at: datetime
    text: str | None
    quick_reply: str | None
    flagged_by: UUID
    flagged_at: datetime
    reason: str


class Chats(Protocol):
    """The chat of games. Any method can raise `LogUnavailable`.

    Messages and their removals are changes. Each has a higher `changed` than those that were readable before, so that a
    reader who asks for all after the last one misses none.
    """

    async def say(self, message: ChatMessage, bounds: ChatBounds, notices: Sequence[Notification] = ()) -> ChatMessage:
        """Add a message, whose `number` and `changed` are set. If its author has sent one with its key, that one is
        returned, and nothing is added. `notices`: messages about it, posted in the same transaction, as by
        `Outbox.post_notices`.

        Raises `ChatTooFast` and `ChatFull`.
        """

    async def chat(self, game_id: UUID, rooms: Collection[ChatRoom], after: int, limit: int) -> list[ChatMessage]:
        """The changes of these rooms of a game's chat after `after`, the earliest first: each message as it is now."""

    async def chat_message(self, game_id: UUID, number: int) -> ChatMessage | None:
        """One message, removed or not."""

    async def chat_heads(self, game_ids: Sequence[UUID]) -> dict[UUID, int]:
        """The last change of each of these chats, in one query for each node; silent ones are missing."""

    async def remove_message(self, game_id: UUID, number: int, by: RemovedBy, at: datetime) -> ChatMessage | None:
        """Delete the text of a message, and the flags on it. Returns what is left; None if there is no such message, or
        it was removed before.
        """

    async def flag_message(self, flag: ChatFlag) -> bool:
        """Store a flag. Returns False if the player has flagged the message before."""

    async def unflag_message(self, game_id: UUID, number: int) -> int:
        """Delete the flags on a message. Returns their number."""

    async def flagged(self, limit: int, away: set[str] | None = None) -> list[FlaggedMessage]:
        """Flags, the earliest first, at most `limit`. `away`: see `GameIndex`."""

    async def said_by(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[ChatMessage]:
        """The messages of a player, the latest first, at most `limit`. `away`: see `GameIndex`."""

    async def forget_chat(self, before: datetime) -> int:
        """Delete all messages said before then, and the flags on them. Returns the number of messages."""


def change_at(moment: datetime) -> int:
    """The least number of a change at a moment: milliseconds since 1970, so that none comes back after all messages of
    a chat have expired.
    """
    return (moment - _EPOCH) // timedelta(milliseconds=1)

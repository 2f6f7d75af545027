"""Chats in memory."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace

from mcmulti.events.memory.kept import KeptChat, MemoryState
from mcmulti.events.ports.chat import (
    ChatBounds,
    ChatFlag,
    ChatMessage,
    ChatRoom,
    FlaggedMessage,
    RemovedBy,
    change_at,
)
from mcmulti.events.ports.errors import ChatFull, ChatTooFast
from mcmulti.events.ports.notices import Notification


class MemoryChats(MemoryState):
    """Implements the `Chats` protocol."""

    async def say(self, message: ChatMessage, bounds: ChatBounds, notices: Sequence[Notification] = ()) -> ChatMessage:
        chat = self._chats.setdefault(message.game_id, KeptChat())
        said, author, since = chat.messages.values(), message.author, message.said_at - bounds.window
        for each in said:
            if message.key is not None and (each.author, each.key) == (author, message.key):
                return each
        if sum(each.author == author and each.said_at > since for each in said) >= bounds.of_author:
            raise ChatTooFast(f"player {author} says too much")
        if sum(each.room == message.room for each in said) >= bounds.of_room:
            raise ChatFull(f"the chat of game {message.game_id} is full")
        chat.head = max(chat.head + 1, change_at(message.said_at))
        chat.messages[chat.head] = told = replace(message, number=chat.head, changed=chat.head)
        self._keep_notices(notices)
        return told

    async def chat(self, game_id: UUID, rooms: Collection[ChatRoom], after: int, limit: int) -> list[ChatMessage]:
        said = self._chat_of(game_id).messages.values()
        found = [each for each in said if each.changed > after and each.room in rooms]
        return sorted(found, key=lambda each: each.changed)[:limit]

    async def chat_message(self, game_id: UUID, number: int) -> ChatMessage | None:
        return self._chat_of(game_id).messages.get(number)

    async def chat_heads(self, game_ids: Sequence[UUID]) -> dict[UUID, int]:
        return {game_id: self._chats[game_id].head for game_id in game_ids if game_id in self._chats}

    async def remove_message(self, game_id: UUID, number: int, by: RemovedBy, at: datetime) -> ChatMessage | None:
        chat = self._chat_of(game_id)
        message = chat.messages.get(number)
        if message is None or message.removed_by is not None:
            return None
        chat.head = max(chat.head + 1, change_at(at))
        left = replace(message, text=None, quick_reply=None, changed=chat.head, removed_by=by)
        chat.messages[number] = left
        await self.unflag_message(game_id, number)
        return left

    async def flag_message(self, flag: ChatFlag) -> bool:
        flags = self._chats.setdefault(flag.game_id, KeptChat()).flags
        return flags.setdefault((flag.number, flag.flagged_by), flag) is flag

    async def unflag_message(self, game_id: UUID, number: int) -> int:
        chat = self._chat_of(game_id)
        gone = [place for place in chat.flags if place[0] == number]
        for place in gone:
            del chat.flags[place]
        return len(gone)

    async def flagged(self, limit: int, away: set[str] | None = None) -> list[FlaggedMessage]:
        found = [
            FlaggedMessage(
                *(flag.game_id, flag.number, said.room, said.author, said.said_at, said.text, said.quick_reply),
                *(flag.flagged_by, flag.flagged_at, flag.reason),
            )
            for chat in self._chats.values()
            for flag in chat.flags.values()
            if (said := chat.messages.get(flag.number)) is not None
        ]
        return sorted(found, key=lambda flag: (flag.flagged_at, flag.flagged_by))[:limit]

    async def said_by(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[ChatMessage]:
        said = [each for chat in self._chats.values() for each in chat.messages.values() if each.author == player_id]
        return sorted(said, key=lambda each: (each.said_at, each.number), reverse=True)[:limit]

    async def forget_chat(self, before: datetime) -> int:
        forgotten = 0
        for chat in self._chats.values():
            old = {number for number, each in chat.messages.items() if each.said_at < before}
            forgotten += len(old)
            chat.messages = {number: each for number, each in chat.messages.items() if number not in old}
            chat.flags = {place: flag for place, flag in chat.flags.items() if flag.number in chat.messages}
        return forgotten

    def _chat_of(self, game_id: UUID) -> KeptChat:
        return self._chats.get(game_id) or KeptChat()

"""Chats in PostgreSQL."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from msgspec.structs import asdict, replace
from psycopg import AsyncConnection

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
from mcmulti.events.postgres.connections import PostgresConnections
from mcmulti.events.postgres.stores.notices import keep_notices
from mcmulti.events.postgres.tables import composed

# Holds the chat until the end of the transaction: what follows sees all that was said before.
_CHANGE = """
    INSERT INTO chat AS known (game_id, head) VALUES (%s, %s)
    ON CONFLICT (game_id) DO UPDATE SET head = greatest(known.head + 1, excluded.head) RETURNING head
"""
_SAID = """
    SELECT count(*) FILTER (WHERE author = %s AND said_at > %s), count(*) FILTER (WHERE room = %s)
    FROM chat_message WHERE game_id = %s
"""
_REPEATED = "SELECT {columns} FROM chat_message WHERE game_id = %s AND author = %s AND key = %s"
_SAY = composed("INSERT INTO chat_message ({columns}) VALUES ({values})", row=ChatMessage)
_CHAT = """
    SELECT {columns} FROM chat_message WHERE game_id = %s AND changed > %s AND room = ANY (%s) ORDER BY changed LIMIT %s
"""
_MESSAGE = "SELECT {columns} FROM chat_message WHERE game_id = %s AND number = %s"
_HEADS = "SELECT game_id, head FROM chat WHERE game_id = ANY (%s::uuid[])"
_REMOVE = """
    UPDATE chat_message SET text = NULL, quick_reply = NULL, changed = %s, removed_by = %s
    WHERE game_id = %s AND number = %s AND removed_by IS NULL RETURNING {columns}
"""
_FLAG = """
    INSERT INTO chat_flag ({columns}) VALUES ({values}) ON CONFLICT (game_id, number, flagged_by) DO NOTHING
"""
_UNFLAG = "DELETE FROM chat_flag WHERE game_id = %s AND number = %s"
_FLAGGED = """
    SELECT {columns} FROM {chat_flag} AS flag JOIN {chat_message} AS message USING (game_id, number)
    ORDER BY flagged_at, flagged_by LIMIT %s
"""
_SAID_BY = """
    SELECT {columns} FROM {chat_message} AS message WHERE author = %s ORDER BY said_at DESC, number DESC LIMIT %s
"""
_FORGET_FLAGS = "DELETE FROM chat_flag WHERE flagged_at < %s"
_FORGET = "DELETE FROM chat_message WHERE said_at < %s"


class PostgresChats(PostgresConnections):
    """Implements the `Chats` protocol."""

    async def say(self, message: ChatMessage, bounds: ChatBounds, notices: Sequence[Notification] = ()) -> ChatMessage:
        game_id, author = message.game_id, message.author
        async with self._transaction(game_id) as connection:
            change = await _next_change(connection, game_id, message.said_at)
            if message.key is not None:
                asked = (game_id, author, message.key)
                cursor = await connection.execute(composed(_REPEATED, row=ChatMessage), asked, binary=True)
                if (repeated := await cursor.fetchone()) is not None:
                    return ChatMessage(*repeated)
            asked_of = (author, message.said_at - bounds.window, message.room, game_id)
            [(of_author, of_room)] = await (await connection.execute(_SAID, asked_of)).fetchall()
            if of_author >= bounds.of_author:
                raise ChatTooFast(f"player {author} says too much")
            if of_room >= bounds.of_room:
                raise ChatFull(f"the chat of game {game_id} is full")
            said = replace(message, number=change, changed=change)
            await connection.execute(_SAY, asdict(said))
            await keep_notices(connection, notices)
            return said

    async def chat(self, game_id: UUID, rooms: Collection[ChatRoom], after: int, limit: int) -> list[ChatMessage]:
        query = composed(_CHAT, row=ChatMessage)
        return [ChatMessage(*row) for row in await self._all_rows(game_id, query, game_id, after, list(rooms), limit)]

    async def chat_message(self, game_id: UUID, number: int) -> ChatMessage | None:
        row = await self._one_row(game_id, composed(_MESSAGE, row=ChatMessage), game_id, number)
        return None if row is None else ChatMessage(*row)

    async def chat_heads(self, game_ids: Sequence[UUID]) -> dict[UUID, int]:
        return dict(await self._rows_about(game_ids, _HEADS))

    async def remove_message(self, game_id: UUID, number: int, by: RemovedBy, at: datetime) -> ChatMessage | None:
        async with self._transaction(game_id) as connection:
            change = await _next_change(connection, game_id, at)
            query = composed(_REMOVE, row=ChatMessage)
            cursor = await connection.execute(query, (change, by, game_id, number), binary=True)
            row = await cursor.fetchone()
            if row is not None:
                await connection.execute(_UNFLAG, (game_id, number))
            return None if row is None else ChatMessage(*row)

    async def flag_message(self, flag: ChatFlag) -> bool:
        async with self._connection(flag.game_id) as connection:
            return (await connection.execute(composed(_FLAG, row=ChatFlag), asdict(flag))).rowcount == 1

    async def unflag_message(self, game_id: UUID, number: int) -> int:
        return await self._changed(game_id, _UNFLAG, game_id, number)

    async def flagged(self, limit: int, away: set[str] | None = None) -> list[FlaggedMessage]:
        return await self._rows_of_all(FlaggedMessage, _FLAGGED, (limit,), ("flagged_at", "flagged_by"), limit, away)

    async def said_by(self, player_id: UUID, limit: int, away: set[str] | None = None) -> list[ChatMessage]:
        asked, order = (player_id, limit), ("said_at", "number")
        return await self._rows_of_all(ChatMessage, _SAID_BY, asked, order, limit, away, latest=True)

    async def forget_chat(self, before: datetime) -> int:
        await self._changed(None, _FORGET_FLAGS, before)
        return await self._changed(None, _FORGET, before)


async def _next_change(connection: AsyncConnection, game_id: UUID, at: datetime) -> int:
    """The number of the next change of a chat."""
    change: int
    [(change,)] = await (await connection.execute(_CHANGE, (game_id, change_at(at)))).fetchall()
    return change

"""Webhooks, email addresses, and the outbox, in PostgreSQL."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import asdict
from psycopg import AsyncConnection

from mcmulti.events.ports.errors import Conflict
from mcmulti.events.ports.notices import Notification, Webhook
from mcmulti.events.postgres.connections import PostgresConnections
from mcmulti.events.postgres.stores.players import lock_player
from mcmulti.events.postgres.tables import composed

_HAS = "SELECT count(*) FROM webhook WHERE player_id = %s"
# Only the id has another name in its table.
_ADD, _FIND = (
    composed(query, row=Webhook).replace('"webhook_id"', "id")
    for query in ("INSERT INTO webhook ({columns}) VALUES ({values})", "SELECT {columns} FROM webhook")
)
_WEBHOOK = f"{_FIND} WHERE id = %s"
_WEBHOOKS = f"{_FIND} WHERE player_id = ANY (%s::uuid[]) ORDER BY created_at, id"
_ANY = "SELECT EXISTS (SELECT FROM webhook WHERE gone_at IS NULL)"
_ROTATE = "UPDATE webhook SET secret = %s, previous_secret = %s, previous_until = %s WHERE id = %s"
_END = "UPDATE webhook SET gone_at = %s WHERE id = %s"
_FORGET_MESSAGES = "DELETE FROM notice WHERE player_id = %s AND webhook_id = %s"
_REMOVE = "DELETE FROM webhook WHERE player_id = %s AND id = %s"

_POST = """
    INSERT INTO notice ({columns}) VALUES ({values})
    ON CONFLICT (game_id, webhook_id, kind) DO UPDATE SET mark = excluded.mark, message_id = excluded.message_id,
        due_at = excluded.due_at, seq = excluded.seq, attempts = excluded.attempts, done_at = NULL
    WHERE notice.mark <> excluded.mark
"""
_WITHDRAW = """
    DELETE FROM notice
    WHERE game_id = %s AND kind IN ('game.turn', 'game.deadline') AND seq <= %s AND NOT player_id = ANY (%s::uuid[])
"""
_DUE = """
    SELECT {columns} FROM (
        SELECT {columns}, row_number() OVER (PARTITION BY player_id ORDER BY due_at, message_id) AS place
        FROM {notice} AS notice WHERE done_at IS NULL AND due_at <= %s AND by_mail = %s
    ) AS due
    WHERE place <= %s ORDER BY due_at, message_id LIMIT %s
"""
_TAKE = """
    UPDATE notice SET due_at = %s, attempts = attempts + 1
    WHERE game_id = %s AND webhook_id = %s AND kind = %s AND message_id = %s AND done_at IS NULL AND attempts = %s
"""
_POSTPONE = """
    UPDATE notice SET due_at = %s
    WHERE game_id = %s AND webhook_id = %s AND kind = %s AND message_id = %s AND done_at IS NULL
"""
_SETTLE = """
    UPDATE notice SET done_at = %s
    WHERE game_id = %s AND webhook_id = %s AND kind = %s AND message_id = %s AND done_at IS NULL
"""
_WAITING = "SELECT count(*) AS waiting FROM {notice} AS notice WHERE done_at IS NULL"
_FORGET = "DELETE FROM notice WHERE done_at < %s AND kind NOT IN ('game.turn', 'game.deadline')"

_ASK = """
    UPDATE webhook SET confirmation = %s
    WHERE id = %s AND format = 'email' AND confirmed_at IS NULL AND gone_at IS NULL
"""
_CONFIRM = """
    UPDATE webhook SET confirmed_at = %s, confirmation = NULL
    WHERE id = %s AND confirmation = %s AND gone_at IS NULL
"""
_TAKE_MAIL = "UPDATE webhook SET mail_at = %s WHERE id = %s AND (mail_at IS NULL OR mail_at <= %s)"
_PAUSE = "UPDATE webhook SET mail_at = %s WHERE id = %s"
_REFUSED = "UPDATE webhook SET refused_at = %s WHERE id = %s"
_COUNT = "UPDATE mail_count SET sent = sent + 1 WHERE what = %s AND day = %s AND sent < %s"
_FIRST = "INSERT INTO mail_count (what, day, sent) VALUES (%s, %s, 1)"
_FORGET_UNCONFIRMED = "DELETE FROM webhook WHERE format = 'email' AND confirmed_at IS NULL AND created_at < %s"
_FORGET_COUNTS = "DELETE FROM mail_count WHERE day < %s"


class _Waiting(Struct):
    waiting: int


class PostgresNotices(PostgresConnections):
    """Implements the protocols `Webhooks` and `Outbox`."""

    async def add_webhook(self, webhook: Webhook, most: int, notices: Sequence[Notification] = ()) -> bool:
        async with self._everywhere() as connection:
            await lock_player(connection, webhook.player_id)
            [(number,)] = await (await connection.execute(_HAS, (webhook.player_id,))).fetchall()
            if number >= most:
                return False
            await connection.execute(_ADD, webhook._asdict() | {"topics": list(webhook.topics)})
            await keep_notices(connection, notices)
            return True

    async def webhook(self, webhook_id: UUID) -> Webhook | None:
        row = await self._one_row(None, _WEBHOOK, webhook_id)
        return None if row is None else _webhook(row)

    async def webhooks(self, player_ids: Collection[UUID]) -> list[Webhook]:
        return list(map(_webhook, await self._all_rows(None, _WEBHOOKS, list(player_ids))))

    async def any_webhooks(self) -> bool:
        row = await self._one_row(None, _ANY)
        return row is not None and bool(row[0])

    async def rotate_secret(self, webhook_id: UUID, secret: bytes, previous: bytes, until: datetime) -> None:
        await self._changed_everywhere(_ROTATE, secret, previous, until, webhook_id)

    async def end_webhook(self, webhook_id: UUID, at: datetime) -> None:
        await self._changed_everywhere(_END, at, webhook_id)

    async def remove_webhook(self, player_id: UUID, webhook_id: UUID) -> None:
        async with self._everywhere() as connection:
            for forget in (_FORGET_MESSAGES, _REMOVE):
                await connection.execute(forget, (player_id, webhook_id))

    async def post_notices(self, game_id: UUID, notices: Sequence[Notification]) -> None:
        async with self._connection(game_id) as connection:
            await keep_notices(connection, notices)

    async def withdraw_turns(self, game_id: UUID, seq: int, to_move: Collection[UUID]) -> None:
        await self._changed(game_id, _WITHDRAW, game_id, seq, list(to_move))

    async def notices_due(
        self, now: datetime, limit: int, each: int, away: set[str] | None = None, *, by_mail: bool = False
    ) -> list[Notification]:
        asked = (now, by_mail, each, limit)
        return await self._rows_of_all(Notification, _DUE, asked, ("due_at", "message_id"), limit, away)

    async def take_notice(self, notice: Notification, again_at: datetime) -> bool:
        return await self._changed(notice.game_id, _TAKE, again_at, *_key(notice), notice.attempts) == 1

    async def postpone_notice(self, notice: Notification, until: datetime) -> None:
        await self._changed(notice.game_id, _POSTPONE, until, *_key(notice))

    async def settle_notice(self, notice: Notification, at: datetime) -> None:
        await self._changed(notice.game_id, _SETTLE, at, *_key(notice))

    async def notices_waiting(self, away: set[str] | None = None) -> int:
        return sum(row.waiting for row in await self._rows_of_all(_Waiting, _WAITING, (), ("waiting",), None, away))

    async def forget_settled(self, before: datetime) -> None:
        await self._changed(None, _FORGET, before)


async def keep_notices(connection: AsyncConnection, notices: Sequence[Notification]) -> None:
    """Put messages about one game, or about none, into the outbox."""
    if notices:
        await connection.cursor().executemany(composed(_POST, row=Notification), map(asdict, notices))


def _webhook(row: tuple[Any, ...]) -> Webhook:
    webhook = Webhook(*row)
    return webhook._replace(topics=tuple(webhook.topics))


def _key(notice: Notification) -> tuple[UUID, UUID, str, UUID]:
    return notice.game_id, notice.webhook_id, notice.kind, notice.message_id


class PostgresMail(PostgresConnections):
    """Implements the protocol `Mailing`."""

    async def ask_to_confirm(self, webhook_id: UUID, confirmation: bytes) -> bool:
        return await self._changed_everywhere(_ASK, confirmation, webhook_id) > 0

    async def confirm_address(self, webhook_id: UUID, confirmation: bytes, at: datetime) -> bool:
        return await self._changed_everywhere(_CONFIRM, at, webhook_id, confirmation) > 0

    async def take_mail(self, webhook_id: UUID, now: datetime, until: datetime) -> bool:
        return await self._changed_everywhere(_TAKE_MAIL, until, webhook_id, now) > 0

    async def pause_mail(self, webhook_id: UUID, until: datetime) -> None:
        await self._changed_everywhere(_PAUSE, until, webhook_id)

    async def mark_refused(self, webhook_id: UUID, since: datetime | None) -> None:
        await self._changed_everywhere(_REFUSED, since, webhook_id)

    async def count_mail(self, what: bytes, day: date, most: int) -> bool:
        if await self._changed_everywhere(_COUNT, what, day, most):
            return True
        try:  # in a cluster, ON CONFLICT needs a lock that servers may not take
            return await self._changed_everywhere(_FIRST, what, day) > 0
        except Conflict:
            return await self._changed_everywhere(_COUNT, what, day, most) > 0

    async def forget_mail(self, before: datetime) -> None:
        await self._changed_everywhere(_FORGET_UNCONFIRMED, before)
        await self._changed_everywhere(_FORGET_COUNTS, before.date())

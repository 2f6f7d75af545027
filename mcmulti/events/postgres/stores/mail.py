"""Email addresses in PostgreSQL."""

from datetime import date, datetime
from uuid import UUID

from mcmulti.events.ports.errors import Conflict
from mcmulti.events.postgres.connections import PostgresConnections

_ASK = """
    UPDATE webhook SET confirmation = %s
    WHERE id = %s AND format = 'email' AND confirmed_at IS NULL AND gone_at IS NULL
"""
_CONFIRM = """
    UPDATE webhook SET confirmed_at = %s, confirmation = NULL
    WHERE id = %s AND confirmation = %s AND gone_at IS NULL
"""
_TAKE = "UPDATE webhook SET mail_at = %s WHERE id = %s AND (mail_at IS NULL OR mail_at <= %s)"
_PAUSE = "UPDATE webhook SET mail_at = %s WHERE id = %s"
_REFUSED = "UPDATE webhook SET refused_at = %s WHERE id = %s"
_COUNT = "UPDATE mail_count SET sent = sent + 1 WHERE what = %s AND day = %s AND sent < %s"
_FIRST = "INSERT INTO mail_count (what, day, sent) VALUES (%s, %s, 1)"
_FORGET_UNCONFIRMED = "DELETE FROM webhook WHERE format = 'email' AND confirmed_at IS NULL AND created_at < %s"
_FORGET_COUNTS = "DELETE FROM mail_count WHERE day < %s"


class PostgresMail(PostgresConnections):
    """Implements the protocol `Mailing`."""

    async def ask_to_confirm(self, webhook_id: UUID, confirmation: bytes) -> bool:
        return await self._changed_everywhere(_ASK, confirmation, webhook_id) > 0

    async def confirm_address(self, webhook_id: UUID, confirmation: bytes, at: datetime) -> bool:
        return await self._changed_everywhere(_CONFIRM, at, webhook_id, confirmation) > 0

    async def take_mail(self, webhook_id: UUID, now: datetime, until: datetime) -> bool:
        return await self._changed_everywhere(_TAKE, until, webhook_id, now) > 0

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

"""Email addresses in memory."""

from datetime import date, datetime
from uuid import UUID

from mcmulti.events.memory.kept import MemoryState


class MemoryMail(MemoryState):
    """Implements the protocol `Mailing`."""

    async def ask_to_confirm(self, webhook_id: UUID, confirmation: bytes) -> bool:
        webhook = self._webhooks.get(webhook_id)
        if webhook is None or webhook.confirmed_at is not None or webhook.gone_at is not None:
            return False
        self._webhooks[webhook_id] = webhook._replace(confirmation=confirmation)
        return True

    async def confirm_address(self, webhook_id: UUID, confirmation: bytes, at: datetime) -> bool:
        webhook = self._webhooks.get(webhook_id)
        if webhook is None or webhook.confirmation != confirmation or webhook.gone_at is not None:
            return False
        self._webhooks[webhook_id] = webhook._replace(confirmation=None, confirmed_at=at)
        return True

    async def take_mail(self, webhook_id: UUID, now: datetime, until: datetime) -> bool:
        webhook = self._webhooks.get(webhook_id)
        if webhook is None or (webhook.mail_at is not None and webhook.mail_at > now):
            return False
        await self.pause_mail(webhook_id, until)
        return True

    async def pause_mail(self, webhook_id: UUID, until: datetime) -> None:
        if webhook := self._webhooks.get(webhook_id):
            self._webhooks[webhook_id] = webhook._replace(mail_at=until)

    async def mark_refused(self, webhook_id: UUID, since: datetime | None) -> None:
        if webhook := self._webhooks.get(webhook_id):
            self._webhooks[webhook_id] = webhook._replace(refused_at=since)

    async def count_mail(self, what: bytes, day: date, most: int) -> bool:
        if self._mails[what, day] >= most:
            return False
        self._mails[what, day] += 1
        return True

    async def forget_mail(self, before: datetime) -> None:
        for webhook in list(self._webhooks.values()):
            if webhook.format == "email" and webhook.confirmed_at is None and webhook.created_at < before:
                del self._webhooks[webhook.webhook_id]
        for what, day in list(self._mails):
            if day < before.date():
                del self._mails[what, day]

"""Email addresses of players: whether they are confirmed, and how much mail they get."""

from datetime import date, datetime
from typing import Protocol
from uuid import UUID


class Mailing(Protocol):
    """What the webhooks of the format ``email`` need in addition. Any method can raise `LogUnavailable`."""

    async def ask_to_confirm(self, webhook_id: UUID, confirmation: bytes) -> bool:
        """From now on, only the token with this digest (32 bytes) confirms the address. Returns False if it needs no
        confirmation: it is gone, or confirmed.
        """

    async def confirm_address(self, webhook_id: UUID, confirmation: bytes, at: datetime) -> bool:
        """Confirm an address by the digest of a token, which works once. Returns whether it did."""

    async def take_mail(self, webhook_id: UUID, now: datetime, until: datetime) -> bool:
        """Reserve the right to send mail about games until then. Returns False if it is too early for another mail, or
        if another server sends one now.
        """

    async def pause_mail(self, webhook_id: UUID, until: datetime) -> None:
        """Send no mail about games to an address before then."""

    async def mark_refused(self, webhook_id: UUID, since: datetime | None) -> None:
        """Record since when an address is refused for good; None: it is not."""

    async def count_mail(self, what: bytes, day: date, most: int) -> bool:
        """Count a mail of a day. Returns False if there were `most` already. `what`: a digest of what is counted."""

    async def forget_mail(self, before: datetime) -> None:
        """Delete addresses that were added before then and not confirmed, and the counts of days before then."""

"""Messages to players outside the game: their addresses, and the outbox of messages to be sent."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol
from uuid import UUID

from msgspec import Struct

from mcmulti.domain.core.wording.telling import Language

Topic = Literal["game.turn", "game.over"]
"""Topics of messages."""
Kind = Literal["game.turn", "game.over", "test", "confirm"]
"""Kinds of messages: about a topic, a test of the address, or a link that confirms an email address."""
WebhookFormat = Literal["standard", "discord", "slack", "ntfy", "push", "email"]
"""Formats of webhooks: Standard Webhooks, the body that one of these services expects, Web Push for a browser, or
email.
"""

NO_GAME = UUID(int=0)
"""The game of a message that is not about a game."""


class Webhook(NamedTuple):
    """An address that receives a player's messages: an HTTP URL, or for email a mailto URL.

    `secret` (32 bytes) signs them. After a rotation `previous` signs them too, until `previous_until`. At `gone_at` the
    receiver unsubscribed: from then on it gets nothing. `keys`: those of a browser, for Web Push: its public key (65
    bytes) and its authentication secret (16 bytes).

    Only for email: `confirmation`: the digest of the token in the last link that was sent to confirm the address.
    `confirmed_at`: None until that link was followed: until then it gets nothing else. `mail_at`: no mail about games
    before then.
    """

    webhook_id: UUID
    player_id: UUID
    url: str
    format: WebhookFormat
    topics: tuple[Topic, ...]
    language: Language
    secret: bytes
    created_at: datetime
    previous: bytes | None = None
    previous_until: datetime | None = None
    gone_at: datetime | None = None
    keys: bytes | None = None
    confirmation: bytes | None = None
    confirmed_at: datetime | None = None
    mail_at: datetime | None = None


class Notification(Struct, frozen=True):
    """A message in the outbox: at most one for each game, webhook, and kind.

    `mark`: the turn that it is about, so that the next turn is another message. `seq`: the last known event of the
    game. `message_id` stays the same over all attempts. The next attempt is at `due_at`, after this many `attempts`.
    `by_mail`: it is an email.
    """

    game_id: UUID
    webhook_id: UUID
    player_id: UUID
    kind: Kind
    mark: int
    message_id: UUID
    due_at: datetime
    seq: int = 0
    attempts: int = 0
    by_mail: bool = False


class Webhooks(Protocol):
    """The webhooks of players. Any method can raise `LogUnavailable`."""

    async def add_webhook(self, webhook: Webhook, most: int) -> bool:
        """Store a new webhook. Returns False if its player already has the maximum. Raises `Conflict` if the id is
        taken, and `UnknownPlayer`.
        """

    async def webhook(self, webhook_id: UUID) -> Webhook | None:
        """The webhook with this id, if there is one."""

    async def webhooks(self, player_ids: Collection[UUID]) -> list[Webhook]:
        """The webhooks of these players, in the order in which they were added."""

    async def any_webhooks(self) -> bool:
        """Whether any webhook gets messages."""

    async def rotate_secret(self, webhook_id: UUID, secret: bytes, previous: bytes, until: datetime) -> None:
        """Sign with another secret, and until then with the `previous` one too."""

    async def end_webhook(self, webhook_id: UUID, at: datetime) -> None:
        """Record that the receiver unsubscribed."""

    async def remove_webhook(self, player_id: UUID, webhook_id: UUID) -> None:
        """Delete a webhook of a player, and its messages in the outbox."""


class Outbox(Protocol):
    """Pending messages, and those that were sent recently. Any method can raise `LogUnavailable`.

    Several servers can share an outbox: `take_notice` lets one of them try. A message whose server dies is due again.
    """

    async def post_notices(self, game_id: UUID, notices: Sequence[Notification]) -> None:
        """Put messages about a game into the outbox. A message with the mark of the existing one, sent or not, is left
        out; otherwise it replaces the existing one.
        """

    async def withdraw_turns(self, game_id: UUID, seq: int, to_move: Collection[UUID]) -> None:
        """Delete messages about a turn in a game, except for players that it waits for after event `seq`.

        A message that was posted with a later event stays: another server has seen more.
        """

    async def notices_due(
        self, now: datetime, limit: int, each: int, away: set[str] | None = None, *, by_mail: bool = False
    ) -> list[Notification]:
        """Messages due by `now`, the earliest first: at most `limit`, and at most `each` for the same player. Either
        emails, or all others.

        In a cluster, `each` applies to each of its shards. `away`: see `GameIndex`.
        """

    async def take_notice(self, notice: Notification, again_at: datetime) -> bool:
        """Count an attempt, and make the message due again then. Returns False if it is gone, or another server was
        first.
        """

    async def postpone_notice(self, notice: Notification, until: datetime) -> None:
        """Postpone a pending message until then."""

    async def settle_notice(self, notice: Notification, at: datetime) -> None:
        """Mark a message as sent or given up, so that it is no longer due."""

    async def notices_waiting(self, away: set[str] | None = None) -> int:
        """The number of messages that are neither sent nor given up. `away`: see `GameIndex`."""

    async def forget_settled(self, before: datetime) -> None:
        """Delete messages that were settled before then, except those about turns that may still be current."""

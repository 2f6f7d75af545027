"""Messages to players outside the game: where to send them, and the outbox of what waits to be sent."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol
from uuid import UUID

from msgspec import Struct

from mcmulti.domain.core.wording.telling import Language

Topic = Literal["game.turn", "game.over"]
"""What a player can get messages about."""
Kind = Literal["game.turn", "game.over", "test"]
"""What a message is: about a topic, or a test of the address."""
WebhookFormat = Literal["standard", "discord", "slack", "ntfy", "push"]
"""What a webhook gets: Standard Webhooks, the body that one of these services takes, or Web Push for a browser."""

NO_GAME = UUID(int=0)
"""The game of a message that is about none."""


class Webhook(NamedTuple):
    """An HTTP address that gets a player's messages.

    `secret` (32 bytes) signs them. After a rotation `previous` signs them too, until `previous_until`. At `gone_at` the
    receiver unsubscribed: from then on it gets nothing. `keys` are those of a browser, for Web Push: its public key (65
    bytes) and its authentication secret (16 bytes).
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


class Notification(Struct, frozen=True):
    """A message in the outbox: at most one for each game, webhook, and kind.

    `mark`: the turn that it is about, so that the next turn is another message. `seq`: the last event of the game that
    was known. `message_id` stays the same over all attempts. It is tried from `due_at` on, after so many `attempts`.
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


class Webhooks(Protocol):
    """The webhooks of players. Any method may raise `LogUnavailable`."""

    async def add_webhook(self, webhook: Webhook, most: int) -> bool:
        """Keep a new webhook; False if its player has so many. Raises `Conflict` if there is one of its id, and
        `UnknownPlayer`.
        """

    async def webhooks(self, player_ids: Collection[UUID]) -> list[Webhook]:
        """The webhooks of these players, in the order in which they were added."""

    async def any_webhooks(self) -> bool:
        """Whether any webhook gets messages."""

    async def rotate_secret(self, webhook_id: UUID, secret: bytes, previous: bytes, until: datetime) -> None:
        """Sign with another secret, and until then with the `previous` one too."""

    async def end_webhook(self, webhook_id: UUID, at: datetime) -> None:
        """Note that the receiver unsubscribed."""

    async def remove_webhook(self, player_id: UUID, webhook_id: UUID) -> None:
        """Forget a webhook of a player, and the messages in the outbox that it would get."""


class Outbox(Protocol):
    """Messages that wait, and those that were sent lately. Any method may raise `LogUnavailable`.

    Several servers may share an outbox: `take_notice` lets one of them try. A message whose server dies is due again.
    """

    async def post_notices(self, game_id: UUID, notices: Sequence[Notification]) -> None:
        """Put messages about a game into the outbox. One with the mark of the message there, sent or not, is left out;
        otherwise it takes the other's place.
        """

    async def withdraw_turns(self, game_id: UUID, seq: int, to_move: Collection[UUID]) -> None:
        """Forget the messages about a turn in a game of all players but those that it waits for after event `seq`.

        A message that was posted with a later event stays: another server has seen more.
        """

    async def notices_due(
        self, now: datetime, limit: int, each: int, away: set[str] | None = None
    ) -> list[Notification]:
        """Messages to be tried by `now`, the earliest first: at most `limit`, and a few for the same player.

        `each`: how many those are; in a cluster, in each of its shards. `away`: see `GameIndex`.
        """

    async def take_notice(self, notice: Notification, again_at: datetime) -> bool:
        """Count an attempt, and make the message due again then. False if it is gone, or another server was first."""

    async def postpone_notice(self, notice: Notification, until: datetime) -> None:
        """Make a message that waits due then."""

    async def settle_notice(self, notice: Notification, at: datetime) -> None:
        """The message is sent, or given up: it is not due any more."""

    async def notices_waiting(self, away: set[str] | None = None) -> int:
        """How many messages are neither sent nor given up. `away`: see `GameIndex`."""

    async def forget_settled(self, before: datetime) -> None:
        """Forget messages that were settled before then, except those about turns that may still stand."""

"""Messages to players outside the game: their addresses, and the outbox of messages to be sent."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Literal, NamedTuple, Protocol, get_args
from uuid import UUID, uuid4

from msgspec import Struct

from mcmulti.domain.core.wording.telling import Language

Topic = Literal["game.turn", "game.deadline", "game.over", "game.invitation", "chat.message"]
"""Topics of messages."""
TOPICS: tuple[Topic, ...] = get_args(Topic)
Kind = Literal[
    "game.turn", "game.deadline", "game.over", "game.invitation", "chat.message", "digest", "test", "confirm"
]
"""Kinds of messages: about a topic, a digest of all games that wait, a test of the address, or a link that confirms an
email address.
"""
OF_TURNS: tuple[Kind, ...] = ("game.turn", "game.deadline")
"""Messages that end with the turn that they are about."""
WebhookFormat = Literal["standard", "discord", "slack", "ntfy", "push", "email"]
"""Formats of webhooks: Standard Webhooks, the body that one of these services expects, Web Push for a browser, or
email.
"""

NO_GAME = UUID(int=0)
"""The game of a message that is not about a game."""


class Webhook(NamedTuple):
    """An address that receives a player's messages: an HTTP URL, or for email a mailto URL.

    `secret` (32 bytes) signs them. After a rotation `previous_secret` signs them too, until `previous_until`. At
    `gone_at` the receiver unsubscribed: from then on it gets nothing. `keys`: those of a browser, for Web Push: its
    public key (65 bytes) and its authentication secret (16 bytes).

    Only for email: `confirmation`: the digest of the token in the last link that was sent to confirm the address.
    `confirmed_at`: None until that link was followed: until then it gets nothing else. `mail_at`: no mail about games
    before then. `refused_at`: since when the receiver's mail server refuses the address for good; None if it does not.
    """

    webhook_id: UUID
    player_id: UUID
    url: str
    format: WebhookFormat
    topics: tuple[Topic, ...]
    language: Language
    secret: bytes
    created_at: datetime
    previous_secret: bytes | None = None
    previous_until: datetime | None = None
    gone_at: datetime | None = None
    keys: bytes | None = None
    confirmation: bytes | None = None
    confirmed_at: datetime | None = None
    mail_at: datetime | None = None
    refused_at: datetime | None = None

    def notice(self, game_id: UUID, kind: Kind, mark: int, due: datetime, seq: int = 0) -> "Notification":
        """A new message to it."""
        by_mail = self.format == "email"
        return Notification(game_id, self.webhook_id, self.player_id, kind, mark, uuid4(), due, seq, by_mail=by_mail)


class Notification(Struct, frozen=True):
    """A message in the outbox: at most one for each game, webhook, and kind.

    `mark`: what it is about, so that the next one is another message: the turn, the deadline in minutes since 1970, the
    quarter of an hour of a chat message, or the day of a digest. `seq`: the last known event of the game. `message_id`
    stays the same over all attempts. The next attempt is at `due_at`, after this many `attempts`. `by_mail`: it is an
    email.
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


class DailyHours(NamedTuple):
    """A time of each day, in minutes after midnight. If it does not end after it begins, it ends on the next day."""

    begin: int
    end: int


class GamePreferences(NamedTuple):
    """Which messages a player wants about a game, see `Preferences`."""

    topics: tuple[Topic, ...]
    remind: int | None


class Preferences(NamedTuple):
    """Which messages a player wants, and when, wherever they go.

    `remind`: how many minutes before a deadline a reminder comes; None for no reminder. No message comes in the hours
    of `quiet`. At `digest`, in minutes after midnight, one message a day is about all games that wait, and replaces
    those about turns. Both are in `time_zone`, by its name in the IANA database. `games`: those with preferences of
    their own.
    """

    topics: tuple[Topic, ...] = ("game.turn", "game.deadline", "game.over", "game.invitation")
    remind: int | None = 120
    time_zone: str = "UTC"
    quiet: DailyHours | None = None
    digest: int | None = None
    games: Mapping[UUID, GamePreferences] = {}


class DueDigest(NamedTuple):
    """A digest that a player gets now, and the preferences that it follows from."""

    player_id: UUID
    at: datetime
    preferences: Preferences


class PreferenceStore(Protocol):
    """Which messages players want, and when. Any method can raise `LogUnavailable`."""

    async def preferences(
        self, player_ids: Collection[UUID], game_ids: Collection[UUID] | None = None
    ) -> dict[UUID, Preferences]:
        """The preferences of those who set some. `game_ids`: only about these games, or in general; None for all."""

    async def set_preferences(self, player_id: UUID, preferences: Preferences, digest_at: datetime | None) -> None:
        """Store general preferences, whatever `games` has. `digest_at`: the next digest. Raises `UnknownPlayer`."""

    async def set_game_preferences(
        self, player_id: UUID, game_id: UUID, preferences: GamePreferences, most: int
    ) -> bool:
        """Store preferences about a game. Returns False if the player has them for `most` other games already. Raises
        `UnknownPlayer`.
        """

    async def reset_game_preferences(self, player_id: UUID, game_id: UUID) -> None:
        """From now on, the general preferences are for this game too."""

    async def digests_due(self, now: datetime, limit: int) -> list[DueDigest]:
        """Digests due by `now`, the earliest first."""

    async def plan_digest(self, digest: DueDigest, at: datetime) -> None:
        """Let the next digest be due then, unless the player changed it meanwhile."""


class Webhooks(Protocol):
    """The webhooks of players. Any method can raise `LogUnavailable`."""

    async def add_webhook(self, webhook: Webhook, most: int, notices: Sequence[Notification] = ()) -> bool:
        """Store a new webhook. Returns False if its player already has the maximum. `notices`: messages to it that are
        about no game, posted in the same transaction, as by `Outbox.post_notices`. Raises `Conflict` if the id is
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
        """Delete messages about a turn in a game and its deadline, except for players that it waits for after event
        `seq`.

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

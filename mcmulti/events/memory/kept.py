"""The shared state of the ports in memory."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.signing import to_the_second
from mcmulti.events.log.snapshot import Snapshot
from mcmulti.events.ports.accounts import Pending, Player, Token
from mcmulti.events.ports.chat import ChatFlag, ChatMessage
from mcmulti.events.ports.computed import KeptAssessment, KeptLadder, KeptReview, ReviewJob
from mcmulti.events.ports.errors import UnknownGame, UnknownPlayer
from mcmulti.events.ports.event_store import Receipt
from mcmulti.events.ports.game_index import Game, TenureRow
from mcmulti.events.ports.integrity import Check
from mcmulti.events.ports.notices import GamePreferences, Kind, Notification, Preferences, Webhook
from mcmulti.events.ports.timekeeping import Question


@dataclass
class KeptGame:
    """A game, and the data stored with it."""

    game: Game
    secret: bytes
    events: list[Recorded]
    players: frozenset[UUID | None] = frozenset()
    ended_at: datetime | None = None
    receipts: dict[tuple[UUID, str], Receipt] = field(default_factory=dict)
    tenures: dict[UUID, TenureRow] = field(default_factory=dict)
    snapshots: dict[tuple[bytes, int], Snapshot] = field(default_factory=dict)


@dataclass
class KeptChat:
    """The chat of a game, by numbers of messages. `head`: the last change."""

    head: int = 0
    messages: dict[int, ChatMessage] = field(default_factory=dict)
    flags: dict[tuple[int, UUID], ChatFlag] = field(default_factory=dict)


class MemoryState:
    """The shared state of the ports in memory.

    Their methods never wait, so that each is one step of the event loop.
    """

    def __init__(self) -> None:
        self._games: dict[UUID, KeptGame] = {}
        self._questions: dict[UUID, Question] = {}
        self._players: dict[UUID, Player] = {}
        self._visitors: dict[UUID, str] = {}
        self._companions: dict[UUID, set[UUID]] = {}
        self._tokens: dict[bytes, tuple[UUID, Token]] = {}
        self._pending: dict[UUID, Pending] = {}
        self._listening: set[asyncio.Queue[bytes | UUID | None]] = set()
        self._signing_key: bytes | None = None
        self._digest_key: bytes | None = None
        self._checks: dict[UUID, Check] = {}
        self._ladders: dict[bytes, KeptLadder] = {}
        self._assessments: dict[tuple[UUID, bytes], KeptAssessment] = {}
        self._reviews: dict[tuple[UUID, bytes], KeptReview] = {}
        self._review_jobs: dict[UUID, ReviewJob] = {}
        self._webhooks: dict[UUID, Webhook] = {}
        self._notices: dict[tuple[UUID, UUID, Kind], tuple[Notification, datetime | None]] = {}
        self._preferences: dict[UUID, tuple[Preferences, datetime | None]] = {}
        self._game_preferences: dict[UUID, dict[UUID, GamePreferences]] = {}
        self._chats: dict[UUID, KeptChat] = {}
        self._mails: Counter[tuple[bytes, date]] = Counter()
        self._since = to_the_second(datetime.now(UTC))

    def _keep_notices(self, notices: Sequence[Notification]) -> None:
        for notice in notices:
            place = place_of_notice(notice)
            if place not in self._notices or self._notices[place][0].mark != notice.mark:
                self._notices[place] = notice, None

    def _forget_notices(self, which: Callable[[Notification], bool]) -> None:
        self._notices = {place: kept for place, kept in self._notices.items() if not which(kept[0])}

    def _forget_said(self, authors: Collection[UUID]) -> None:
        """Delete what these said, and their flags."""
        for chat in self._chats.values():
            chat.messages = {number: each for number, each in chat.messages.items() if each.author not in authors}
            chat.flags = {
                place: flag
                for place, flag in chat.flags.items()
                if flag.flagged_by not in authors and flag.number in chat.messages
            }

    def _change_webhook(self, webhook_id: UUID, **changed: Any) -> bool:
        """Change a webhook, if it is there. Returns whether it is."""
        webhook = self._webhooks.get(webhook_id)
        if webhook is not None:
            self._webhooks[webhook_id] = webhook._replace(**changed)
        return webhook is not None

    def _known(self, player_id: UUID) -> Player:
        """A player who is not erased."""
        player = self._players.get(player_id)
        if player is None or not player.name:
            raise UnknownPlayer(f"there is no player {player_id}")
        return player

    async def now(self) -> datetime:
        return datetime.now(UTC)

    def _entry(self, game_id: UUID) -> KeptGame:
        try:
            return self._games[game_id]
        except KeyError:
            raise UnknownGame(f"there is no game {game_id}") from None


def place_of_notice(notice: Notification) -> tuple[UUID, UUID, Kind]:
    """What at most one message in the outbox has."""
    return notice.game_id, notice.webhook_id, notice.kind

"""The feed of a player: the standings of all their games, as long as somebody follows it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from mcmulti.api.streams.shared import SharedFeed
from mcmulti.events.log.envelope import Head, Recorded
from mcmulti.events.log.positions import Position

LATE = timedelta(minutes=1)
"""How long after its end a game can become visible: longer appends are abandoned."""


class TurnDue(NamedTuple):
    """A game waits for a seat, and did so when event `seq` was its last."""

    game: UUID
    seq: int
    seat: int


class End(NamedTuple):
    """A game ended with event `seq`."""

    game: UUID
    seq: int
    winners: tuple[int, ...]


def end_of(position: Position) -> End:
    """How a finished game ended."""
    return End(position.game_id, position.head.seq, position.ruleset.outcome(position.state).winners)


class Running(NamedTuple):
    """A running game for a player: its head, and the player's turn, if it is one."""

    head: Head
    turn: TurnDue | None


class PlayerFeed(SharedFeed):
    """The games of one player, shared by all of the player's streams. Times are those of the log's own clock."""

    def __init__(self, player_id: UUID, now: datetime) -> None:
        super().__init__()
        self.looked = now - LATE
        """All that ended before was seen, except late arrivals."""
        self.running: dict[UUID, Running] = {}
        self.ends: dict[UUID, tuple[End, datetime | None]] = {}
        """The games that ended after `since`, and when; None for those that ended just now."""
        self._player_id = player_id

    @property
    def since(self) -> datetime:
        """Earlier ends are forgotten."""
        return self.looked - 2 * LATE

    def publish(self, position: Position, events: Sequence[Recorded] = ()) -> None:
        """A running game moved; `events`: the last of those that led there, if they are known."""
        before = self.running.get(position.game_id)
        seat = position.seat_of(self._player_id)
        ruleset, state, seq = position.ruleset, position.state, position.head.seq
        if seat is None or position.game_id in self.ends or (before is not None and seq <= before.head.seq):
            return
        if ruleset.status(state) == "finished":
            self.publish_end(end_of(position), None)
            return
        turn = TurnDue(position.game_id, seq, seat) if seat in ruleset.to_move(state) else None
        if before is not None and before.turn is not None and turn is not None:
            known = bool(events) and events[0].seq <= before.head.seq + 1
            if known and all(event.actor in (None, seat) for event in events if event.seq > before.head.seq):
                turn = before.turn  # nobody else moved, so it is still the same turn
        self.running[position.game_id] = Running(position.head, turn)
        self.ring()

    def publish_end(self, end: End, at: datetime | None) -> None:
        """A game has ended, at that time if it is known already."""
        self.running.pop(end.game, None)
        news = end.game not in self.ends
        self.ends[end.game] = end, at
        if news:
            self.ring()

    def seen(self, now: datetime) -> None:
        """Everything was checked, at that time or later."""
        self.looked = max(self.looked, now)
        for game_id, (_, at) in list(self.ends.items()):
            if at is not None and at < self.since:
                del self.ends[game_id]

    def forget(self) -> None:
        """Forget everything that was published: it may no longer be true."""
        self.running.clear()
        self.ends.clear()

"""Timekeeping: which games go on without those they wait for, and when."""

from datetime import datetime, timedelta
from typing import NamedTuple, Protocol
from uuid import UUID

OUTAGE = timedelta(seconds=5)
"""An interruption of timekeeping that is longer than this is given back."""
BEAT = timedelta(seconds=2)
"""The longest interval between two records that time is being kept."""


class Question(NamedTuple):
    """When a question to a seat in another's turn is answered, and whether an instruction can still answer it."""

    answer_at: datetime
    open: bool


class DueGame(NamedTuple):
    """A game whose deadline has passed, and the deadline."""

    at: datetime
    game_id: UUID


class Timekeeping(Protocol):
    """Deadlines of games, questions in another's turn, and records of whether time is being kept.

    Any method can raise `LogUnavailable`; `away` is as in `GameIndex`.
    """

    async def now(self) -> datetime:
        """The time by the log's own clock."""

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        """Games whose deadline has passed by `now`, the earliest first, at most `limit`."""

    async def ask(self, game_id: UUID, question: Question) -> None:
        """Record when a question will be answered that a game is about to ask a seat in another's turn."""

    async def question(self, game_id: UUID) -> Question | None:
        """When the game's last question to a seat in another's turn is answered."""

    async def unanswered(self, until: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        """Games with an open question to be answered by `until`, the earliest first, at most `limit`."""

    async def close_question(self, game_id: UUID, question: Question) -> None:
        """Let no instruction answer this question anymore, if it is still the last one of the game."""

    async def keep_time(self, game_id: UUID | None = None) -> timedelta:
        """Record that time is being kept. If it was not for longer than `OUTAGE`, gives that time back. Returns how
        much.

        Every future deadline is moved by it, once, however many servers come back together. With a `game_id`, this is
        required only for the games on the node of that game. On a cluster, without one, nodes that do not answer are
        left out: their games get the time back when they answer.
        """

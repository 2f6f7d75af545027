"""Timekeeping: which games go on without those they wait for, and when."""

from datetime import datetime, timedelta
from typing import NamedTuple, Protocol
from uuid import UUID

OUTAGE = timedelta(seconds=5)
"""For how long nobody may keep time before it is given back."""
BEAT = timedelta(seconds=2)
"""How long ago it is noted at most, while somebody does, that somebody keeps time."""


class Question(NamedTuple):
    """When a question to a seat in another's turn is answered, and whether an instruction may still answer it."""

    answer_at: datetime
    open: bool


class DueGame(NamedTuple):
    """A game whose deadline has come, and when."""

    at: datetime
    game_id: UUID


class Timekeeping(Protocol):
    """Deadlines of games, questions in another's turn, and whether anybody keeps time.

    Any method may raise `LogUnavailable`; `away` is as in `GameIndex`.
    """

    async def now(self) -> datetime:
        """What time it is by the log's own clock."""

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        """Games whose deadline has come by `now`, the earliest first, at most `limit`."""

    async def ask(self, game_id: UUID, question: Question) -> None:
        """Note when a question is answered that a game is about to ask of a seat in another's turn."""

    async def question(self, game_id: UUID) -> Question | None:
        """When the last question is answered that a game asked of a seat in another's turn."""

    async def unanswered(self, until: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        """Games whose question is to be answered by `until`, and is open, the earliest first, at most `limit`."""

    async def close_question(self, game_id: UUID, question: Question) -> None:
        """No instruction answers this question any more, if it is still the last one of the game."""

    async def keep_time(self, game_id: UUID | None = None) -> timedelta:
        """Note that somebody keeps time; gives back what nobody did, longer than `OUTAGE`, and says how long that was.

        Every deadline that was still to come then moves by it, once, however many servers come back together. With a
        `game_id`, this need be done only for the games that live where that one does. On a cluster, without one, nodes
        that do not answer are left out: their games get the time back when they answer.
        """

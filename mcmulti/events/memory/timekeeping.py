"""Timekeeping in memory."""

from datetime import datetime, timedelta
from uuid import UUID

from mcmulti.events.memory.kept import MemoryState
from mcmulti.events.ports.timekeeping import DueGame, Question


class MemoryTimekeeping(MemoryState):
    """Implements the `Timekeeping` protocol."""

    async def due(self, now: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        games = [entry.game for entry in self._games.values()]
        due = [DueGame(game.deadline, game.game_id) for game in games if game.deadline and game.deadline <= now]
        return sorted(due)[:limit]

    async def ask(self, game_id: UUID, question: Question) -> None:
        self._questions[game_id] = question

    async def question(self, game_id: UUID) -> Question | None:
        return self._questions.get(game_id)

    async def unanswered(self, until: datetime, limit: int, away: set[str] | None = None) -> list[DueGame]:
        asked = self._questions.items()
        return sorted(DueGame(each.answer_at, id_) for id_, each in asked if each.open and each.answer_at <= until)[
            :limit
        ]

    async def close_question(self, game_id: UUID, question: Question) -> None:
        if self._questions.get(game_id) == question:
            self._questions[game_id] = question._replace(open=False)

    async def keep_time(self, game_id: UUID | None = None) -> timedelta:
        return timedelta()  # the timekeeper went down with it

"""Ratings that are stored, in memory."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from mcmulti.events.memory.kept import MemoryState
from mcmulti.events.ports.ratings import KeptAssessment, KeptLadder


class MemoryRatings(MemoryState):
    """Implements the `RatingStore` protocol."""

    async def ladder(self, shape: bytes) -> KeptLadder | None:
        return self._ladders.get(shape)

    async def keep_ladder(self, ladder: KeptLadder) -> None:
        self._ladders[ladder.shape] = ladder

    async def assessment(self, game_id: UUID, shape: bytes) -> KeptAssessment | None:
        return self._assessments.get((game_id, shape))

    async def keep_assessments(self, assessments: Sequence[KeptAssessment]) -> None:
        self._assessments |= {(each.game_id, each.shape): each for each in assessments}

    async def forget_ratings(self, but: bytes, before: datetime) -> int:
        old = {shape for shape, kept in self._ladders.items() if shape != but and kept.ended.at < before}
        gone = [key for key in self._assessments if key[1] in old]
        for key in gone:
            del self._assessments[key]
        for shape in old:
            del self._ladders[shape]
        return len(gone)

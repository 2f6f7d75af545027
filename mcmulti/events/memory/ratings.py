"""Ratings that are stored, in memory."""

from collections.abc import Sequence
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

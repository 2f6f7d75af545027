"""Ratings, as far as they are stored: results that can be computed again from the rated games at any time."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol
from uuid import UUID

from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.game_index import Ended


class KeptLadder(NamedTuple):
    """The ladder after the rated games up to `ended`, whose log has this head.

    `shape`: 32 bytes that identify how ratings are computed. `state` begins with a digest of all this.
    """

    shape: bytes
    ended: Ended
    head: Head
    state: bytes


class KeptAssessment(NamedTuple):
    """What a game changed for ratings computed in this `shape`. `assessment` begins with a digest of all this."""

    game_id: UUID
    shape: bytes
    assessment: bytes


class RatingStore(Protocol):
    """Stores what follows from rated games. Any method can raise `LogError`."""

    async def ladder(self, shape: bytes) -> KeptLadder | None:
        """The ladder that was kept last."""

    async def keep_ladder(self, ladder: KeptLadder) -> None:
        """Store a ladder, replacing the one of its shape."""

    async def assessment(self, game_id: UUID, shape: bytes) -> KeptAssessment | None:
        """The assessment of a game."""

    async def keep_assessments(self, assessments: Sequence[KeptAssessment]) -> None:
        """Store assessments, replacing those of their games and shapes."""

    async def forget_ratings(self, but: bytes, before: datetime) -> int:
        """Delete every ladder whose last game ended before a moment, and the assessments of its shape, but not those of
        one shape. Returns the number of deleted assessments.
        """

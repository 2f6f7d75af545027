"""Ratings that servers store, so that the next one need not rate all games."""

from datetime import timedelta
from uuid import UUID

import structlog
from msgspec import DecodeError

from mcmulti.events.log.envelope import START, Head
from mcmulti.events.ports.game_index import Ended
from mcmulti.events.ports.log import Log
from mcmulti.events.ports.ratings import KeptLadder
from mcmulti.events.store.history import History
from mcmulti.projections.statistics.checkpoint import kept, kept_assessment, restored, restored_assessment, shape
from mcmulti.projections.statistics.ratings import Assessment, Ladder

NO_GAME = UUID(int=0)
"""Stands for the last game of a ladder without games."""
AT_ONCE = 500
"""Assessments stored at a time."""
OUTDATED = timedelta(days=30)
"""If the ladder of another build is this much behind, no server runs that build anymore."""

_log = structlog.get_logger(__name__)


class StoredRatings:
    """The stored ladder of a log, and the stored assessments of its games. Any method can raise `LogError`."""

    def __init__(self, log: Log, history: History) -> None:
        self._log = log
        self._history = history

    async def kept(self) -> KeptLadder | None:
        """The ladder as it is stored."""
        return await self._log.ladder(shape())

    async def ladder(self, stored: KeptLadder) -> Ladder | None:
        """A stored ladder; None if it was changed, or if its last game does not end as it did then."""
        game = stored.ended.game_id
        try:
            ladder = restored(await self._history.digest_key(), stored)
        except (ValueError, DecodeError, RecursionError) as error:
            _log.error("a stored ladder is damaged", fault=str(error))
            return None
        return ladder if await self._head(game) == stored.head else None

    async def assessment(self, game: UUID) -> Assessment | None:
        """The stored assessment of a game; None if there is none, or it was changed."""
        stored = await self._log.assessment(game, shape())
        if stored is None:
            return None
        try:
            return restored_assessment(await self._history.digest_key(), stored)
        except (ValueError, DecodeError, RecursionError) as error:
            _log.error("a stored assessment is damaged", game_id=str(game), fault=str(error))
            return None

    async def keep(self, ladder: Ladder, ended: Ended) -> None:
        """Store a ladder after the game that ended last, and what it still knows of what its games changed."""
        key = await self._history.digest_key()
        verdicts = ladder.verdicts()
        games = list(verdicts)
        for start in range(0, len(games), AT_ONCE):
            some = games[start : start + AT_ONCE]
            await self._log.keep_assessments([kept_assessment(key, game, verdicts[game]) for game in some])
        head = await self._head(ended.game_id)
        if head is not None:
            await self._log.keep_ladder(kept(key, ladder, ended, head))
            ladder.forget_verdicts(verdicts)

    async def forget_others(self, ended: Ended) -> None:
        """Delete what other builds stored that were not used for long, after the game that ended last."""
        deleted = await self._log.forget_ratings(shape(), ended.at - OUTDATED)
        if deleted:
            _log.info("ratings of other builds were deleted", number=deleted)

    async def _head(self, game: UUID) -> Head | None:
        """The head of the last game of a ladder; `START` for a ladder without games."""
        return START if game == NO_GAME else (await self._log.heads([game])).get(game)

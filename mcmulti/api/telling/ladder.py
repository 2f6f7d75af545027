"""The ladder: ratings computed from the games in the log, kept up to date whichever server appended their ends.

A server starts from the checkpoint that one of them stored, and rates the games that ended since. If none is stored, or
the stored one is damaged, it rates all games. Games that arrive late, because their append took long, do not matter:
the latest are rated again each time, in their order.

If a player was erased from whose victories others had losses, all games are rated again: in the background, while the
ratings before that are shown, and only so often that it takes a small share of a processor, however many are erased.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from contextvars import Context
from datetime import UTC, datetime, timedelta
from uuid import UUID

import structlog
from msgspec import DecodeError

from mcmulti.events.log.envelope import START, Head
from mcmulti.events.ports.accounts import Kind, Player
from mcmulti.events.ports.computed import KeptLadder
from mcmulti.events.ports.errors import LogError
from mcmulti.events.ports.game_index import Ended, RatedGame
from mcmulti.events.ports.log import Log
from mcmulti.events.store.history import History
from mcmulti.metering import NOBODY, Meter, begin, stepped
from mcmulti.projections.statistics.checkpoint import (
    SPACING,
    kept,
    kept_assessment,
    restored,
    restored_assessment,
    shape,
)
from mcmulti.projections.statistics.ratings import Assessment, Ladder, LadderRung, Strength
from mcmulti.referee.referee import Referee

NO_GAME = UUID(int=0)
"""Stands for the last game of a ladder without games."""
AT_ONCE = 500
"""Assessments stored at a time."""
OUTDATED = timedelta(days=30)
"""If the ladder of another build is this much behind, no server runs that build anymore."""
AGE = 2.0
"""Seconds after which newly finished games are looked for."""
PATIENCE = 0.5
"""Seconds that a list of tables waits for ratings, which are optional there."""
SETTLED = timedelta(minutes=1)
"""How long after its end a game can become visible. Later, none is inserted before known ones."""
ERASURES = 60.0
"""Seconds after which erased players are looked for."""
SHARE = 0.02
"""The most of a processor that looking for them, and rating all games again, takes on average."""
GENTLY = 4.0
"""After each page in the background, commands have this many times as long to themselves."""
PAGE = 100
"""Games rated at a time, between which other requests are served."""
LONG = 5000
"""Games after which a checkpoint is stored even if more follow: a server that is killed then does not begin again."""
REPAIR = 3600.0
"""The fewest seconds between two times that all games are rated again because an assessment is missing."""
_FIRST = Ended(datetime(1970, 1, 1, tzinfo=UTC), NO_GAME)

_log = structlog.get_logger(__name__)


class StoredRatings:
    """The stored ladder of a log, and the stored assessments of its games. Any method can raise `LogError`."""

    def __init__(self, log: Log, history: History) -> None:
        self._log = log
        self._history = history

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


class RatedSoFar:
    """The games of a log up to `mark`, rated in their order. `unstored`: how many of them no checkpoint has yet.

    A player who was not erased when their first game was rated counts as not erased from then on.
    """

    def __init__(
        self, log: Log, ladder: Ladder, mark: Ended = _FIRST, erased: Collection[UUID] | None = None, unstored: int = 0
    ) -> None:
        """`erased`: treat exactly these players as erased."""
        self._log = log
        self.ladder, self.mark, self.unstored = ladder, mark, unstored
        self._players: dict[UUID, Player] = {}
        self._given = erased
        self._stayed = ladder.players() - set(ladder.erased)

    async def newly_erased(self) -> bool:
        """Whether a rated player was erased and is treated as if not. Raises `LogUnavailable`."""
        rated = self.ladder.players() - set(self.ladder.erased)
        found = await self._log.players(list(rated)) if rated else {}
        return not all(player.name for player in found.values())

    async def rate_on(
        self,
        until: Ended | None = None,
        keep: Callable[["RatedSoFar"], Awaitable[None]] | None = None,
        pause: float = 0.0,
    ) -> Ladder:
        """Rate the games that ended since, up to one of them. Returns the ladder that has the latest ones, too, which
        are rated again the next time.

        `keep`: stores the ladder after every `LONG` games. `pause`: the ratio of pauses to work. Raises
        `LogUnavailable`.
        """
        sure, after, ladder = await self._log.now() - SETTLED, self.mark, self.ladder
        while page := await self._log.rated(after, PAGE):
            about = await self._about(page)
            began = time.thread_time()
            for game in page:
                if until is not None and game.ended > until:
                    return ladder
                if ladder is self.ladder and game.ended.at > sure:
                    ladder = self.ladder.beyond()
                ladder.add(game, *about)
                if ladder is self.ladder:
                    self.mark = game.ended
                    self.unstored += 1
            after = page[-1].ended
            rests = pause * (time.thread_time() - began)
            if keep is not None and ladder is self.ladder and self.unstored >= LONG:
                await keep(self)
            await asyncio.sleep(rests)
        return ladder

    async def _about(self, games: Sequence[RatedGame]) -> tuple[dict[UUID, Kind], Collection[UUID], dict[UUID, bytes]]:
        """The kinds of those who started some games, who of them is erased, and their origins."""
        starters = {player for game in games for player in game.starters if player is not None}
        unknown = [player for player in starters if player not in self._players]
        if unknown:
            self._players |= await self._log.players(unknown)
        known = [self._players[player] for player in starters if player in self._players]
        return (
            {player.player_id: player.kind for player in known},
            {player.player_id for player in known if self._is_erased(player)},
            {player.player_id: player.origin for player in known if player.origin is not None},
        )

    def _is_erased(self, player: Player) -> bool:
        if self._given is not None:
            return player.player_id in self._given
        return not player.name and player.player_id not in self._stayed


class LadderBoard:
    """The ladder of a log, as one server knows it."""

    def __init__(self, log: Log, referee: Referee, share: float = SHARE) -> None:
        self._log = log
        self._stored = StoredRatings(log, referee.history)
        self._share = share
        self._next_erasures = 0.0
        self._erasures: asyncio.Task[None] | None = None
        self._repaired = -REPAIR
        self._turn = asyncio.Lock()
        self._looking: asyncio.Task[None] | None = None
        self._forget()
        self._trusting, self._settled.unstored = True, 0
        referee.forgetters.append(self._forget)

    def _forget(self) -> None:
        """The log went back, or ratings changed otherwise: what was stored may be wrong, too."""
        self._trusting = False
        self._settled = RatedSoFar(self._log, Ladder(), unstored=SPACING)  # so that the next pass replaces it
        self._ladder = self._settled.ladder
        self._lists: dict[tuple[str, Kind], list[LadderRung]] | None = None
        self._looked: float | None = None

    async def look(self, age: float = 0.0) -> None:
        """Rate newly finished games, if the last check was more than `age` seconds ago. Raises `LogUnavailable`."""
        async with self._turn:
            now = asyncio.get_running_loop().time()
            if self._looked is None or now - self._looked >= age:
                await self._rate()
                self._looked = now
                self._watch_erasures()

    async def glance(self) -> None:
        """The same if ratings are optional: does not wait long, and continues in the background."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_quietly())
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._looking), PATIENCE)

    def strength(self, ruleset: str, player: UUID) -> Strength | None:
        """A player's rating, as far as known; None without a rated game."""
        return self._ladder.strength(ruleset, player)

    async def verdict(self, game: UUID) -> Assessment | None:
        """The assessment of a finished rated game; None if that is not known yet. Raises `LogUnavailable`."""
        found = self._settled.ladder.verdict(game) or await self._stored.assessment(game)
        if found is None:
            await self.look()
            found = self._ladder.verdict(game) or await self._stored.assessment(game)
        now = asyncio.get_running_loop().time()
        if found is None and now - self._repaired >= REPAIR:
            self._repaired = now
            await self.rebuild()
            found = self._ladder.verdict(game) or await self._stored.assessment(game)
        return found

    def standings(self, ruleset: str, kind: Kind) -> list[LadderRung]:
        """The ladder, as far as known."""
        if self._lists is None:
            self._lists = self._ladder.standings()
        return self._lists.get((ruleset, kind), [])

    async def rebuild(self) -> None:
        """Rate all games again, whatever is stored, and store the result. Raises `LogUnavailable`."""
        async with self._turn:
            self._forget()
            await self._rate()

    async def erasures_noticed(self) -> None:
        """Wait until the players who were erased have no part in the ratings, if that is being done."""
        if self._erasures is not None:
            await asyncio.wait((self._erasures,))

    async def is_stored_right(self) -> bool:
        """Whether the stored ladder is the one that its games make, or none is stored. Raises `LogUnavailable`."""
        stored = await self._log.ladder(shape())
        if stored is None:
            return True
        found = await self._stored.ladder(stored)
        if found is None:
            return False
        right = RatedSoFar(self._log, Ladder(), erased=set(found.erased))
        return (await right.rate_on(until=stored.ended)).is_like(found)

    async def _look_quietly(self) -> None:
        with suppress(LogError):  # callers that need ratings get the error themselves
            await self.look(AGE)

    async def _rate(self) -> None:
        if self._trusting and self._settled.mark == _FIRST:
            before, stored = self._settled, await self._stored_ladder()
            if stored is not None and before is self._settled:
                self._settled = stored
        settled = self._settled
        ladder = await settled.rate_on(keep=self._keep)
        if settled.unstored >= SPACING:
            await self._keep(settled)
        if settled is self._settled:
            self._ladder, self._lists = ladder, None

    async def _stored_ladder(self) -> RatedSoFar | None:
        """The games of the stored ladder; None if it is missing or damaged."""
        stored = await self._log.ladder(shape())
        ladder = None if stored is None else await self._stored.ladder(stored)
        return None if stored is None or ladder is None else RatedSoFar(self._log, ladder, stored.ended)

    async def _keep(self, settled: RatedSoFar) -> None:
        """Store the settled ladder and what its games changed. If that fails, it is tried again after more games."""
        if settled is not self._settled:
            return  # the log went back meanwhile
        with suppress(LogError):
            await self._stored.keep(settled.ladder, settled.mark)
            settled.unstored = 0
            await self._stored.forget_others(settled.mark)

    def _watch_erasures(self) -> None:
        """Look for erased players now and then. No request waits or pays for that."""
        running = self._erasures is not None and not self._erasures.done()
        if not running and asyncio.get_running_loop().time() >= self._next_erasures:
            self._erasures = asyncio.create_task(self._notice_erasures(), context=Context())

    async def _notice_erasures(self) -> None:
        meter = Meter(NOBODY)
        begin(meter)
        try:
            await stepped(self._without_erased())
        except LogError:
            pass  # the next time finds them
        except Exception as error:
            _log.error("ratings without erased players cannot be computed", exc_info=error)
        finally:
            self._next_erasures = asyncio.get_running_loop().time() + max(ERASURES, meter.seconds / self._share)

    async def _without_erased(self) -> None:
        """Rate all games again if a player was erased from whose victories others had losses."""
        before = self._settled
        if not await before.newly_erased():
            return
        again = await self._stored_ladder() if self._trusting else None
        if again is None or await again.newly_erased():  # no other server has done it yet
            again = RatedSoFar(self._log, Ladder())
            await again.rate_on(pause=GENTLY)
            again.unstored = max(again.unstored, SPACING)
        async with self._turn:
            if before is self._settled:
                self._settled = again
                await self._rate()

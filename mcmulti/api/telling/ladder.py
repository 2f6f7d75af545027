"""The ladder: ratings computed from the games in the log, kept up to date whichever server appended their ends.

A server starts from the checkpoint that one of them stored, and rates the games that ended since. Without a sound one,
it rates all games. Games that arrive late, because their append took long, do not matter: the latest are rated again
each time, in their order.
"""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from mcmulti.api.caching.stored_ratings import NO_GAME, StoredRatings
from mcmulti.events.ports.accounts import Kind, Player
from mcmulti.events.ports.errors import LogError
from mcmulti.events.ports.game_index import Ended, RatedGame
from mcmulti.events.ports.log import Log
from mcmulti.projections.statistics.checkpoint import SPACING
from mcmulti.projections.statistics.ratings import Assessment, Ladder, LadderRung, Strength
from mcmulti.referee.referee import Referee

AGE = 2.0
"""Seconds after which newly finished games are looked for."""
PATIENCE = 0.5
"""Seconds that a list of tables waits for ratings, which are optional there."""
SETTLED = timedelta(minutes=1)
"""How long after its end a game can become visible. Later, none is inserted before known ones."""
ERASURES = 60.0
"""Seconds after which erased players are looked for."""
PAGE = 100
"""Games rated at a time, between which other requests are served."""
LONG = 5000
"""Games after which a checkpoint is stored even if more follow: a server that is killed then does not begin again."""
REPAIR = 3600.0
"""The fewest seconds between two times that all games are rated again because an assessment is missing."""
_FIRST = Ended(datetime(1970, 1, 1, tzinfo=UTC), NO_GAME)


class _About(NamedTuple):
    """What is known about the players of some games."""

    kinds: dict[UUID, Kind]
    erased: set[UUID]
    origins: dict[UUID, bytes]


class LadderBoard:
    """The ladder of a log, as one server knows it."""

    def __init__(self, log: Log, referee: Referee) -> None:
        self._log = log
        self._stored = StoredRatings(log, referee.history)
        self._players: dict[UUID, Player] = {}
        self._noticed = -ERASURES
        self._repaired = -REPAIR
        self._turn = asyncio.Lock()
        self._looking: asyncio.Task[None] | None = None
        self._forget()
        self._trusting, self._beyond = True, 0
        referee.forgetters.append(self._forget)

    def _forget(self) -> None:
        """The log went back, or ratings changed otherwise: what was stored may be wrong, too."""
        self._trusting = False
        self._settled = Ladder()
        self._mark = _FIRST
        self._beyond = SPACING  # so that the next pass replaces it
        self._ladder = self._settled
        self._lists: dict[tuple[str, Kind], list[LadderRung]] | None = None
        self._looked: float | None = None

    async def look(self, age: float = 0.0) -> None:
        """Rate newly finished games, if the last check was more than `age` seconds ago. Raises `LogUnavailable`."""
        async with self._turn:
            now = asyncio.get_running_loop().time()
            if self._looked is None or now - self._looked >= age:
                await self._rate()
                self._looked = now

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
        found = self._settled.verdict(game) or await self._stored.assessment(game)
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

    async def is_stored_right(self) -> bool:
        """Whether the stored ladder is the one that its games make, or none is stored. Raises `LogUnavailable`."""
        stored = await self._stored.kept()
        if stored is None:
            return True
        found, right, after = await self._stored.ladder(stored), Ladder(), _FIRST
        while page := [game for game in await self._log.rated(after, PAGE) if game.ended <= stored.ended]:
            about = await self._about(page)
            for game in page:
                right.add(game, *about)
            after = page[-1].ended
        return found is not None and right.is_like(found)

    async def _look_quietly(self) -> None:
        with suppress(LogError):  # callers that need ratings get the error themselves
            await self.look(AGE)

    async def _rate(self) -> None:
        await self._notice_erasures()
        if self._trusting and self._mark == _FIRST:
            await self._begin()
        settled, after = self._settled, self._mark
        sure = await self._log.now() - SETTLED
        ladder = settled
        while page := await self._log.rated(after, PAGE):
            about = await self._about(page)
            if settled is not self._settled:
                return  # the log went back meanwhile
            for game in page:
                if ladder is settled and game.ended.at > sure:
                    ladder = settled.beyond()
                ladder.add(game, *about)
                if ladder is settled:
                    self._mark = game.ended
                    self._beyond += 1
            after = page[-1].ended
            if ladder is settled and self._beyond >= LONG:
                await self._keep(settled)
            await asyncio.sleep(0)
        if self._beyond >= SPACING and settled is self._settled:
            await self._keep(settled)
        if settled is self._settled:
            self._ladder, self._lists = ladder, None

    async def _begin(self) -> None:
        """Start from the stored ladder, if there is a sound one, and nobody was erased since."""
        before, stored = self._settled, await self._stored.kept()
        ladder = None if stored is None else await self._stored.ladder(stored)
        if stored is None or ladder is None:
            return
        players = await self._log.players(list(ladder.players()))
        erased = {player_id for player_id, player in players.items() if not player.name}
        if before is self._settled and erased <= set(ladder.erased):
            self._players, self._settled, self._mark = players, ladder, stored.ended

    async def _keep(self, settled: Ladder) -> None:
        """Store the settled ladder and what its games changed. If that fails, it is tried again after more games."""
        with suppress(LogError):
            await self._stored.keep(settled, self._mark)
            if settled is self._settled:
                self._beyond = 0

    async def _about(self, games: Sequence[RatedGame]) -> _About:
        starters = {player for game in games for player in game.starters if player is not None}
        await self._learn(starters)
        known = [self._players[player] for player in starters if player in self._players]
        return _About(
            {player.player_id: player.kind for player in known},
            {player.player_id for player in known if not player.name},
            {player.player_id: player.origin for player in known if player.origin is not None},
        )

    async def _learn(self, players: Collection[UUID]) -> None:
        """Look up the kinds of these players."""
        unknown = [player for player in players if player not in self._players]
        if unknown:
            self._players |= await self._log.players(unknown)

    async def _notice_erasures(self) -> None:
        """Rate all games again if a player was erased from whose victories others had losses."""
        now = asyncio.get_running_loop().time()
        if now - self._noticed < ERASURES:
            return
        self._noticed = now
        found = await self._log.players(list(self._players))
        if any(self._players[player].name and not then.name for player, then in found.items()):
            self._forget()
        self._players = found

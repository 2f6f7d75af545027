"""The ladder: ratings computed from the games in the log, kept up to date whichever server appended their ends.

Nothing is stored: a server rates all games when it is first asked, and from then on those that ended since. Games that
arrive late, because their append took long, do not matter: the latest are rated again each time, in their order.
"""

import asyncio
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from uuid import UUID

from mcmulti.events.ports.accounts import Kind, Player
from mcmulti.events.ports.errors import LogError
from mcmulti.events.ports.game_index import Ended
from mcmulti.events.ports.log import Log
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
_FIRST = Ended(datetime(1970, 1, 1, tzinfo=UTC), UUID(int=0))


class LadderBoard:
    """The ladder of a log, as one server knows it."""

    def __init__(self, log: Log, referee: Referee) -> None:
        self._log = log
        self._players: dict[UUID, Player] = {}
        self._noticed = -ERASURES
        self._turn = asyncio.Lock()
        self._looking: asyncio.Task[None] | None = None
        self._forget()
        referee.forgetters.append(self._forget)

    def _forget(self) -> None:
        """The log went back: rated games may be gone."""
        self._settled = Ladder()
        self._mark = _FIRST
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
        if self._settled.verdict(game) is None:
            await self.look()
        return self._ladder.verdict(game)

    def standings(self, ruleset: str, kind: Kind) -> list[LadderRung]:
        """The ladder, as far as known."""
        if self._lists is None:
            self._lists = self._ladder.standings()
        return self._lists.get((ruleset, kind), [])

    async def _look_quietly(self) -> None:
        with suppress(LogError):  # callers that need ratings get the error themselves
            await self.look(AGE)

    async def _rate(self) -> None:
        await self._notice_erasures()
        settled, after = self._settled, self._mark
        sure = await self._log.now() - SETTLED
        ladder = settled
        while page := await self._log.rated(after, PAGE):
            starters = {player for game in page for player in game.starters if player is not None}
            await self._learn(starters)
            known = [self._players[player] for player in starters if player in self._players]
            kinds = {player.player_id: player.kind for player in known}
            erased = {player.player_id for player in known if not player.name}
            origins = {player.player_id: player.origin for player in known if player.origin is not None}
            if settled is not self._settled:
                return  # the log went back meanwhile
            for game in page:
                if ladder is settled and game.ended.at > sure:
                    ladder = settled.beyond()
                ladder.add(game, kinds, erased, origins)
                if ladder is settled:
                    self._mark = game.ended
            after = page[-1].ended
            await asyncio.sleep(0)
        self._ladder, self._lists = ladder, None

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

"""The tables of a series: their ids, who may look at them and sit down there, and when their seed is revealed.

As long as one of the tables is not over, what was rolled at the others would tell its players what comes. So until
then, only those who play at a table can read anything about it, and nobody plays at two.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

from mcmulti.api.admission.house import is_house_bot
from mcmulti.api.http.problems import ApiError
from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.commands import LeaveSeat
from mcmulti.domain.core.event import SeriesTable
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.accounts import Player
from mcmulti.events.ports.errors import UnknownGame
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.referee.referee import Referee
from mcmulti.referee.ruling import Refused

ID_VERSION = 8
"""The version of the ids of tables of a series: no other table has such an id, so others cost no query."""
VERSION_BIT = 76
"""Where the version is in the 128 bits of an id."""
SERIES = 10_000
"""The number of series of which is cached that they are over."""
LOOK_SECONDS = 0.5
"""How often it is checked whether a game has started whose stream others than its players read."""
_SPREADING = frozenset({"openBranch"})
"""Operations that show others how a game stands: those who play there may not use them either."""
_JOINING = "takeSeat"


def table_id(series: UUID, table: int) -> UUID:
    """The id of a table of a series; tables are counted from 1."""
    digest = int.from_bytes(sha256(f"mcmulti series\n{series}\n{table}".encode()).digest()[:16])
    others = (1 << 128) - 1 - (15 << VERSION_BIT) - (3 << 62)
    return UUID(int=digest & others | ID_VERSION << VERSION_BIT | 2 << 62)


def played_there(state: Any) -> tuple[str, ...]:
    """The ids of all who played a started game, or sit at a table before the start; those who sit there first."""
    left = (player for tenants in departures_of(state).tenants for player in tenants)
    return tuple(dict.fromkeys(player for player in (*state.player_ids, *left) if player is not None))


class SeriesDesk:
    """Knows which series are over, and lets in those who may look. A worker seats one player in a series at a time."""

    def __init__(self, referee: Referee) -> None:
        self._referee = referee
        self._over: LruCache[str, bool] = LruCache(SERIES)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def forget(self) -> None:
        """The log went back: games may go on that were over."""
        self._over.clear()

    async def tables(self, place: SeriesTable) -> list[Position]:
        """All tables of a series, in order."""
        found = []
        for table in range(1, place.tables + 1):
            with suppress(UnknownGame):  # the server was stopped when it had opened some of them
                found.append(await self._referee.position(table_id(UUID(place.series), table)))
        return found

    async def over(self, place: SeriesTable) -> bool:
        """Whether all tables of a series are over."""
        if self._over.get(place.series):
            return True
        if not all(at.ruleset.status(at.state) == "finished" for at in await self.tables(place)):
            return False
        return self._over.put(place.series, True)

    async def seed(self, at: Position) -> str | None:
        """The seed of a table, in hexadecimal, once its series is over; None before, and for tables of no series."""
        place = at.state.series
        if place is None or not await self.over(place):
            return None
        return (await self._referee.log.secret(at.game_id)).hex()

    async def let_in(self, game: UUID, caller: Player | None, operation: str) -> None:
        """Raise a problem if the caller may not use an operation of a game yet."""
        try:
            at = await self._referee.position(game)
        except UnknownGame:
            return  # the operation reports that
        place = at.state.series
        if place is None:
            return
        allowed = operation == _JOINING or self._sees(at, caller)
        if (not allowed or operation in _SPREADING) and not await self.over(place):
            raise ApiError("series_running", _RUNNING)

    async def shut(self, game: UUID, caller: Player | None) -> None:
        """Return as soon as the caller, who was admitted to a stream, may no longer read it; perhaps never."""
        while True:
            at = await self._referee.known(game)  # the stream follows the game, so this is where it stands
            if at.state.series is None or at.ruleset.status(at.state) != "open":
                break
            await asyncio.sleep(LOOK_SECONDS)
        place = at.state.series
        if place is None or self._sees(at, caller) or await self.over(place):
            await asyncio.Event().wait()

    @staticmethod
    def _sees(at: Position, caller: Player | None) -> bool:
        """Whether the caller may read a table while the series runs: before the start, nothing has been rolled."""
        if at.ruleset.status(at.state) == "open":
            return True
        return caller is not None and str(caller.player_id) in played_there(at.state)

    @asynccontextmanager
    async def seating(self, at: Position, player: Player) -> AsyncIterator[None]:
        """Until the block ends, a player may sit down at a table of a series. Raises a problem if it plays at another.

        Two servers may seat a player at two tables at the same moment: then it leaves both.
        """
        place = at.state.series
        if place is None:
            yield
            return
        turn = self._turns.setdefault(place.series, asyncio.Lock())
        async with turn:
            await self._only_here(at, player)
            yield
            try:
                await self._only_here(at, player)
            except ApiError:
                with suppress(Refused):
                    await self._referee.command(at.game_id, player, [LeaveSeat()])
                raise

    async def _only_here(self, at: Position, player: Player) -> None:
        if is_house_bot(player.player_id):
            return
        for other in await self.tables(at.state.series):
            if other.game_id != at.game_id and str(player.player_id) in played_there(other.state):
                said = f"You play at table {other.state.series.table} of this series, and its dice are the same."
                raise ApiError("series_seated", said)


_RUNNING = "Its dice are also those of tables that are not over. Until then, only the players of this table can look."

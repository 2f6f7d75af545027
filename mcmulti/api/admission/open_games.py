"""The limit of unfinished games that a player, and an address, can hold.

For players, the log counts them, so that all servers agree. For addresses, each worker only keeps a count in memory,
which is good enough, although it is lost in a restart.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID
from weakref import WeakValueDictionary

from mcmulti.api.admission.house import is_house_bot
from mcmulti.api.http.problems import ApiError
from mcmulti.events.ports.accounts import Kind, Player
from mcmulti.events.ports.game_index import ABANDONED
from mcmulti.events.ports.log import Log
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.metrics import QUOTA_REFUSALS

ADDRESSES = 1000
"""The number of addresses whose open games a worker remembers."""


class OpenGames:
    """Lets players open games and sit down while they, and their address, hold fewer than `most` open; None: no limit.

    Bots and people are counted separately, so that bots take no room from people at their address. A worker handles one
    request of a player at a time. Several servers may each let in one more at the same moment, and so may one address
    for each of its players.
    """

    def __init__(self, log: Log, most: int | None) -> None:
        self._log = log
        self._most = most
        self._turns: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self._opened: LruCache[tuple[str, Kind], set[UUID]] = LruCache(ADDRESSES)

    @asynccontextmanager
    async def room(self, player: Player, game: UUID | None, address: str | None = None) -> AsyncIterator[None]:
        """Until the block ends, there is room for a player to hold this game too; None: for one that has no id yet.

        This includes the limit of the `address`, if the game will be opened. A game that the player already holds needs
        no room: its opener sits down, or a request is repeated. House bots always have room, since the number of their
        games is limited elsewhere. Raises a problem if there is no room.
        """
        if self._most is None or is_house_bot(player.player_id):
            yield
            return
        turn = self._turns.setdefault(player.player_id, asyncio.Lock())
        async with turn:
            held = await self._log.open_games(player.player_id)
            full = len(held) >= self._most
            full = full or (address is not None and await self._held_at(address, player.kind) >= self._most)
            if full and game not in held:
                QUOTA_REFUSALS.labels("open_games").inc()
                raise ApiError("too_many_open_games", _DETAIL.format(self._most), quota="open_games", limit=self._most)
            yield

    def opened(self, player: Player, address: str, game: UUID) -> None:
        """A player opened a game."""
        if self._most is not None:
            key = (address, player.kind)
            (self._opened.get(key) or self._opened.put(key, set())).add(game)

    async def _held_at(self, address: str, kind: Kind) -> int:
        """The number of open games of an address. The log is queried only if there might be too many."""
        games = self._opened.get((address, kind)) or set()
        if self._most is not None and len(games) >= self._most:
            asked = {*games}
            games -= asked - await self._log.unfinished([*asked])  # others may have been opened meanwhile
        return len(games)


_DETAIL = (
    f"No more than {{}} games that are not over, and not older than {ABANDONED.days} days, for a player or an address: "
    "play one of them to its end."
)

"""How many games that are not over a player, and an address, may hold open at a time.

Of a player the log counts them, so that all servers agree. What an address opened is kept nowhere but in the memory of
a worker, which is as much as it is worth: whoever comes back after a restart begins anew.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID
from weakref import WeakValueDictionary

from mcmulti.api.admission.house import is_house_bot
from mcmulti.api.http.problems import ApiError
from mcmulti.events.store.lru_cache import LruCache
from mcmulti.events.store.ports import ABANDONED, Kind, Log, Player
from mcmulti.metrics import QUOTA_REFUSALS

ADDRESSES = 1000
"""Of how many addresses a worker remembers what they opened."""


class OpenGames:
    """Lets players open games and sit down while they, and their address, hold fewer than `most` open; None: always.

    Those of bots and those of people count apart, so that bots take no room from people at their address. Of one
    player a worker takes one request at a time: of several servers each may let in one more at the same moment, and
    of an address each of its players.
    """

    def __init__(self, log: Log, most: int | None) -> None:
        self._log = log
        self._most = most
        self._turns: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        self._opened: LruCache[tuple[str, Kind], set[UUID]] = LruCache(ADDRESSES)

    @asynccontextmanager
    async def room(self, player: Player, game: UUID | None, address: str | None = None) -> AsyncIterator[None]:
        """There is room for a player to hold this game too until the block ends; None: for one that has no id yet.

        At the `address` too, where the game is to be opened. One that the player holds already needs no room: its
        opener sits down at it, or a request is repeated. House bots always have room: how many games they play is
        bounded elsewhere. Raises a problem where there is none.
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
        """How many games are open at an address; the log is asked only where there might be too many."""
        games = self._opened.get((address, kind)) or set()
        if self._most is not None and len(games) >= self._most:
            asked = {*games}
            games -= asked - await self._log.unfinished([*asked])  # others may have been opened meanwhile
        return len(games)


_DETAIL = (
    f"No more than {{}} games that are not over, and not older than {ABANDONED.days} days, for a player or an address: "
    "play one of them to its end."
)

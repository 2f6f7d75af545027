"""Players' names, cached as long as renames are received."""

from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

import msgspec

from mcmulti.api.admission.callers import Callers
from mcmulti.domain.core.table import NOBODY, Called
from mcmulti.events.ports.accounts import PlayerStore, called
from mcmulti.events.store.lru_cache import LruCache

PLAYERS = 50_000
"""The number of players whose names are cached."""
TABLES = 10_000
"""The number of tables whose names are cached together."""


class Names(NamedTuple):
    """The names at a table, and a digest that changes with them; "" for nobody."""

    called: Called
    digest: str


class NameBook:
    """Finds players' names. It does not query the log each time while it is notified of changes."""

    def __init__(self, log: PlayerStore, callers: Callers) -> None:
        self._log = log
        self._callers = callers
        self._players: LruCache[str, str] = LruCache(PLAYERS)
        self._tables: LruCache[tuple[str, ...], Names] = LruCache(TABLES)
        self._changes = 0
        callers.followers.append(self.changed)

    async def lookup(self, players: tuple[str, ...]) -> Names:
        """The names of these players, by id; players without a name are missing. Raises `LogUnavailable`."""
        names = self._tables.get(players)
        if names is not None:
            return names
        known = {player: self._players.get(player) for player in players}
        unknown = [player for player, name in known.items() if name is None]
        changes, told = self._changes, self._callers.told
        found = await called(self._log, unknown)
        sure = told and changes == self._changes  # otherwise one may have changed during the query
        if sure:
            for player in unknown:
                self._players.put(player, found.get(player, ""))
        all_ = {player: name for player in players if (name := known[player] or found.get(player))}
        names = Names(all_, sha256(msgspec.json.encode(all_)).hexdigest()[:16]) if all_ else Names(NOBODY, "")
        return self._tables.put(players, names) if sure else names

    def changed(self, player_id: UUID | None) -> None:
        """A player was renamed, or anybody may have been (None)."""
        self._changes += 1
        self._tables.clear()
        if player_id is None:
            self._players.clear()
        else:
            self._players.drop(str(player_id))

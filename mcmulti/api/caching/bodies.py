"""A cache of response bodies: repeated requests get the same bytes."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any
from uuid import UUID

from mcmulti.events.store.lru_cache import LruCache
from mcmulti.metering import stepped

MOST = 64 * 2**20
"""The most bytes in the cache."""
APIECE = 600
"""Bytes of an entry in addition to its body: its key, its moment, and its place in the cache."""


class ResponseCache:
    """The latest body of each kind for each game and reader, with the moment that it describes."""

    def __init__(self, most: int = MOST) -> None:
        # By the integer of a game's id, which is faster for the dictionary and the garbage collector.
        self._bodies: LruCache[tuple[int, Hashable, int | None], tuple[Any, bytes]] = LruCache(
            most, lambda kept: APIECE + len(kept[1])
        )
        self._making: dict[tuple[int, Hashable, int | None, Any], asyncio.Task[bytes]] = {}

    def get(self, game_id: UUID, kind: Hashable, seat: int | None, moment: Any) -> bytes | None:
        """The cached body of this kind, of `moment`, for a seat or a spectator, or None.

        `moment` is everything else that the body depends on, in addition to the game, the kind, and the seat.
        """
        kept = self._bodies.get((game_id.int, kind, seat))
        return None if kept is None or kept[0] != moment else kept[1]

    async def get_or_make(
        self,
        game_id: UUID,
        kind: Hashable,
        seat: int | None,
        moment: Any,
        make: Callable[[], Coroutine[Any, Any, bytes]],
    ) -> bytes:
        """A body that takes long to make: concurrent requests share the work.

        If one of them is canceled, the others still get it. Raises what `make` raises.
        """
        body = self.get(game_id, kind, seat, moment)
        if body is not None:
            return body
        key = game_id.int, kind, seat, moment
        making = self._making.get(key)
        if making is None:
            making = self._making[key] = asyncio.create_task(stepped(make()))
            making.add_done_callback(lambda _: self._making.pop(key))
        return self.put(game_id, kind, seat, moment, await asyncio.shield(making))

    def clear(self) -> None:
        """Evict everything."""
        self._bodies.clear()

    def put(self, game_id: UUID, kind: Hashable, seat: int | None, moment: Any, body: bytes) -> bytes:
        """Cache a body that took long to make, and return it."""
        return self._bodies.put((game_id.int, kind, seat), (moment, body))[1]

"""What was written for a game as it stands: who asks again for the same gets the same bytes."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from uuid import UUID

BODIES = 4096
"""How many bodies are kept, some kilobytes each."""


class Written:
    """The latest body of each kind for each game and reader, with the moment that it is true of."""

    def __init__(self) -> None:
        self._bodies: OrderedDict[tuple[UUID, str, int | None], tuple[Any, bytes]] = OrderedDict()

    def body(self, game_id: UUID, kind: str, seat: int | None, moment: Any, write: Callable[[], bytes]) -> bytes:
        """The body of this kind, of `moment`, for a seat or an onlooker; written if it is not at hand.

        `moment` is everything besides the game, the kind and the seat that the body depends on.
        """
        key = game_id, kind, seat
        kept = self._bodies.get(key)
        if kept is not None and kept[0] == moment:
            self._bodies.move_to_end(key)
            return kept[1]
        body = write()
        self._bodies[key] = moment, body
        self._bodies.move_to_end(key)
        if len(self._bodies) > BODIES:
            self._bodies.popitem(last=False)
        return body

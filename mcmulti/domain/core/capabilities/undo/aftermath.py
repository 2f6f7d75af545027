"""Whether the moves of a request were taken back later."""

from collections.abc import Iterable

from mcmulti.domain.core.capabilities.undo.trail import DEPTH, MoveClosed, MovesTakenBack
from mcmulti.domain.core.event import Event


class Aftermath:
    """What happened to the moves of a request, read from its events and those after them, page by page.

    `undone` is None while they can still be taken back.
    """

    def __init__(self, events: Iterable[Event]) -> None:
        self._later = 0
        standing = 0
        for event in events:
            if isinstance(event, MovesTakenBack):
                standing = max(standing - event.moves, 0)
            elif isinstance(event, MoveClosed):
                standing = 0 if event.final else standing + 1
        self.undone: bool | None = None if standing else False

    def read(self, events: Iterable[Event]) -> None:
        """Read the events that came next."""
        for event in events:
            if self.undone is not None:
                return
            if isinstance(event, MovesTakenBack):
                self._later -= event.moves
                if self._later < 0:
                    self.undone = True
            elif isinstance(event, MoveClosed):
                if event.final or self._later + 1 == DEPTH:
                    self.undone = False
                else:
                    self._later += 1

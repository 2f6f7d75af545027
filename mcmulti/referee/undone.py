"""Whether what came of a request was taken back since."""

from collections.abc import Sequence
from typing import Any

from mcmulti.domain.core.capabilities.undo import DEPTH, MoveClosed, MovesTakenBack
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import event_decoder
from mcmulti.events.log.envelope import Recorded

_TELLING = (MoveClosed.__name__, MovesTakenBack.__name__)


class Aftermath:
    """What became of the moves of a request, from its events and those behind them, page by page.

    `undone` is None while they may still be taken back.
    """

    def __init__(self, ruleset: Ruleset[Any], events: Sequence[Recorded]) -> None:
        self._decode = event_decoder(ruleset.name, ruleset.version)
        self._later = 0
        standing = 0
        for happened in self._told(events):
            if isinstance(happened, MovesTakenBack):
                standing = max(standing - happened.moves, 0)
            else:
                standing = 0 if happened.final else standing + 1
        self.undone: bool | None = None if standing else False

    def read(self, events: Sequence[Recorded]) -> None:
        """What happened next."""
        for happened in self._told(events):
            if self.undone is not None:
                return
            if isinstance(happened, MovesTakenBack):
                self._later -= happened.moves
                if self._later < 0:
                    self.undone = True
            elif happened.final or self._later + 1 == DEPTH:
                self.undone = False
            else:
                self._later += 1

    def _told(self, events: Sequence[Recorded]) -> list[Any]:
        return [self._decode(event.data) for event in events if event.type in _TELLING]

"""Whether what came of a request was taken back since."""

from collections.abc import Iterable, Sequence
from typing import Any

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.takeback import MoveClosed, MovesTakenBack
from mcmulti.events.codec import event_decoder
from mcmulti.events.envelope import Recorded


def moved(events: Sequence[Recorded]) -> bool:
    """Whether moves that can be taken back are among what came of a request."""
    return any(event.type == MoveClosed.__name__ for event in events)


def taken_back(ruleset: Ruleset[Any], later: Iterable[Recorded]) -> bool | None:
    """Whether moves before these events, which follow on them, were taken back; None if they still may be."""
    decode, moves = event_decoder(ruleset.name, ruleset.version), 0
    for event in later:
        if event.type not in (MoveClosed.__name__, MovesTakenBack.__name__):
            continue
        happened = decode(event.data)
        if isinstance(happened, MovesTakenBack):
            moves -= happened.moves
        elif happened.final:
            return False
        else:
            moves += 1
        if moves < 0:
            return True
    return None

"""Counting what was appended, for who watches over a server."""

from collections.abc import Sequence

from mcmulti.domain.core.capabilities.leaving import SeatVacated
from mcmulti.domain.core.unasked import MovedUnasked
from mcmulti.events.log.codec import event_decoder
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.game_index import TenureRow
from mcmulti.metrics import DEADLINES_MISSED, MOVES_UNASKED, SEATS_VACATED, appended

_TOLD = (MovedUnasked.__name__, SeatVacated.__name__)


def count(before: Position, events: Sequence[Recorded], tenures: Sequence[TenureRow]) -> None:
    """Count events that were appended behind a position, and what they changed in who plays."""
    ruleset = before.ruleset
    appended(ruleset.name).inc(len(events))
    if tenures and (missed := sum(tenure.missed for tenure in tenures)):
        DEADLINES_MISSED.labels(ruleset.name).inc(missed)
    for event in events:
        if event.type in _TOLD:
            happened = event_decoder(ruleset.name, ruleset.version)(event.data)
            if isinstance(happened, MovedUnasked):
                MOVES_UNASKED.labels(ruleset.name, happened.why).inc()
            else:
                SEATS_VACATED.labels(ruleset.name, happened.why).inc()

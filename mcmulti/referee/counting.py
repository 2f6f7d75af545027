"""Metrics of appended events."""

from collections.abc import Sequence

from mcmulti.domain.core.course.tenure import TenureChange
from mcmulti.domain.core.event import Event
from mcmulti.metrics import DEADLINES_MISSED, HAPPENED, appended


def count(ruleset: str, events: Sequence[Event], tenures: Sequence[TenureChange]) -> None:
    """Count events that were appended to a game of this rule set, and their changes in who plays."""
    appended(ruleset).inc(len(events))
    if tenures and (missed := sum(tenure.missed for tenure in tenures)):
        DEADLINES_MISSED.labels(ruleset).inc(missed)
    for event in events:
        if event.counted:
            HAPPENED[event.counted].labels(ruleset, getattr(event, "why")).inc()  # noqa: B009

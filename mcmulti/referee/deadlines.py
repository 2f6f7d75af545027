"""Until when a round takes what seats send."""

from datetime import datetime, timedelta
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from mcmulti.events.positions import Position
from mcmulti.referee.ruling import Ruling


class RoundDeadline(NamedTuple):
    """Until when a round takes what seats send."""

    round: int
    at: datetime | None


def next_deadline(before: Position, ruling: Ruling) -> datetime | UnsetType | None:
    """When the game goes on without those it waits for now; unset if that stays as it was."""
    deadlines, events = before.ruleset.deadlines, ruling.events
    if deadlines is None:
        return UNSET
    was, now = deadlines.pace(before.state), deadlines.pace(ruling.position.state)
    if not events or (was and was.round) == (now and now.round):
        return UNSET
    return None if now is None else events[-1].recorded_at + timedelta(seconds=now.closes_after)

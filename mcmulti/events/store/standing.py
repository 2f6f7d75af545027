"""What the log keeps of where a game stands, as it follows from the events."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.rounds import Pace
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import fold
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.game_index import TableRow


def standing(
    ruleset: Ruleset[Any], state: Any, ended_by: str | None, deadline: datetime | UnsetType | None = UNSET
) -> TableRow:
    """Where a game in this state stands; `ended_by` is the rule that it ended by, if it is over."""
    status = ruleset.status(state)
    over = status == "finished"
    return TableRow(
        status,
        tuple([UUID(player) if player else None for player in ruleset.players(state)]),
        ruleset.to_move(state),
        ruleset.turn(state),
        ruleset.outcome(state).winners if over else None,
        ended_by if over else None,
        deadline,
        () if ruleset.deadlines is None else ruleset.deadlines.banks(state),
        getattr(ruleset.setup_of(state), "if_left", "passes"),
        _leavers(ruleset, state) if departures_of(state).tenants else (),
    )


def _leavers(ruleset: Ruleset[Any], state: Any) -> tuple[UUID | None, ...]:
    """Who left a game that it began with, by seat: those whose seat is empty, or had further tenants."""
    tenants, players = departures_of(state).tenants, ruleset.players(state)
    return tuple(
        UUID(each[0]) if len(each) > 1 or player is None else None
        for each, player in zip(tenants, players, strict=True)
    )


def behind(
    before: Position, events: Sequence[Recorded], after: Position, deadline: datetime | UnsetType | None
) -> TableRow:
    """Where a game stands that these events led to from `before`, when it was not over."""
    stands = standing(after.ruleset, after.state, None, deadline)
    return stands if stands.status != "finished" else replace(stands, ended_by=ending(before, events))


def ending(before: Position, events: Iterable[Recorded]) -> str | None:
    """The rule of the event with which a game was over; None if it goes on behind these."""
    state = before.state
    for event in events:
        state = fold(before.ruleset, [event], state)
        if before.ruleset.status(state) == "finished":
            return event.rule
    return None


def closing(pace: Pace, begun: datetime) -> datetime:
    """When a game that began to wait at this moment goes on without those it waits for."""
    return begun + timedelta(seconds=pace.closes_after)


def retraced(ruleset: Ruleset[Any], events: Iterable[Recorded], now: datetime | None = None) -> TableRow:
    """Where a game stands behind all its events, from the first on: what the log should say.

    But for the deadline, which comes later by what time was given back after outages. Given `now`, the time of whom
    the game waits for begins anew: where nobody knows how long nobody could move.
    """
    state: Any = None
    deadline: datetime | None = None
    ended_by: str | None = None
    before: Pace | None = None
    for event in events:
        state = fold(ruleset, [event], state)
        if ended_by is None and ruleset.status(state) == "finished":
            ended_by = event.rule
        pace = None if ruleset.deadlines is None else ruleset.deadlines.pace(state)
        if pace is None:
            deadline = None
        elif before is None or before.stretch != pace.stretch:
            deadline = closing(pace, event.recorded_at)
        elif deadline is not None:
            deadline += timedelta(seconds=pace.granted - before.granted)
        before = pace
    if now is not None and before is not None:
        deadline = closing(before, now)
    return standing(ruleset, state, ended_by, deadline)

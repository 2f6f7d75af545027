"""The rows of a game and of those who played it in the index, derived from the events."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec import UNSET, UnsetType

from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.capabilities.rating import for_practice
from mcmulti.domain.core.course.deadlines import next_due
from mcmulti.domain.core.course.standing import Due, Pace, Standing, TenureChange
from mcmulti.domain.core.course.terms import Terms
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import event_decoder, fold
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.game_index import TableRow, TenureRow


def row_of(
    ruleset: Ruleset[Any], state: Any, ended_by: str | None, deadline: datetime | UnsetType | None = UNSET
) -> TableRow:
    """The row of a game in this state; `ended_by`: the rule that ended it, if it is over."""
    return row(ruleset.terms(ruleset.setup_of(state)).standing(state), ended_by, deadline)


def row(stands: Standing, ended_by: str | None, deadline: datetime | UnsetType | None = UNSET) -> TableRow:
    """The row of a game with this standing."""
    ruleset, state = stands.ruleset, stands.state
    setup = ruleset.setup_of(state)
    over = stands.status == "finished"
    return TableRow(
        stands.status,
        tuple([UUID(player) if player else None for player in stands.players]),
        stands.to_move,
        stands.turn,
        ruleset.outcome(state).winners if over else None,
        ended_by if over else None,
        deadline,
        stands.banks,
        getattr(setup, "if_left", "passes"),
        _leavers(stands) if departures_of(state).tenants else (),
        for_practice(setup),
    )


def _leavers(stands: Standing) -> tuple[UUID | None, ...]:
    """Players who left a game that they began, by seat: their seat is vacant, or had later tenants."""
    return tuple(
        UUID(each[0]) if len(each) > 1 or player is None else None
        for each, player in zip(departures_of(stands.state).tenants, stands.players, strict=True)
    )


def ending(before: Position, events: Iterable[Recorded]) -> str | None:
    """The rule of the event that ended the game; None if it goes on after these."""
    state = before.state
    for event in events:
        state = fold(before.ruleset, [event], state)
        if before.ruleset.status(state) == "finished":
            return event.rule
    return None


def moved(deadline: datetime | None, due: Due | None, at: datetime) -> datetime | UnsetType | None:
    """The deadline after an event recorded at this moment changes it; unset if it does not change."""
    if due is None or (due.longer and deadline is None):
        return UNSET
    if due.after is not None:
        return at + timedelta(seconds=due.after)
    return deadline + timedelta(seconds=due.longer) if due.longer and deadline is not None else None


def retraced(ruleset: Ruleset[Any], events: Iterable[Recorded], now: datetime | None = None) -> TableRow:
    """The row of a game after all its events, from the first on.

    Only the deadline can differ, which is later by the time given back after outages. If `now` is given, the players
    that the game waits for get their whole time again, since nobody knows how long they could not move.
    """
    terms: Terms | None = None
    deadline: datetime | None = None
    ended_by: str | None = None
    state: Any = None
    pace: Pace | None = None
    for event in events:
        state = fold(ruleset, [event], state)
        if ended_by is None and ruleset.status(state) == "finished":
            ended_by = event.rule
        terms = terms or ruleset.terms(ruleset.setup_of(state))
        before, pace = pace, None if terms.deadlines is None else terms.deadlines.pace(state)
        told = moved(deadline, next_due(before, pace), event.recorded_at)
        deadline = deadline if isinstance(told, UnsetType) else told
    if now is not None and pace is not None:
        deadline = now + timedelta(seconds=pace.closes_after)
    return row_of(ruleset, state, ended_by, deadline)


def tenures(ruleset: Ruleset[Any], events: Sequence[Recorded]) -> tuple[TenureRow, ...]:
    """All tenures, from the first event on."""
    decode, state = event_decoder(ruleset.name, ruleset.version), fold(ruleset, events)
    terms = ruleset.terms(ruleset.setup_of(state))
    happened = [decode(event.data) for event in events]
    return rows(ruleset.name, terms.react(None, terms.standing(state), happened).tenures, events)


def rows(ruleset: str, changed: Sequence[TenureChange], events: Sequence[Recorded]) -> tuple[TenureRow, ...]:
    """The rows for what these events of a game of this rule set changed."""
    return tuple(
        TenureRow(
            UUID(each.player),
            ruleset,
            tuple(map(UUID, each.against)),
            None if each.began is None else events[each.began].recorded_at,
            each.substitute,
            each.result,
            each.missed,
            each.resigned,
            each.vacated,
        )
        for each in changed
    )

"""Who played a game, and what came of it for each, as it follows from the events."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from mcmulti.domain.core.capabilities.leaving import SeatVacated, SubstituteSatDown
from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.house import HOUSE
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import Table
from mcmulti.events.log.codec import event_decoder
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.ports.game_index import GameResult, TenureRow


def tenures(ruleset: Ruleset[Any], events: Sequence[Recorded], before: Any = None) -> tuple[TenureRow, ...]:
    """What events that follow on a state change in who plays; from the first event on, all there is to say of it."""
    decode, state = event_decoder(ruleset.name, ruleset.version), before
    found: dict[UUID, TenureRow] = {}
    for event in events:
        happened, earlier = decode(event.data), state
        state = happened.evolve(earlier)
        for told in _told(ruleset, earlier, happened, state, event):
            if str(told.player_id) not in HOUSE:
                _put(found, told)
    if _begins(ruleset, before, state, "finished"):
        for player in _players(ruleset, state):
            _put(found, _tenure(ruleset, state, player, result=_result(ruleset, state, player)))
    return tuple(found.values())


def changed(ruleset: Ruleset[Any], before: Any, events: Sequence[Recorded], after: Any) -> tuple[TenureRow, ...]:
    """The same for events that lead from one state to another, most of which change nothing: then none is folded."""
    misses = () if ruleset.deadlines is None else ruleset.deadlines.misses
    telling = {kind.__name__ for kind in (SeatVacated, SubstituteSatDown, *misses)}
    if ruleset.status(before) == ruleset.status(after) and telling.isdisjoint([event.type for event in events]):
        return ()
    return tenures(ruleset, events, before)


def _told(ruleset: Ruleset[Any], before: Any, happened: Any, after: Any, event: Recorded) -> Iterator[TenureRow]:
    """What one event says of who plays."""
    if _begins(ruleset, before, after, "running"):
        for player in _players(ruleset, after):
            yield _tenure(ruleset, after, player, began_at=event.recorded_at)
    elif isinstance(happened, SeatVacated):
        left = ruleset.players(before)[happened.seat]
        resigned, missed = happened.why == "resigned", happened.why == "missed"
        yield _tenure(ruleset, after, left, result="left", resigned=int(resigned), vacated=int(missed))
    elif isinstance(happened, SubstituteSatDown):
        came_back = happened.player in _players(ruleset, before)
        began_at = None if came_back else event.recorded_at
        yield _tenure(ruleset, after, happened.player, began_at=began_at, substitute=True)
        for other in ruleset.players(after):
            if other not in (None, happened.player):
                yield _tenure(ruleset, after, other)
    elif ruleset.deadlines is not None and type(happened) in ruleset.deadlines.misses:
        for seat in ruleset.deadlines.misses[type(happened)](before, happened):
            yield _tenure(ruleset, after, ruleset.players(before)[seat], missed=1)


def _begins(ruleset: Ruleset[Any], before: Any, after: Any, status: str) -> bool:
    """Whether a game was brought to this status."""
    return ruleset.status(after) == status and (before is None or ruleset.status(before) != status)


def _players(ruleset: Ruleset[Any], state: Table) -> tuple[str, ...]:
    """All who have played since the start, each once; house bots, who play for others, are nobody."""
    sitting = (player for player in ruleset.players(state) if player is not None)
    tenants = departures_of(state).tenants or tuple((player,) for player in sitting)
    return tuple(dict.fromkeys(player for each in tenants for player in each if player not in HOUSE))


def _tenure(ruleset: Ruleset[Any], state: Table, player: str | None, **told: Any) -> TenureRow:
    assert player is not None  # who left a seat, or let time pass there, sat there
    against = tuple(UUID(other) for other in _players(ruleset, state) if other != player)
    return TenureRow(UUID(player), ruleset.name, against, **told)


def _result(ruleset: Ruleset[Any], state: Table, player: str) -> GameResult:
    """What a game that is over came to for somebody who played it."""
    if departures_of(state).ended == "called_off":
        return "off"
    players, winners = ruleset.players(state), ruleset.outcome(state).winners
    if player not in players:
        return "left"
    if players.index(player) not in winners:
        return "lost"
    return "won" if len(winners) == 1 else "shared"


def _put(found: dict[UUID, TenureRow], told: TenureRow) -> None:
    before = found.get(told.player_id)
    found[told.player_id] = told if before is None else before.then(told)

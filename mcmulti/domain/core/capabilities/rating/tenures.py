"""Who played a game, with what result, derived from the events."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from mcmulti.domain.core.capabilities.leaving import SeatVacated, SubstituteSatDown
from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.course.standing import GameResult, TenureChange
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.table import HOUSE, Table

if TYPE_CHECKING:
    from mcmulti.domain.core.ruleset import Ruleset


TELLING = (SeatVacated, SubstituteSatDown)
"""Events that change who plays, apart from those that begin and end a game, and missed deadlines."""


def tenures(ruleset: "Ruleset[Any]", before: Any, events: Iterable[Event]) -> tuple[TenureChange, ...]:
    """How events after a state change who plays. For the first events of a game, everything so far."""
    state = before
    found: dict[str, TenureChange] = {}
    for number, event in enumerate(events):
        earlier, state = state, event.evolve(state)
        for told in _tenure_changes(ruleset, earlier, number, event, state):
            if told.player not in HOUSE:
                _put(found, told)
    if _begins(ruleset, before, state, "finished"):
        for player in _players(ruleset, state):
            _put(found, _tenure(ruleset, state, player, result=_result(ruleset, state, player)))
    return tuple(found.values())


def _tenure_changes(
    ruleset: "Ruleset[Any]", before: Any, number: int, event: Event, after: Any
) -> Iterator[TenureChange]:
    """How the event of this number changes who plays."""
    if _begins(ruleset, before, after, "running"):
        for player in _players(ruleset, after):
            yield _tenure(ruleset, after, player, began=number)
    elif isinstance(event, SeatVacated):
        left = ruleset.players(before)[event.seat]
        resigned, missed = event.why == "resigned", event.why == "missed"
        yield _tenure(ruleset, after, left, result="left", resigned=int(resigned), vacated=int(missed))
    elif isinstance(event, SubstituteSatDown):
        came_back = event.player in _players(ruleset, before)
        yield _tenure(ruleset, after, event.player, began=None if came_back else number, substitute=True)
        for other in ruleset.players(after):
            if other not in (None, event.player):
                yield _tenure(ruleset, after, other)
    elif ruleset.deadlines is not None and type(event) in ruleset.deadlines.misses:
        for seat in ruleset.deadlines.misses[type(event)](before, event):
            yield _tenure(ruleset, after, ruleset.players(before)[seat], missed=1)


def _begins(ruleset: "Ruleset[Any]", before: Any, after: Any, status: str) -> bool:
    """Whether this step brought a game to this status."""
    return ruleset.status(after) == status and (before is None or ruleset.status(before) != status)


def _players(ruleset: "Ruleset[Any]", state: Table) -> tuple[str, ...]:
    """All who have played since the start, each once, without house bots, which play for others."""
    sitting = (player for player in ruleset.players(state) if player is not None)
    tenants = departures_of(state).tenants or tuple((player,) for player in sitting)
    return tuple(dict.fromkeys(player for each in tenants for player in each if player not in HOUSE))


def _tenure(ruleset: "Ruleset[Any]", state: Table, player: str | None, **told: Any) -> TenureChange:
    assert player is not None  # whoever left a seat or missed a deadline sat there
    against = tuple(other for other in _players(ruleset, state) if other != player)
    return TenureChange(player, against, **told)


def _result(ruleset: "Ruleset[Any]", state: Table, player: str) -> GameResult:
    """The result of a finished game for one of its players."""
    if departures_of(state).ended == "called_off":
        return "off"
    players, winners = ruleset.players(state), ruleset.outcome(state).winners
    if player not in players:
        return "left"
    if players.index(player) not in winners:
        return "lost"
    return "won" if len(winners) == 1 else "shared"


def _put(found: dict[str, TenureChange], told: TenureChange) -> None:
    before = found.get(told.player)
    found[told.player] = told if before is None else before.then(told)

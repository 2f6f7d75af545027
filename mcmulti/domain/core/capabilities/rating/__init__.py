"""Rating: keeps track of what players played, their results, and how reliable they were, except in practice games."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta

from mcmulti.domain.core.capabilities import leaving
from mcmulti.domain.core.capabilities.capability import Capability
from mcmulti.domain.core.capabilities.leaving import SeatVacated, SubstituteSatDown
from mcmulti.domain.core.capabilities.leaving.departures import departures_of
from mcmulti.domain.core.course.standing import NOTHING, GameResult, Reaction, Standing, TenureChange
from mcmulti.domain.core.course.terms import SETUPS
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


PracticeOption = Annotated[
    bool,
    Meta(
        description="Whether the game is for practice (`table/practice`): it counts for no rating and no record, and "
        "the opener may play several seats."
    ),
]
"""The field of a setup."""


@lru_cache(maxsize=SETUPS)
def for_practice(setup: Any) -> bool:
    """Whether a table with this setup is for practice; never in a game without ratings."""
    practice: bool = getattr(setup, "practice", False)
    return practice


class Rating(Capability, frozen=True, kw_only=True):
    """Who played a game, with what result: the data of ratings and player records."""

    room: ClassVar[str] = __name__
    option: ClassVar[str | None] = "practice"
    needs: ClassVar[tuple[str, ...]] = (leaving.__name__,)

    def concerns(self, setup: Any) -> bool:
        """Practice games are not recorded (`table/practice`)."""
        return not setup.practice

    def react(self, before: Standing | None, after: Standing, events: Sequence[Event]) -> Reaction:
        """Most events change nothing here. Those are not folded."""
        if before is not None and before.status == after.status:
            deadlines = after.ruleset.deadlines
            misses = () if deadlines is None else deadlines.misses
            if not [event for event in events if isinstance(event, TELLING) or type(event) in misses]:
                return NOTHING
        return Reaction(tenures=tenures(after.ruleset, None if before is None else before.state, events))


MOST = 5
"""The most companions of a player at a table: further people who share the device of a practice table's opener. To the
rules each is a separate player.
"""
_CUSTOM = "8"
"""Version 8 of RFC 9562: ids of an application's own making. Nobody registers under one."""
COMPANION = f"^.{{14}}{_CUSTOM}.*[1-{MOST}]$"
"""A regular expression for the ids of companions, and no other."""


def companion(opener: str, game: str, number: int) -> str:
    """The id of a companion at a game, from the opener's id and a number from 1, with which it ends."""
    digits = sha256(f"companion {number} of {opener} at {game}".encode()).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-{_CUSTOM}{digits[13:16]}-8{digits[17:20]}-{digits[20:31]}{number}"


def companion_number(player: str) -> int | None:
    """The number of a companion, from its id; None for any other id."""
    return int(player[-1]) if player[14] == _CUSTOM and "1" <= player[-1] <= f"{MOST}" else None

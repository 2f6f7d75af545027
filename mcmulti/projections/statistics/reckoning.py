"""What decided a game, in numbers: who was ahead and when, income and spending, the biggest swings."""

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import Any, NamedTuple

from mcmulti.domain.core.capabilities.undo.trail import MovesTakenBack
from mcmulti.domain.core.course.posting import CAPITAL, seat_of
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.shown.gauges import Gauges, Holding
from mcmulti.domain.core.table import NOBODY, Called, presented
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.codec import event_decoder, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.events.store.redaction import Onlooking, legible
from mcmulti.projections.fold import Fold, Marks
from mcmulti.projections.statistics.game import GameStatistics, GameTally

SWINGS = 5
"""The number of the biggest swings in a report."""
END = 1_500
"""Approximate bytes of what is kept for the end of a turn."""


class Told(NamedTuple):
    """An event as a sentence, with its turn and its rule."""

    seq: int
    turn: int
    sentence: str
    rule: str


class Swing(NamedTuple):
    """What one event gained and cost each seat, in money, and what these seats had then."""

    told: Told
    amounts: dict[int, int]
    left: dict[int, int]


class Reckoning(NamedTuple):
    """What decided a game, as far as it has come.

    `endings`: the events that brought about its end, in order. `order`: the seats, winners first, then by money.
    `worth`: the total worth of each seat, null if only money counts. `leaders`: who was ahead at the end of each turn,
    and when the game was over.
    """

    ruleset: Ruleset[Any]
    statistics: GameStatistics
    endings: tuple[Told, ...]
    order: tuple[int, ...]
    money: tuple[int, ...]
    worth: tuple[int | None, ...]
    leaders: tuple[tuple[int, ...], ...]
    swings: tuple[Swing, ...]

    @property
    def second(self) -> int | None:
        """The best seat that did not win, or that is behind; None if all won."""
        first = self.statistics.winners or self.order[:1]
        return next((seat for seat in self.order if seat not in first), None)

    def net(self, seat: int) -> dict[str, int]:
        """What a seat received minus what it paid, by reason, without reasons that cancel out."""
        found = {flow.reason: flow.income - flow.spending for flow in self.statistics.flows if flow.seat == seat}
        return {reason: amount for reason, amount in found.items() if amount}

    def turns_ahead(self, seat: int) -> int:
        """The number of turns at whose end a seat was ahead, alone or with others."""
        return sum(seat in leaders for leaders in self.leaders)

    def ahead_since(self, seat: int) -> int | None:
        """The turn since which a seat was ahead until the end, from 1; None if it is not ahead."""
        since = None
        for turn, leaders in enumerate(self.leaders, 1):
            since = (since or turn) if seat in leaders else None
        return since


class _Moment(NamedTuple):
    """An event to be described later: the state before it, the event, and its rule."""

    seq: int
    turn: int
    before: Any
    happened: Any
    rule: str


class _Swung(NamedTuple):
    """A swing to be described later."""

    moment: _Moment
    amounts: dict[int, int]
    left: dict[int, int]
    size: int


class Reckoner(Fold):
    """What decides a game, collected event by event, as everybody may read them."""

    def __init__(self, ruleset: Ruleset[Any]) -> None:
        self._ruleset = ruleset
        self._decode = event_decoder(ruleset.name, ruleset.version)
        self._read = Onlooking()
        self._tally = GameTally(ruleset)
        self._endings: tuple[_Moment, ...] = ()
        self._swings: tuple[_Swung, ...] = ()
        self._ends: tuple[Gauges, ...] = ()
        self._marks: Marks[tuple[tuple[Gauges, ...], tuple[_Swung, ...]]] = Marks()
        self._state: Any = None

    def fits(self, now: Position) -> bool:
        return self._read.fits(now)

    @property
    def own(self) -> int:
        return self._tally.own + END * len(self._ends)

    def step(self, events: Sequence[Recorded], now: Position) -> None:
        self.add(self._read.legible(events, now))

    def add(self, events: Iterable[Recorded]) -> None:
        """Process the next events, which can be folded. Raises one of `game_statistics.UNSOUND`."""
        for event in events:
            self._add(event)

    def _add(self, event: Recorded) -> None:
        ruleset, happened, before = self._ruleset, self._decode(event.data), self._state
        self._state = state = ruleset.evolve(before, happened)
        self._tally.add(event)
        if before is not None and ruleset.turn(state) != ruleset.turn(before) > 0:
            self._ends = (*self._ends, ruleset.books.gauges(before))
        self._ends, self._swings = self._marks.after(happened, (self._ends, self._swings))
        amounts = {} if isinstance(happened, MovesTakenBack) else _amounts(ruleset, happened)
        swung = max(map(abs, amounts.values()), default=0)
        moment = _Moment(event.seq, ruleset.turn(state), before, happened, event.rule)
        if _brings_the_end(ruleset, before, state):
            self._endings = (*self._endings, moment)
        if swung > (self._swings[-1].size if len(self._swings) == SWINGS else 0):
            left = {holding.seat: _money(ruleset, holding) for holding in ruleset.books.gauges(state).holdings}
            swings = [*self._swings, _Swung(moment, amounts, left, swung)]
            self._swings = tuple(nlargest(SWINGS, swings, key=lambda swing: swing.size))

    def reckoning(self, language: Language = "en", called: Called = NOBODY) -> Reckoning:
        """What decided the game so far; `called`: the players' names. Raises ValueError if there are no events."""
        if self._state is None:
            raise ValueError("a game without events has nothing to reckon")
        ruleset, state = self._ruleset, presented(self._state, called)

        def told(moment: _Moment) -> Told:
            before = None if moment.before is None else presented(moment.before, called)
            return Told(moment.seq, moment.turn, ruleset.texts.tell(before, moment.happened, language), moment.rule)

        last = ruleset.books.gauges(state)
        ends = (*self._ends, last) if ruleset.turn(state) else self._ends
        winners = ruleset.outcome(state).winners
        money = tuple(_money(ruleset, holding) for holding in last.holdings)
        swings = (Swing(told(each.moment), each.amounts, each.left) for each in self._swings)
        return Reckoning(
            ruleset,
            self._tally.named(called).statistics(),
            tuple(map(told, self._endings)),
            tuple(sorted(range(len(money)), key=lambda seat: (seat not in winners, -money[seat]))),
            money,
            tuple(holding.worth for holding in last.holdings),
            tuple(_leaders(ruleset, end) for end in ends),
            tuple(sorted(swings, key=lambda swing: swing.told.seq)),
        )


def reckoning(events: Sequence[Recorded], language: Language = "en", called: Called = NOBODY) -> Reckoning:
    """What decided a game, from its first event on. Raises one of `game_statistics.UNSOUND`."""
    readable = legible(events)
    if not readable:
        raise ValueError("a game without events has nothing to reckon")
    reckoner = Reckoner(opened_with(readable[0]))
    reckoner.add(readable)
    return reckoner.reckoning(language, called)


def _brings_the_end(ruleset: Ruleset[Any], before: Any, after: Any) -> bool:
    """Whether this event brought about the end, or the game was over."""
    if before is None:
        return False
    declared = (ruleset.outcome(state).declared_by for state in (before, after))
    return ruleset.status(before) != ruleset.status(after) == "finished" or len(set(declared)) > 1


def _amounts(ruleset: Ruleset[Any], happened: Any) -> dict[int, int]:
    """What an event gained or cost each seat in money, without starting capital."""
    found: Counter[int] = Counter()
    for moved in ruleset.books.transfers(happened):
        if moved.unit == ruleset.books.money and moved.reason != CAPITAL:
            for account, amount in ((moved.source, -moved.amount), (moved.target, moved.amount)):
                seat = seat_of(account)
                if seat is not None:
                    found[seat] += amount
    return {seat: amount for seat, amount in found.items() if amount}


def _money(ruleset: Ruleset[Any], holding: Holding) -> int:
    return holding.amounts[ruleset.books.money]


def _leaders(ruleset: Ruleset[Any], end: Gauges) -> tuple[int, ...]:
    """The seats that are ahead: in total worth, or in money if nothing else counts."""
    worth = {
        holding.seat: _money(ruleset, holding) if holding.worth is None else holding.worth for holding in end.holdings
    }
    most = max(worth.values(), default=0)
    return tuple(seat for seat, each in worth.items() if each == most)

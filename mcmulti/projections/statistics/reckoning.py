"""What decided a game, in figures: who was ahead and when, what everybody got and paid for, what moved most at once."""

from collections import Counter
from collections.abc import Sequence
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
from mcmulti.events.store.redaction import legible
from mcmulti.projections.proof.counted_back import Marks
from mcmulti.projections.statistics.game import GameStatistics, GameTally

SWINGS = 5
"""How many of the biggest swings are told."""


class Told(NamedTuple):
    """An event in its sentence, with the turn it happened in and the rule it follows from."""

    seq: int
    turn: int
    sentence: str
    rule: str


class Swing(NamedTuple):
    """What one event brought and took, in money by seat, and what these seats had then."""

    told: Told
    amounts: dict[int, int]
    left: dict[int, int]

    @property
    def size(self) -> int:
        """The most that one seat got or lost."""
        return max(map(abs, self.amounts.values()))


class Reckoning(NamedTuple):
    """What decided a game, as far as it got.

    `endings`: the events that brought its end about, in order. `order`: the seats, winners first, then those with most
    money. `worth` is what all they have is worth, null where nothing but money counts. `leaders`: who was ahead at the
    end of each turn, and when the game was over.
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
        """The best of those that did not win, or that are behind; None where all won."""
        first = self.statistics.winners or self.order[:1]
        return next((seat for seat in self.order if seat not in first), None)

    def net(self, seat: int) -> dict[str, int]:
        """What a seat got less what it paid, by reason; nothing for a reason that came to nothing."""
        found = {flow.reason: flow.income - flow.spending for flow in self.statistics.flows if flow.seat == seat}
        return {reason: amount for reason, amount in found.items() if amount}

    def turns_ahead(self, seat: int) -> int:
        """At the end of how many turns a seat was ahead, alone or with others."""
        return sum(seat in leaders for leaders in self.leaders)

    def ahead_since(self, seat: int) -> int | None:
        """The turn since which a seat was ahead to the end, from 1; None if it is not."""
        since = None
        for turn, leaders in enumerate(self.leaders, 1):
            since = (since or turn) if seat in leaders else None
        return since


def reckoning(events: Sequence[Recorded], language: Language = "en", called: Called = NOBODY) -> Reckoning:
    """What decided a game, from its first event on. Raises one of `game_statistics.UNSOUND`."""
    readable = legible(events)
    if not readable:
        raise ValueError("a game without events has nothing to reckon")
    ruleset = opened_with(readable[0])
    tally = GameTally(ruleset, called)
    decode = event_decoder(ruleset.name, ruleset.version)
    endings: list[Told] = []
    swings: list[Swing] = []
    ends: list[Gauges] = []
    marks: Marks[tuple[list[Gauges], list[Swing]]] = Marks()
    state: Any = None
    for event in readable:
        happened = decode(event.data)
        before, state = state, presented(ruleset.evolve(state, happened), called)
        tally.add(event)
        if before is not None and ruleset.turn(state) != ruleset.turn(before) > 0:
            ends = [*ends, ruleset.books.gauges(before)]
        ends, swings = marks.after(happened, (ends, swings))
        amounts = {} if isinstance(happened, MovesTakenBack) else _amounts(ruleset, happened)
        swung = max(map(abs, amounts.values()), default=0)
        big = swung > (swings[-1].size if len(swings) == SWINGS else 0)
        ended = _brings_the_end(ruleset, before, state)
        if not big and not ended:
            continue
        told = Told(event.seq, ruleset.turn(state), ruleset.texts.tell(before, happened, language), event.rule)
        if ended:
            endings.append(told)
        if big:
            left = {holding.seat: _money(ruleset, holding) for holding in ruleset.books.gauges(state).holdings}
            swings = nlargest(SWINGS, [*swings, Swing(told, amounts, left)], key=lambda swing: swing.size)
    last = ruleset.books.gauges(state)
    if ruleset.turn(state):
        ends.append(last)
    winners = ruleset.outcome(state).winners
    money = tuple(_money(ruleset, holding) for holding in last.holdings)
    return Reckoning(
        ruleset,
        tally.statistics(),
        tuple(endings),
        tuple(sorted(range(len(money)), key=lambda seat: (seat not in winners, -money[seat]))),
        money,
        tuple(holding.worth for holding in last.holdings),
        tuple(_leaders(ruleset, end) for end in ends),
        tuple(sorted(swings, key=lambda swing: swing.told.seq)),
    )


def _brings_the_end(ruleset: Ruleset[Any], before: Any, after: Any) -> bool:
    """Whether somebody brought the end about, or the game was over."""
    if before is None:
        return False
    declared = (ruleset.outcome(state).declared_by for state in (before, after))
    return ruleset.status(before) != ruleset.status(after) == "finished" or len(set(declared)) > 1


def _amounts(ruleset: Ruleset[Any], happened: Any) -> dict[int, int]:
    """What an event brought each seat in money, or took; not what the game begins with."""
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
    """Who has most: of what all is worth, or of money where nothing else counts."""
    worth = {
        holding.seat: _money(ruleset, holding) if holding.worth is None else holding.worth for holding in end.holdings
    }
    most = max(worth.values(), default=0)
    return tuple(seat for seat, each in worth.items() if each == most)

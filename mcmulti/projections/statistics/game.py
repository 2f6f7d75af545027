"""One game in numbers: dice, luck, income and spending, duration, winners."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from mcmulti.domain.core.capabilities.leaving import SeatVacated, SubstituteSatDown
from mcmulti.domain.core.capabilities.undo.trail import MoveClosed, MovesTakenBack
from mcmulti.domain.core.course.posting import Amount, seat_of
from mcmulti.domain.core.figures import (
    MOST_SEATS,
    Code,
    Count,
    Money,
    PlayerId,
    PlayerName,
    RulesetName,
    Seat,
    SeatName,
    Seats,
)
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.shown.gauges import RowName
from mcmulti.domain.core.shown.outcome import Outcome
from mcmulti.domain.core.table import NOBODY, Called, presented
from mcmulti.events.log.codec import UnknownRuleset, event_decoder, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.positions import Position
from mcmulti.projections.fold import STATE, Fold, Marks
from mcmulti.projections.proof.fairness import FACES, DieStatistics, by_die, die_statistics

UNSOUND = (
    msgspec.DecodeError,
    UnknownRuleset,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""Exceptions of decoding and folding an invalid log."""
COUNT = 250
"""Approximate bytes of a count, including its undo data."""


class SeatLuck(Struct, frozen=True):
    """What the dice brought a seat, compared with the average over all ways they could have fallen.

    `kind`: the kind of luck, a word of the rule set. `actual`: what they brought. `expected`: what the same rolls would
    have brought on average.
    """

    seat: Seat
    kind: Code
    actual: Count
    expected: Annotated[float, Meta(ge=0)]


class CashFlow(Struct, frozen=True):
    """What a seat received and paid for one reason in the whole game.

    `reason`: why, as in the ledger. `income`: what the seat received, in money. `spending`: what the seat paid, in
    money.
    """

    seat: Seat
    reason: Code
    income: Money
    spending: Money


class TallyRow(Struct, frozen=True):
    """A row of a table that the rule set keeps in addition to the books.

    `table`: the table, a word of the rule set. `figures`: the numbers of the row by the words for the columns, in
    order.
    """

    table: Code
    seat: Seat | None
    name: RowName | None
    figures: dict[Code, Amount]


class Tenure(Struct, frozen=True):
    """A player of a seat for a part of the game.

    `player`: the player's id. `name`: the player's name, null if no name is known. `began`: the number of the turn in
    which the player sat down, null for the start. `left`: the number of the turn in which the player left, null for the
    end.
    """

    seat: Seat
    player: PlayerId
    name: PlayerName | None
    began: Count | None
    left: Count | None


class GameStatistics(Struct, frozen=True):
    """A game in numbers.

    `names`: who played each seat, null for an empty one, and if no name is known. `tenures`: who played which seat from
    when to when, by seat; empty as long as nobody has left. `events`: the number of events. `turns`: the number of
    turns that began. `seconds`: from the first event to the last. `winners`: the seats that won, empty before the end.
    `declared_by`: the seat that brought about the end, null before. `decided_by`: what decided the victory, a word of
    the rule set, or how the players ended the game early; null before the end. `dice`: each die and, last, all of them
    together. `luck`: by seat and kind. `flows`: income and spending by seat and reason. `tallies`: the rows of all
    tables that the rule set keeps, table by table.
    """

    ruleset: RulesetName
    status: Literal["open", "running", "finished"]
    names: Annotated[tuple[SeatName | None, ...], Meta(max_length=MOST_SEATS)]
    tenures: tuple[Tenure, ...]
    events: Count
    turns: Count
    seconds: Annotated[float, Meta(ge=0)]
    winners: Seats
    declared_by: Seat | None
    decided_by: Code | None
    dice: tuple[DieStatistics, ...]
    luck: tuple[SeatLuck, ...]
    flows: tuple[CashFlow, ...]
    tallies: tuple[TallyRow, ...]


class GameTally(Fold):
    """Counts a game event by event. Keeps the counts and the latest state, and no events."""

    def __init__(self, ruleset: Ruleset[Any], called: Called = NOBODY) -> None:
        self.ruleset = ruleset
        self._called = called
        self.thrown: Counter[tuple[str, int]] = Counter()
        """How often each die showed a face."""
        self.hits: Counter[tuple[int, str]] = Counter()
        self.chances: Counter[tuple[int, str, int]] = Counter()
        """Sums of `Luck.expected`, by seat, kind, and ways."""
        self.income: Counter[tuple[int, str]] = Counter()
        self.spending: Counter[tuple[int, str]] = Counter()
        self.tallied: Counter[tuple[str, int | None, str | None, str]] = Counter()
        """By table, seat, name and column."""
        self._marks: Marks[tuple[Counter[Any], ...]] = Marks()
        self.events = 0
        self._moves: list[tuple[int, int]] = []
        """The seat and turn of each departure and arrival, in order."""
        self._decode: Callable[[bytes], Any] = event_decoder(ruleset.name, ruleset.version)
        self._state: Any = None
        self._began: datetime | None = None
        self._latest: datetime | None = None

    @property
    def own(self) -> int:
        counts = len(self.hits) + len(self.chances) + len(self.income) + len(self.spending) + len(self.tallied)
        return STATE + COUNT * counts

    def step(self, events: Iterable[Recorded], now: Position | None = None) -> None:
        """Raises one of `UNSOUND` for an event that is not sound."""
        for event in events:
            self.add(event)

    def named(self, called: Called) -> "GameTally":
        """An independent copy with these names of players."""
        found = copy(self)
        found._called, found._state = called, presented(self._state, called)
        return found

    def add(self, event: Recorded) -> None:
        """Count the next event, from the first on. Raises one of `UNSOUND` for an invalid event."""
        happened = self._decode(event.data)
        for die in self.ruleset.dice.thrown(happened):
            self.thrown[die.name, die.face] += 1
        if self._state is not None:
            for luck in self.ruleset.dice.luck(self._state, happened):
                self.hits[luck.seat, luck.kind] += luck.actual
                self.chances[luck.seat, luck.kind, luck.ways] += luck.expected
        back = isinstance(happened, MovesTakenBack)
        for moved in () if back else self.ruleset.books.transfers(happened):
            payer, payee = seat_of(moved.source), seat_of(moved.target)
            if moved.unit == self.ruleset.books.money and payer != payee:  # laying money aside is not spending
                if payer is not None:
                    self.spending[payer, moved.reason] += moved.amount
                if payee is not None:
                    self.income[payee, moved.reason] += moved.amount
        if self.ruleset.tallies is not None:
            for row in self.ruleset.tallies.tallied(self._state, happened):
                for column, amount in row.figures.items():
                    self.tallied[row.table, row.seat, row.name, column] += amount
        if back or isinstance(happened, MoveClosed):
            counted = (self.income.copy(), self.spending.copy(), self.tallied.copy())
            self.income, self.spending, self.tallied = map(Counter.copy, self._marks.after(happened, counted))
        if isinstance(happened, SeatVacated | SubstituteSatDown):
            self._moves.append((happened.seat, self.turns))
        self._state = presented(self.ruleset.evolve(self._state, happened), self._called)
        self.events += 1
        self._began = self._began or event.recorded_at
        self._latest = event.recorded_at

    @property
    def status(self) -> str:
        """``open``, ``running`` or ``finished``."""
        return self.ruleset.status(self._state)

    @property
    def outcome(self) -> Outcome:
        """Who plays, and who won."""
        return self.ruleset.outcome(self._state)

    @property
    def turns(self) -> int:
        """How many turns have begun."""
        return self.ruleset.turn(self._state)

    @property
    def seconds(self) -> float:
        """From the first event to the last."""
        return (self._latest - self._began).total_seconds() if self._began and self._latest else 0.0

    def expected(self) -> dict[tuple[int, str], float]:
        """The expected luck, by seat and kind."""
        found: defaultdict[tuple[int, str], float] = defaultdict(float)
        for (seat, kind, ways), chances in self.chances.items():
            found[seat, kind] += chances / ways
        return found

    def tallies(self) -> Iterator[TallyRow]:
        """The rows of all tables, each with all its columns: table by table, by seat and then by name."""
        columns = {} if self.ruleset.tallies is None else self.ruleset.tallies.columns
        rows = {(table, seat, name) for table, seat, name, _ in self.tallied}
        for table, named in columns.items():
            keys = ((seat, name) for held, seat, name in rows if held == table)
            for seat, name in sorted(keys, key=lambda key: (key[0] is None, key[0] or 0, key[1] or "")):
                yield TallyRow(table, seat, name, {each: self.tallied[table, seat, name, each] for each in named})

    def _tenures(self) -> tuple[Tenure, ...]:
        """Who played which seat: on each seat, departures and arrivals alternate."""
        found = []
        for seat, tenants in enumerate(self._state.departures.tenants):
            turns = (None, *(turn for moved, turn in self._moves if moved == seat), None)
            for number, player in enumerate(tenants):
                began, left = turns[2 * number : 2 * number + 2]
                found.append(Tenure(seat, player, self._called.get(player), began, left))
        return tuple(found)

    def statistics(self) -> GameStatistics:
        """The statistics so far. Requires at least one event."""
        outcome = self.outcome
        return GameStatistics(
            self.ruleset.name,
            self.status,  # type: ignore[arg-type]
            outcome.names,
            self._tenures(),
            self.events,
            self.turns,
            self.seconds,
            outcome.winners,
            outcome.declared_by,
            outcome.decided_by,
            tuple(dice(self.thrown)),
            tuple(
                SeatLuck(seat, kind, self.hits[seat, kind], expected)
                for (seat, kind), expected in sorted(self.expected().items())
            ),
            tuple(
                CashFlow(seat, reason, self.income[seat, reason], self.spending[seat, reason])
                for seat, reason in sorted({*self.income, *self.spending})
            ),
            tuple(self.tallies()),
        )


def game_statistics(events: Iterable[Recorded], called: Called = NOBODY) -> GameStatistics:
    """The statistics of a game, from its first event on. Raises one of `UNSOUND`, such as ValueError if there are no
    events.
    """
    tally: GameTally | None = None
    for event in events:
        tally = tally or GameTally(opened_with(event), called)
        tally.add(event)
    if tally is None:
        raise ValueError("a game without events has no statistics")
    return tally.statistics()


def dice(thrown: Counter[tuple[str, int]]) -> Iterator[DieStatistics]:
    """Every die, and all of them together."""
    faces = by_die(thrown)
    for name, counts in faces.items():
        yield die_statistics(name, counts)
    yield die_statistics("all", [sum(column) for column in zip(*faces.values(), strict=True)] or [0] * FACES)

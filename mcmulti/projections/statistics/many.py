"""Statistics of many games, counted in a stream: memory does not grow with the number of events."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from math import lcm, sqrt
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST_SEATS, Code, Count, RulesetName, Seat
from mcmulti.domain.core.shown.gauges import RowName
from mcmulti.domain.core.table import NOBODY, Called
from mcmulti.events.log.codec import opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.proof.fairness import DieStatistics
from mcmulti.projections.statistics.game import UNSOUND, GameTally, dice

OTHERS = "others"
MOST_STRATEGIES = 1000
"""The most strategies that are counted separately; others are combined as `OTHERS`, so that memory is bounded."""

Average = Annotated[float, Meta(ge=0)]
Share = Annotated[float, Meta(ge=0, le=1)]
Strategist = Callable[[str], str]
"""Returns a player's strategy, given its name, which is all that is known."""


class GameCount(Struct, frozen=True):
    """The number of games with a number of seats and a status."""

    players: Annotated[int, Meta(ge=0, le=MOST_SEATS)]
    status: Code
    games: Count


class Spread(Struct, frozen=True):
    """A value over several games: mean, sample standard deviation (0 for one game), least and greatest."""

    mean: Average
    deviation: Average
    least: Average
    most: Average


class SeatWins(Struct, frozen=True):
    """How often a seat won, alone or shared, in finished games with this number of players."""

    players: Annotated[int, Meta(ge=1, le=MOST_SEATS)]
    seat: Seat
    games: Count
    wins: Count
    rate: Share


class StrategyWins(Struct, frozen=True):
    """How often a strategy won, alone or shared, out of its seats in finished games.

    `fair`: the rate if all players were equally good: one over the number of players, on average.
    """

    strategy: Annotated[str, Meta(min_length=1, max_length=100)]
    seats: Count
    wins: Count
    rate: Share
    fair: Share


class AverageFlow(Struct, frozen=True):
    """What a player received and paid for one reason in a finished game on average, in money."""

    reason: Code
    income: Average
    spending: Average


class AverageLuck(Struct, frozen=True):
    """What the dice brought of a kind of luck in all games, compared with the expected value."""

    kind: Code
    actual: Count
    expected: Average


class AverageTally(Struct, frozen=True):
    """The average of a row of a table that the rule set keeps.

    `name`: the subject of the row; null for rows about a player. `rows`: the number of such rows in finished games.
    `figures`: their means by the words for the columns.
    """

    table: Code
    name: RowName | None
    rows: Count
    figures: dict[Code, float]


class RulesetStatistics(Struct, frozen=True):
    """All games of one rule set. Lengths, wins, money, and tallies are those of finished games; lengths are null if
    there are none.
    """

    ruleset: RulesetName
    games: tuple[GameCount, ...]
    turns: Spread | None
    events: Spread | None
    seconds: Spread | None
    seats: tuple[SeatWins, ...]
    strategies: tuple[StrategyWins, ...]
    flows: tuple[AverageFlow, ...]
    luck: tuple[AverageLuck, ...]
    dice: tuple[DieStatistics, ...]
    tallies: tuple[AverageTally, ...]


class Statistics(Struct, frozen=True):
    """Statistics of many games. `unreadable`: the number of games with an unknown rule set or events that do not fold.
    `damaged`: the number of games whose log is not what was appended. Nothing else is counted of either.
    """

    events: Count
    games: Count
    unreadable: Count
    damaged: Count
    rulesets: tuple[RulesetStatistics, ...]


_PARTS = lcm(*range(1, MOST_SEATS + 1))
"""The parts of one game: divisible by any number of players, so that each has an integer share."""


class _Figure:
    """Mean and spread of a value in one pass (Welford, Technometrics 4, 1962)."""

    def __init__(self) -> None:
        self._number = 0
        self._mean = self._squares = 0.0
        self._least = self._most = 0.0

    def add(self, value: float) -> None:
        self._least = min(self._least, value) if self._number else value
        self._most = max(self._most, value)
        self._number += 1
        away = value - self._mean
        self._mean += away / self._number
        self._squares += away * (value - self._mean)

    def spread(self) -> Spread | None:
        if not self._number:
            return None
        deviation = sqrt(self._squares / (self._number - 1)) if self._number > 1 else 0.0
        return Spread(self._mean, deviation, self._least, self._most)


class _RulesetTally:
    """The counts of one rule set's games."""

    def __init__(self) -> None:
        self._games: Counter[tuple[int, str]] = Counter()
        self._turns, self._events, self._seconds = _Figure(), _Figure(), _Figure()
        self._seat_games: Counter[tuple[int, int]] = Counter()
        self._seat_wins: Counter[tuple[int, int]] = Counter()
        self._strategy_seats: Counter[str] = Counter()
        self._strategy_wins: Counter[str] = Counter()
        self._strategy_fair: Counter[str] = Counter()
        self._income: Counter[str] = Counter()
        self._spending: Counter[str] = Counter()
        self._hits: Counter[str] = Counter()
        self._chances: Counter[tuple[str, int]] = Counter()
        self._thrown: Counter[tuple[str, int]] = Counter()
        self._rows: Counter[tuple[str, str | None]] = Counter()
        self._sums: dict[tuple[str, str | None], Counter[str]] = {}

    def add(self, game: GameTally, strategist: Strategist) -> None:
        self._thrown.update(game.thrown)
        for (_, kind, ways), chances in game.chances.items():
            self._chances[kind, ways] += chances
        for (_, kind), hits in game.hits.items():
            self._hits[kind] += hits
        players = len(game.outcome.names)
        self._games[players, game.status] += 1
        if game.status == "finished":
            self._add_finished(game, players, strategist)

    def _add_finished(self, game: GameTally, players: int, strategist: Strategist) -> None:
        self._turns.add(game.turns)
        self._events.add(game.events)
        self._seconds.add(game.seconds)
        for (_, reason), amount in game.income.items():
            self._income[reason] += amount
        for (_, reason), amount in game.spending.items():
            self._spending[reason] += amount
        for row in game.tallies():
            self._rows[row.table, row.name] += 1
            self._sums.setdefault((row.table, row.name), Counter()).update(row.figures)
        for seat, name in enumerate(game.outcome.names):
            won = seat in game.outcome.winners
            self._seat_games[players, seat] += 1
            self._seat_wins[players, seat] += won
            strategy = strategist(name or "")
            if strategy not in self._strategy_seats and len(self._strategy_seats) >= MOST_STRATEGIES:
                strategy = OTHERS
            self._strategy_seats[strategy] += 1
            self._strategy_wins[strategy] += won
            self._strategy_fair[strategy] += _PARTS // players

    def _expected(self) -> dict[str, float]:
        found: defaultdict[str, float] = defaultdict(float)
        for (kind, ways), chances in self._chances.items():
            found[kind] += chances / ways
        return found

    def statistics(self, ruleset: str) -> RulesetStatistics:
        seats = sum(self._seat_games.values())
        return RulesetStatistics(
            ruleset,
            tuple(GameCount(players, status, games) for (players, status), games in sorted(self._games.items())),
            self._turns.spread(),
            self._events.spread(),
            self._seconds.spread(),
            tuple(
                SeatWins(players, seat, games, self._seat_wins[players, seat], self._seat_wins[players, seat] / games)
                for (players, seat), games in sorted(self._seat_games.items())
            ),
            tuple(
                StrategyWins(
                    strategy,
                    seats_had,
                    self._strategy_wins[strategy],
                    self._strategy_wins[strategy] / seats_had,
                    self._strategy_fair[strategy] / (_PARTS * seats_had),
                )
                for strategy, seats_had in sorted(self._strategy_seats.items())
            ),
            tuple(
                AverageFlow(reason, self._income[reason] / seats, self._spending[reason] / seats)
                for reason in sorted({*self._income, *self._spending})
            ),
            tuple(AverageLuck(kind, self._hits[kind], expected) for kind, expected in sorted(self._expected().items())),
            tuple(dice(self._thrown)),
            tuple(
                AverageTally(*row, rows, {column: amount / rows for column, amount in self._sums[row].items()})
                for row, rows in sorted(self._rows.items(), key=lambda each: (each[0][0], each[0][1] or ""))
            ),
        )


class Tally:
    """Counts games event by event, game after game, each from its first event on."""

    def __init__(self, strategist: Strategist = str) -> None:
        self._strategist = strategist
        self._rulesets: defaultdict[str, _RulesetTally] = defaultdict(_RulesetTally)
        self._playing: UUID | None = None
        self._game: GameTally | None = None
        self._events = self._games = self._unreadable = self._damaged = 0

    def pass_over(self, game_id: UUID) -> None:
        """Skip a damaged game: discard its counts so far, except the number of its events."""
        if game_id != self._playing:
            self._begin_tally(game_id)
        elif self._game is None:
            self._unreadable -= 1
        self._game = None
        self._damaged += 1

    def add(self, events: Iterable[Recorded], called: Called = NOBODY) -> None:
        """Count the next events. Those of a game may come in several parts, but games must not be mixed.

        `called`: the names of the players of games that begin in this part.
        """
        for event in events:
            self._events += 1
            try:
                if event.game_id != self._playing:
                    self._begin_tally(event.game_id)
                    self._game = GameTally(opened_with(event), called)
                if self._game is not None:
                    self._game.add(event)
            except UNSOUND:
                self._game = None
                self._unreadable += 1

    def statistics(self) -> Statistics:
        """All statistics. Ends the counting."""
        self._close()
        return Statistics(
            self._events,
            self._games,
            self._unreadable,
            self._damaged,
            tuple(tally.statistics(name) for name, tally in sorted(self._rulesets.items())),
        )

    def _begin_tally(self, game_id: UUID) -> None:
        self._close()
        self._playing = game_id
        self._games += 1

    def _close(self) -> None:
        """Finish the current game."""
        if self._game is not None:
            self._rulesets[self._game.ruleset.name].add(self._game, self._strategist)
            self._game = None

"""Statistics of a game or of many, as tables for a terminal with eighty columns."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from mcmulti.client.sources import called_in, log_in
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.telling import Language, Words, cash_word, with_point, word
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.ports.errors import DamagedGame
from mcmulti.events.ports.game_index import Game
from mcmulti.events.ports.log import Log
from mcmulti.events.store.history import History
from mcmulti.projections.labels import STATISTICS
from mcmulti.projections.pictures.fit import in_cells
from mcmulti.projections.proof.fairness import DieStatistics
from mcmulti.projections.statistics.game import GameStatistics
from mcmulti.projections.statistics.many import RulesetStatistics, Statistics, Tally

LISTED = 1000
"""Games listed at a time."""
NAME = 20
"""The most columns of a name, and of a name that heads a column."""
HEADING = 11
_NO_WORDS: Words = {"en": {}, "de": {}}


class StatisticsWords(NamedTuple):
    """The words of a rule set and the labels of statistics, in a language."""

    words: Words
    language: Language

    def term(self, name: str) -> str:
        """The rule set's word for a name."""
        return word(self.words, self.language, name)

    def title(self, name: str) -> str:
        """The same, as a title."""
        called = self.term(name)
        return called[:1].upper() + called[1:]

    def text(self, name: str, **values: object) -> str:
        """A label of statistics."""
        return STATISTICS[self.language].said[name].format(**values)

    def number(self, number: float, form: str = ",") -> str:
        """A number, with the separators of the language. `form`: a format specification."""
        return with_point(format(number, form), self.language)


async def count_games(source: str, strategist: Callable[[str], str]) -> Statistics:
    """All games of a folder or a database, newest first, each as far as it had come when it was listed.

    Damaged games are skipped, and reported on standard error.
    """
    errors = Console(stderr=True)
    columns = (TextColumn("Counting events"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    tally = Tally(strategist)
    async with log_in(source) as log:
        history = History(log)
        with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
            task = progress.add_task("events", total=await log.size())
            before = None
            while games := await log.games(LISTED, before):
                for game in games:
                    fault = await _count(log, history, game, tally)
                    if fault is not None:
                        errors.print(
                            f"Game {game.game_id} is damaged: {fault}.", markup=False, highlight=False, soft_wrap=True
                        )
                    progress.advance(task, game.head.seq)
                before = games[-1].mark()
    return tally.statistics()


async def _count(log: Log, history: History, game: Game, tally: Tally) -> str | None:
    """Count a game. Returns the fault of its log if it is damaged."""
    try:
        async for page in history.events(game.game_id, game.head):
            tally.add(page, await called_in(log, page))
        await history.ends(game.game_id, game.head)
    except DamagedGame as error:
        tally.pass_over(game.game_id)
        return error.fault
    return None


def print_game(
    game: UUID, found: GameStatistics, ruleset: Ruleset[Any], console: Console, language: Language = "en"
) -> None:
    """Print the statistics of one game."""
    said = StatisticsWords(ruleset.texts.words, language)
    names = [in_cells(name or said.text("seat_of", seat=seat + 1), NAME) for seat, name in enumerate(found.names)]
    lasted = said.text(
        "lasted",
        turns=said.number(found.turns),
        events=said.number(found.events),
        time=_duration(found.seconds),
    )
    _say(console, Text.assemble((said.text("game"), "bold"), f"{game}, {said.term(found.status)}: {lasted}."))
    winners = said.text("and").join(names[seat] for seat in found.winners)
    if found.declared_by is not None:
        declared = said.text("declared", player=names[found.declared_by], winners=winners or said.text("nobody"))
        _say(console, Text(declared))
    elif winners:
        _say(console, Text(said.text("ended", winners=winners)))
    if any(die.rolls for die in found.dice):
        console.print(_dice(found.dice, said))
    if found.luck:
        console.print(_game_luck(found, names, said))
    if found.flows:
        console.print(_game_money(found, names, said, cash_word(ruleset.texts.words, language, ruleset.books.money)))
    for table in _game_tallies(found, names, said):
        console.print(table)


def _game_luck(found: GameStatistics, names: Sequence[str], said: StatisticsWords) -> Table:
    kinds = sorted({one.kind for one in found.luck})
    table = _table(said.text("luck_of", luck=said.title("luck")), said.text("player"), *map(said.term, kinds))
    told = {
        (one.seat, one.kind): said.text(
            "of", actual=said.number(one.actual), expected=said.number(one.expected, ",.1f")
        )
        for one in found.luck
    }
    for seat, name in enumerate(names):
        table.add_row(Text(name), *(told.get((seat, kind), "") for kind in kinds))
    return table


def _game_money(found: GameStatistics, names: Sequence[str], said: StatisticsWords, cash: str) -> Table:
    table = _table(said.title("money"), "", *(Text(in_cells(name, HEADING)) for name in names))
    flows = {(flow.seat, flow.reason): (flow.income, flow.spending) for flow in found.flows}
    for reason in sorted({flow.reason for flow in found.flows}):
        amounts = (flows.get((seat, reason), (0, 0)) for seat in range(len(names)))
        table.add_row(said.term(reason), *(_flow(income, spending, said) for income, spending in amounts))
    sums = (sum(flow.income - flow.spending for flow in found.flows if flow.seat == seat) for seat in range(len(names)))
    table.add_section()
    table.add_row(cash, *(said.number(amount) for amount in sums))
    return table


def _game_tallies(found: GameStatistics, names: Sequence[str], said: StatisticsWords) -> Iterator[Table]:
    """The rule set's own tables. Each row is headed by its subject or its owner."""
    for name, rows in groupby(found.tallies, key=lambda row: row.table):
        told = [(_row_name(row.name, said), "" if row.seat is None else names[row.seat], row.figures) for row in rows]
        table = _table(said.title(name), "")
        if all(row for row, _, _ in told):
            table.add_column(said.text("player"))
        for column in told[0][2]:
            table.add_column(said.term(column), justify="right")
        for row, owner, figures in told:
            amounts = (said.number(amount) if amount else "" for amount in figures.values())
            table.add_row(*((Text(row), Text(owner)) if row else (Text(owner),)), *amounts)
        yield table


def _tallies(found: RulesetStatistics, said: StatisticsWords) -> Iterator[Table]:
    for name, rows in groupby(found.tallies, key=lambda row: row.table):
        listed = list(rows)
        columns = (said.text("rows"), *map(said.term, listed[0].figures))
        table = _table(said.text("on_average", table=said.title(name)), "", *columns)
        for row in listed:
            amounts = (said.number(amount, ",.1f") if amount else "" for amount in row.figures.values())
            table.add_row(_row_name(row.name, said) or said.text("a_player"), said.number(row.rows), *amounts)
        yield table


def _row_name(name: str | None, said: StatisticsWords) -> str:
    return "" if name is None else said.term(name)


def print_games(found: Statistics, console: Console, language: Language = "en") -> None:
    """Print the statistics of many games."""
    said = StatisticsWords(_NO_WORDS, language)
    left_out = (("unreadable", found.unreadable), ("damaged", found.damaged))
    why = said.text("and").join(said.text(name, games=said.number(games)) for name, games in left_out if games)
    counted = "counted_but" if why else "counted"
    figures = {"games": said.number(found.games), "events": said.number(found.events)}
    _say(console, Text(said.text(counted, why=why, **figures)))
    for ruleset in found.rulesets:
        words = CURRENT[ruleset.ruleset].texts.words if ruleset.ruleset in CURRENT else _NO_WORDS
        said = StatisticsWords(words, language)
        console.print()
        _say(console, Text(said.term(ruleset.ruleset), "bold underline"))
        for table in _of_ruleset(ruleset, said):
            console.print(table)


def _of_ruleset(found: RulesetStatistics, said: StatisticsWords) -> Iterator[Table]:
    number, text = said.number, said.text
    games = _table(text("games_table"), text("status"), text("players"), text("games"))
    for count in found.games:
        games.add_row(said.term(count.status), str(count.players), number(count.games))
    yield games
    if found.turns and found.events and found.seconds:
        length = _table(text("length"), "", *map(text, ("mean", "deviation", "least", "most")))
        for name, spread in (("turns", found.turns), ("events", found.events), ("seconds", found.seconds)):
            figures = (spread.mean, spread.deviation, spread.least, spread.most)
            length.add_row(text(name), *(number(figure, ",.1f") for figure in figures))
        yield length
    if found.seats:
        seats = _table(text("by_seat"), text("players"), *map(text, ("seat", "games", "wins", "rate", "fair")))
        for seat in found.seats:
            rates = (number(seat.rate, ".1%"), number(1 / seat.players, ".1%"))
            seats.add_row(str(seat.players), str(seat.seat + 1), number(seat.games), number(seat.wins), *rates)
        yield seats
        strategies = _table(text("by_strategy"), text("strategy"), *map(text, ("seats", "wins", "rate", "fair")))
        for one in found.strategies:
            rates = (number(one.rate, ".1%"), number(one.fair, ".1%"))
            strategies.add_row(Text(in_cells(one.strategy, NAME)), number(one.seats), number(one.wins), *rates)
        yield strategies
        money = _table(text("money_of", money=said.title("money")), "", text("in"), text("out"))
        for flow in found.flows:
            amounts = (number(amount, ",.1f") if amount else "" for amount in (flow.income, flow.spending))
            money.add_row(said.term(flow.reason), *amounts)
        yield money
    if found.luck:
        luck = _table(said.title("luck"), "", text("allowed"), text("average"))
        for kind in found.luck:
            luck.add_row(said.term(kind.kind), number(kind.actual), number(kind.expected, ",.1f"))
        yield luck
    if any(die.rolls for die in found.dice):
        yield _dice(found.dice, said)
    yield from _tallies(found, said)


def _dice(dice: Sequence[DieStatistics], said: StatisticsWords) -> Table:
    table = _table(said.text("dice"), said.text("die"), *"123456", said.text("rolls"), "chi²", "p")
    for die in dice:
        if die.die == "all":
            table.add_section()
        p_value = "" if die.p_value is None else said.number(die.p_value, ".3f")
        name = said.text("all") if die.die == "all" else said.term(die.die)
        table.add_row(
            name,
            *(said.number(face) for face in die.faces),
            said.number(die.rolls),
            said.number(die.chi_square, ".2f"),
            p_value,
        )
    return table


def _table(title: str, first: str, *figures: str | Text) -> Table:
    """A table with a column of names and columns of figures, given their headings."""
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1))
    table.add_column(first)
    for heading in figures:
        table.add_column(heading, justify="right")
    return table


def _flow(income: int, spending: int, said: StatisticsWords) -> str:
    told = (f"+{said.number(income)}" if income else "", f"-{said.number(spending)}" if spending else "")
    return " ".join(filter(None, told))


def _duration(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


def _say(console: Console, text: Text) -> None:
    console.print(text, highlight=False, soft_wrap=True)

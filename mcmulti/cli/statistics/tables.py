"""Statistics as tables for a terminal with eighty columns."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mcmulti.cli.statistics.said import StatisticsWords
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.wording.telling import Language, Words, cash_word
from mcmulti.domain.rulesets import CURRENT
from mcmulti.projections.pictures.fit import in_cells
from mcmulti.projections.proof.fairness import DieStatistics
from mcmulti.projections.statistics.game import GameStatistics
from mcmulti.projections.statistics.many import RulesetStatistics, Spread, Statistics

NAME = 20
"""The most columns of a name, and of a name that heads a column."""
HEADING = 11
_NO_WORDS: Words = {"en": {}, "de": {}}


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
    table = _blank_table(said.text("luck_of", luck=said.title("luck")), said.text("player"))
    for kind in kinds:
        table.add_column(said.term(kind), justify="right")
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
    table = _blank_table(said.title("money"), "")
    for name in names:
        table.add_column(Text(in_cells(name, HEADING)), justify="right")
    flows = {(flow.seat, flow.reason): (flow.income, flow.spending) for flow in found.flows}
    for reason in sorted({flow.reason for flow in found.flows}):
        amounts = (flows.get((seat, reason), (0, 0)) for seat in range(len(names)))
        table.add_row(said.term(reason), *(_flow(income, spending, said) for income, spending in amounts))
    sums = (sum(flow.income - flow.spending for flow in found.flows if flow.seat == seat) for seat in range(len(names)))
    table.add_section()
    table.add_row(cash, *(said.number(amount) for amount in sums))
    return table


def _game_tallies(found: GameStatistics, names: Sequence[str], said: StatisticsWords) -> Iterable[Table]:
    """The rule set's own tables. Each row is headed by its subject or its owner."""
    for name, rows in groupby(found.tallies, key=lambda row: row.table):
        told = [(_row_name(row.name, said), "" if row.seat is None else names[row.seat], row.figures) for row in rows]
        table = _blank_table(said.title(name), "")
        if all(row for row, _, _ in told):
            table.add_column(said.text("player"))
        for column in told[0][2]:
            table.add_column(said.term(column), justify="right")
        for row, owner, figures in told:
            amounts = (said.number(amount) if amount else "" for amount in figures.values())
            table.add_row(*((Text(row), Text(owner)) if row else (Text(owner),)), *amounts)
        yield table


def _tallies(found: RulesetStatistics, said: StatisticsWords) -> Iterable[Table]:
    for name, rows in groupby(found.tallies, key=lambda row: row.table):
        listed = list(rows)
        table = _blank_table(said.text("on_average", table=said.title(name)), "")
        table.add_column(said.text("rows"), justify="right")
        for column in listed[0].figures:
            table.add_column(said.term(column), justify="right")
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


def _of_ruleset(found: RulesetStatistics, said: StatisticsWords) -> Iterable[Table]:
    games = _blank_table(said.text("games_table"), said.text("status"))
    games.add_column(said.text("players"), justify="right")
    games.add_column(said.text("games"), justify="right")
    for count in found.games:
        games.add_row(said.term(count.status), str(count.players), said.number(count.games))
    yield games
    if found.turns and found.events and found.seconds:
        yield _lengths((("turns", found.turns), ("events", found.events), ("seconds", found.seconds)), said)
    if found.seats:
        seats = _blank_table(said.text("by_seat"), said.text("players"))
        for heading in ("seat", "games", "wins", "rate", "fair"):
            seats.add_column(said.text(heading), justify="right")
        for seat in found.seats:
            rates = (said.number(seat.rate, ".1%"), said.number(1 / seat.players, ".1%"))
            seats.add_row(
                str(seat.players), str(seat.seat + 1), said.number(seat.games), said.number(seat.wins), *rates
            )
        yield seats
        strategies = _blank_table(said.text("by_strategy"), said.text("strategy"))
        for heading in ("seats", "wins", "rate", "fair"):
            strategies.add_column(said.text(heading), justify="right")
        for one in found.strategies:
            figures = (
                said.number(one.seats),
                said.number(one.wins),
                said.number(one.rate, ".1%"),
                said.number(one.fair, ".1%"),
            )
            strategies.add_row(Text(in_cells(one.strategy, NAME)), *figures)
        yield strategies
        money = _blank_table(said.text("money_of", money=said.title("money")), "")
        money.add_column(said.text("in"), justify="right")
        money.add_column(said.text("out"), justify="right")
        for flow in found.flows:
            amounts = (said.number(amount, ",.1f") if amount else "" for amount in (flow.income, flow.spending))
            money.add_row(said.term(flow.reason), *amounts)
        yield money
    if found.luck:
        luck = _blank_table(said.title("luck"), "")
        luck.add_column(said.text("allowed"), justify="right")
        luck.add_column(said.text("average"), justify="right")
        for kind in found.luck:
            luck.add_row(said.term(kind.kind), said.number(kind.actual), said.number(kind.expected, ",.1f"))
        yield luck
    if any(die.rolls for die in found.dice):
        yield _dice(found.dice, said)
    yield from _tallies(found, said)


def _lengths(spreads: Sequence[tuple[str, Spread]], said: StatisticsWords) -> Table:
    table = _blank_table(said.text("length"), "")
    for heading in ("mean", "deviation", "least", "most"):
        table.add_column(said.text(heading), justify="right")
    for name, spread in spreads:
        figures = (spread.mean, spread.deviation, spread.least, spread.most)
        table.add_row(said.text(name), *(said.number(figure, ",.1f") for figure in figures))
    return table


def _dice(dice: Sequence[DieStatistics], said: StatisticsWords) -> Table:
    table = _blank_table(said.text("dice"), said.text("die"))
    for heading in (*"123456", said.text("rolls"), "chi²", "p"):
        table.add_column(heading, justify="right")
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


def _blank_table(title: str, first: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1))
    table.add_column(first)
    return table


def _flow(income: int, spending: int, said: StatisticsWords) -> str:
    told = (f"+{said.number(income)}" if income else "", f"-{said.number(spending)}" if spending else "")
    return " ".join(filter(None, told))


def _duration(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


def _say(console: Console, text: Text) -> None:
    console.print(text, highlight=False, soft_wrap=True)

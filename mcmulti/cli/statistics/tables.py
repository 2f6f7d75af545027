"""Statistics as tables for a terminal of eighty columns."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.telling import Words, cash_word, word
from mcmulti.domain.rulesets import CURRENT
from mcmulti.projections.pictures.fit import in_cells
from mcmulti.projections.proof.fairness import DieStatistics
from mcmulti.projections.statistics.game import GameStatistics
from mcmulti.projections.statistics.many import RulesetStatistics, Spread, Statistics

NAME = 20
"""Columns of a name at most, and of a name that heads a column."""
HEADING = 11


def print_game(game: UUID, found: GameStatistics, ruleset: Ruleset[Any], console: Console) -> None:
    """One game."""
    names = [in_cells(name or f"seat {seat}", NAME) for seat, name in enumerate(found.names)]
    lasted = f"{found.turns:,} turns, {found.events:,} events, {_duration(found.seconds)}"
    _say(
        console, Text.assemble(("Game ", "bold"), f"{game}, {word(ruleset.texts.words, 'en', found.status)}: {lasted}.")
    )
    if found.declared_by is not None:
        winners = " and ".join(names[seat] for seat in found.winners) or "nobody yet"
        _say(console, Text(f"Brought to its end by {names[found.declared_by]}, won by {winners}."))
    elif found.winners:
        _say(console, Text(f"Ended by itself, won by {' and '.join(names[seat] for seat in found.winners)}."))
    if any(die.rolls for die in found.dice):
        console.print(_dice(found.dice, ruleset.texts.words))
    if found.luck:
        console.print(_game_luck(found, names, ruleset.texts.words))
    if found.flows:
        console.print(_game_money(found, names, ruleset.texts.words, ruleset.books.money))
    for table in _game_tallies(found, names, ruleset.texts.words):
        console.print(table)


def _game_luck(found: GameStatistics, names: Sequence[str], words: Words) -> Table:
    kinds = sorted({one.kind for one in found.luck})
    table = _table(f"{_titled(words, 'luck')}, of the average", "player")
    for kind in kinds:
        table.add_column(word(words, "en", kind), justify="right")
    told = {(one.seat, one.kind): f"{one.actual:,} of {one.expected:,.1f}" for one in found.luck}
    for seat, name in enumerate(names):
        table.add_row(Text(name), *(told.get((seat, kind), "") for kind in kinds))
    return table


def _game_money(found: GameStatistics, names: Sequence[str], words: Words, money: str) -> Table:
    table = _table(_titled(words, "money"), "")
    for name in names:
        table.add_column(Text(in_cells(name, HEADING)), justify="right")
    flows = {(flow.seat, flow.reason): (flow.income, flow.spending) for flow in found.flows}
    for reason in sorted({flow.reason for flow in found.flows}):
        amounts = (flows.get((seat, reason), (0, 0)) for seat in range(len(names)))
        table.add_row(word(words, "en", reason), *(_flow(income, spending) for income, spending in amounts))
    sums = (sum(flow.income - flow.spending for flow in found.flows if flow.seat == seat) for seat in range(len(names)))
    table.add_section()
    table.add_row(cash_word(words, "en", money), *(f"{amount:,}" for amount in sums))
    return table


def _game_tallies(found: GameStatistics, names: Sequence[str], words: Words) -> Iterable[Table]:
    """The tables that the rule set keeps, each row headed by what it is about, or by whose it is."""
    for name, rows in groupby(found.tallies, key=lambda row: row.table):
        told = [(_row_name(row.name, words), "" if row.seat is None else names[row.seat], row.figures) for row in rows]
        table = _table(_titled(words, name), "")
        if all(row for row, _, _ in told):
            table.add_column("player")
        for column in told[0][2]:
            table.add_column(word(words, "en", column), justify="right")
        for row, owner, figures in told:
            amounts = (f"{amount:,}" if amount else "" for amount in figures.values())
            table.add_row(*((Text(row), Text(owner)) if row else (Text(owner),)), *amounts)
        yield table


def _tallies(found: RulesetStatistics, words: Words) -> Iterable[Table]:
    for name, rows in groupby(found.tallies, key=lambda row: row.table):
        listed = list(rows)
        table = _table(f"{_titled(words, name)}, on average", "")
        table.add_column("rows", justify="right")
        for column in listed[0].figures:
            table.add_column(word(words, "en", column), justify="right")
        for row in listed:
            amounts = (f"{amount:,.1f}" if amount else "" for amount in row.figures.values())
            table.add_row(_row_name(row.name, words) or "a player", f"{row.rows:,}", *amounts)
        yield table


def _row_name(name: str | None, words: Words) -> str:
    return "" if name is None else word(words, "en", name)


def print_games(found: Statistics, console: Console) -> None:
    """Many games."""
    left_out = ((found.unreadable, "cannot be read"), (found.damaged, "are damaged"))
    told = " and".join(f" {games:,} {why}" for games, why in left_out if games)
    _say(console, Text(f"{found.games:,} games{told and f', of which{told}'}, {found.events:,} events."))
    for ruleset in found.rulesets:
        words = CURRENT[ruleset.ruleset].texts.words if ruleset.ruleset in CURRENT else {"en": {}, "de": {}}
        console.print()
        _say(console, Text(word(words, "en", ruleset.ruleset), "bold underline"))
        for table in _of_ruleset(ruleset, words):
            console.print(table)


def _of_ruleset(found: RulesetStatistics, words: Words) -> Iterable[Table]:
    games = _table("Games", "status")
    games.add_column("players", justify="right")
    games.add_column("games", justify="right")
    for count in found.games:
        games.add_row(word(words, "en", count.status), str(count.players), f"{count.games:,}")
    yield games
    if found.turns and found.events and found.seconds:
        yield _lengths((("turns", found.turns), ("events", found.events), ("seconds", found.seconds)))
    if found.seats:
        seats = _table("Wins by seat", "players")
        for heading in ("seat", "games", "wins", "rate", "fair"):
            seats.add_column(heading, justify="right")
        for seat in found.seats:
            rates = (f"{seat.rate:.1%}", f"{1 / seat.players:.1%}")
            seats.add_row(str(seat.players), str(seat.seat), f"{seat.games:,}", f"{seat.wins:,}", *rates)
        yield seats
        strategies = _table("Wins by strategy", "strategy")
        for heading in ("seats", "wins", "rate", "fair"):
            strategies.add_column(heading, justify="right")
        for one in found.strategies:
            figures = (f"{one.seats:,}", f"{one.wins:,}", f"{one.rate:.1%}", f"{one.fair:.1%}")
            strategies.add_row(Text(in_cells(one.strategy, NAME)), *figures)
        yield strategies
        money = _table(f"{_titled(words, 'money')}, a player and game", "")
        money.add_column("in", justify="right")
        money.add_column("out", justify="right")
        for flow in found.flows:
            amounts = (f"{amount:,.1f}" if amount else "" for amount in (flow.income, flow.spending))
            money.add_row(word(words, "en", flow.reason), *amounts)
        yield money
    if found.luck:
        luck = _table(_titled(words, "luck"), "")
        luck.add_column("allowed", justify="right")
        luck.add_column("on average", justify="right")
        for kind in found.luck:
            luck.add_row(word(words, "en", kind.kind), f"{kind.actual:,}", f"{kind.expected:,.1f}")
        yield luck
    if any(die.rolls for die in found.dice):
        yield _dice(found.dice, words)
    yield from _tallies(found, words)


def _lengths(spreads: Sequence[tuple[str, Spread]]) -> Table:
    table = _table("Length of a finished game", "")
    for heading in ("mean", "deviation", "least", "most"):
        table.add_column(heading, justify="right")
    for name, spread in spreads:
        figures = (spread.mean, spread.deviation, spread.least, spread.most)
        table.add_row(name, *(f"{figure:,.1f}" for figure in figures))
    return table


def _titled(words: Words, name: str) -> str:
    """What a rule set calls something, as a title."""
    called = word(words, "en", name)
    return called[:1].upper() + called[1:]


def _dice(dice: Sequence[DieStatistics], words: Words) -> Table:
    table = _table("Dice (p: how often fair dice are as uneven)", "die")
    for heading in (*"123456", "rolls", "chi²", "p"):
        table.add_column(heading, justify="right")
    for die in dice:
        if die.die == "all":
            table.add_section()
        p_value = "" if die.p_value is None else f"{die.p_value:.3f}"
        name = word(words, "en", die.die)
        table.add_row(name, *(f"{face:,}" for face in die.faces), f"{die.rolls:,}", f"{die.chi_square:.2f}", p_value)
    return table


def _table(title: str, first: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, padding=(0, 1))
    table.add_column(first)
    return table


def _flow(income: int, spending: int) -> str:
    told = (f"+{income:,}" if income else "", f"-{spending:,}" if spending else "")
    return " ".join(filter(None, told))


def _duration(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))


def _say(console: Console, text: Text) -> None:
    console.print(text, highlight=False, soft_wrap=True)

"""The audit of a whole game of every rule set: its figures add up, and the commands it suggests work."""

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from mcmulti.cli.records.audit import audited
from mcmulti.cli.records.book import Book
from mcmulti.client.sources import NamedLog
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.domain.rulesets import SHIPPED
from mcmulti.projections.books.statements import WHOLE
from tests.games import CALLED
from tests.golden.games import load
from tests.projections.mutants import changed_file

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES = [file.stem for file in map(changed_file, SHIPPED)]


def book(game: str, language: Language) -> Book:
    return Book(NamedLog(load(GOLDEN / f"{game}.jsonl"), CALLED), WHOLE, language, Console(file=StringIO()))


def figures(table: Table, column: int) -> list[tuple[str, int]]:
    """The labels of a table's rows, each with the figure in that column."""
    labels, cells = ([str(cell) for cell in table.columns[number].cells] for number in (0, column))
    filled = ((label, cell.replace(",", "")) for label, cell in zip(labels, cells, strict=True) if cell)
    return [(label, int(figure)) for label, figure in filled]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_rows_of_every_player_add_up_to_the_closing(game: str, language: Language) -> None:
    """This includes games in which everything a player got came from others, so that a row adds up to zero."""
    audited_book = book(game, language)
    tables = list(audited_book.statements())
    assert len(tables) == len(audited_book.units)
    for table in tables:
        for player in range(len(audited_book.names)):
            *rows, (last, closing) = figures(table, player + 1)
            assert last == audited_book.said["closing"]
            assert sum(amount for _, amount in rows) == closing, (table.title, player)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_account_that_the_hint_names_is_there(game: str, language: Language) -> None:
    out = StringIO()
    log = NamedLog(load(GOLDEN / f"{game}.jsonl"), CALLED)
    assert audited(log, WHOLE, None, language, "games", Console(file=out, width=100))
    [account] = re.findall(r"--account (\S+)", out.getvalue())
    lines = StringIO()
    assert audited(log, WHOLE, account, language, "games", Console(file=lines, width=100))
    assert len(lines.getvalue().splitlines()) > 5


def test_commissions_for_customers_go_from_player_to_player() -> None:
    [money, *_] = book("marracash-four-players", "en").statements()
    labels = [str(cell) for cell in money.columns[0].cells]
    assert labels.index("among players") == labels.index("  commission for customers") - 1


def test_fountains_are_called_fountains() -> None:
    *_, between = book("marracash-four-players", "en").flows()
    ways = [str(cell) for cell in between.columns[0].cells]
    assert "from afar → fountain 1" in ways
    assert str(between.title) == "Without any player"

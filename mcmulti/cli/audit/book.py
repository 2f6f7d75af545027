"""A game's books in one language, and the tables that show them."""

from typing import Any

from rich.box import SIMPLE_HEAD as LINED
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mcmulti.client.sources import NamedLog
from mcmulti.domain.core.course.posting import seat_of
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import presented
from mcmulti.domain.core.wording.telling import Language, account, word
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.projections.books.ledger import JournalEntry, TrialBalance, balanced, entries
from mcmulti.projections.books.statements import BookSpan
from mcmulti.projections.labels import AUDIT
from mcmulti.projections.pictures.seats import names, printable, seat_colour

_SEAT = "seat:"
_FIGURES = ("event", "turn", "amount", "times", "balance")


class Book:
    """The books of a nonempty log, up to the end of a span. `names` are the players' names, by seat."""

    def __init__(self, log: NamedLog, span: BookSpan, language: Language, console: Console) -> None:
        self.events, self.called = log
        self.span, self.language, self.console = span, language, console
        self.ruleset: Ruleset[Any] = opened_with(self.events[0])
        self.state = presented(fold(self.ruleset, self.events), self.called)
        self.names = tuple(printable(name) for name in names(self.ruleset, self.state, language))
        self.booked: list[JournalEntry] = [entry for entry in entries(self.events) if not span.ended(entry)]
        self.balance: TrialBalance = balanced(self.booked)
        self.said = AUDIT[language].said

    @property
    def sound(self) -> bool:
        """Whether all accounts add up to zero."""
        return not any(self.balance.units.values())

    @property
    def units(self) -> list[str]:
        """The units, in the order in which they first moved."""
        return list(dict.fromkeys(moved.unit for entry in self.booked for moved in entry.transfers))

    @property
    def some_account(self) -> str | None:
        """The first account of a player that holds money; None if there is none yet."""
        money = self.ruleset.books.money
        held = (name for name, balances in self.balance.accounts.items() if money in balances)
        return next((name for name in held if seat_of(name) is not None), None)

    def word(self, name: str) -> str:
        """The displayed word for a name."""
        return word(self.ruleset.texts.words, self.language, name)

    def named(self, name: str) -> str:
        """The displayed name of an account."""
        return account(self.ruleset.texts.words, self.language, self.names, name)

    def party(self, name: str) -> str:
        """The same, but any account of a player is shown as the player."""
        return self.said["player"] if name.startswith(_SEAT) else self.named(name)

    def heading(self, text: str) -> None:
        """Print a heading."""
        self.console.print(Text(f"\n{text}", "bold"))

    def table(self, title: str, *columns: str, gap: int = 2) -> Table:
        """A table with this gap between columns. Numbers are aligned right and never broken."""
        table = Table(
            title=Text(title[:1].upper() + title[1:], no_wrap=True, overflow="ignore"),
            box=LINED,
            padding=(0, gap - 1, 0, 0),
            pad_edge=False,
        )
        table.title_justify, table.title_style = "left", "bold"
        for column in columns:
            figure = column in _FIGURES
            table.add_column(
                self.said[column] if column else "",
                justify="right" if figure else "left",
                overflow="fold",
                no_wrap=figure,
            )
        return table

    def add_players(self, table: Table) -> None:
        """Add a column for each player. Long names are broken, numbers are not."""
        for seat, name in enumerate(self.names):
            table.add_column(Text(name, seat_colour(seat)), justify="right", min_width=6, overflow="fold")

"""A game's books as tables in one language: statements side by side, flows between players, the trial balance."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
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
from mcmulti.projections.books.ledger import balanced, entries
from mcmulti.projections.books.statements import BookSpan, Flow, Statement, flows, statements
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
        self.booked = [entry for entry in entries(self.events) if not span.ended(entry)]
        self.balance = balanced(self.booked)
        self.said = AUDIT[language].said
        self.units = list(dict.fromkeys(moved.unit for entry in self.booked for moved in entry.transfers))
        """The units, in the order in which they first moved."""
        self._flows = flows(self.booked, span)

    @property
    def sound(self) -> bool:
        """Whether all accounts add up to zero."""
        return not any(self.balance.units.values())

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

    def table(self, title: str, *columns: str, gap: int = 2) -> Table:
        """A table with this gap between columns. Numbers are aligned right and never broken."""
        table = Table(
            title=Text(title[:1].upper() + title[1:], no_wrap=True, overflow="ignore"),
            title_justify="left",
            title_style="bold",
            box=LINED,
            padding=(0, gap - 1, 0, 0),
            pad_edge=False,
        )
        for column in columns:
            figure = column in _FIGURES
            table.add_column(
                self.said[column] if column else "",
                justify="right" if figure else "left",
                overflow="fold",
                no_wrap=figure,
            )
        return table

    def statements(self) -> Iterator[Table]:
        """What all players had, won, and spent of each unit. If all of a unit came from or went to one account, it is
        named.
        """
        stated = statements(self.booked, self.span)
        for unit in self.units:
            parties = self._parties(unit)
            title = self.word(unit)
            if len(parties) == 1:
                title = self.said["all_with"].format(unit=title, party=self.named(*parties))
            yield self._statement(title, {each.seat: each for each in stated if each.unit == unit})

    def flows(self) -> Iterator[Table]:
        """Flows between players, for units exchanged by several parties. Then flows that involve no player."""
        for unit in self.units:
            if len(self._parties(unit)) > 1:
                yield self._exchanged(unit)
        between = [flow for flow in self._flows if not _seats(flow)]
        if between:
            table = self.table(self.said["between"], "way", "for", "amount", "times")
            for flow in between:
                way = f"{self.named(flow.source)} → {self.named(flow.target)}"
                table.add_row(way, self.word(flow.reason), f"{flow.amount:,}", f"{flow.count:,}")
            yield table

    def trial_balance(self) -> Table:
        """Everybody's balance in each unit. The sums at the bottom include all accounts."""
        table = self.table(self.said["trial_balance"], "", gap=1)
        for unit in self.units:
            table.add_column(self.word(unit).replace(" ", "\n"), justify="right", overflow="fold")
        rows: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
        for name, balances in self.balance.accounts.items():
            seat = seat_of(name)
            owner = self.named(":".join(name.split(":")[:2])) if seat is None else self.names[seat]
            for unit, amount in balances.items():
                rows[owner][unit] += amount
        for owner, held in rows.items():
            table.add_row(owner, *(f"{held[unit]:,}" if unit in held else "" for unit in self.units))
        table.add_section()
        sums = (self.balance.units[unit] for unit in self.units)
        table.add_row(self.said["sum"], *(Text(f"{sum:,}", "red" if sum else "green") for sum in sums))
        return table

    def _add_players(self, table: Table) -> None:
        """Add a column for each player. Long names are broken, numbers are not."""
        for seat, name in enumerate(self.names):
            table.add_column(Text(name, seat_colour(seat)), justify="right", min_width=6, overflow="fold")

    def _statement(self, title: str, by_seat: dict[int, Statement]) -> Table:
        table = self.table(title, "")
        self._add_players(table)
        moved = {seat: {one.reason: one.amount for one in each.movements} for seat, each in by_seat.items()}
        totals: defaultdict[str, int] = defaultdict(int)
        for reason, amount in chain.from_iterable(amounts.items() for amounts in moved.values()):
            totals[reason] += amount
        stands = [by_seat.get(seat) for seat in range(len(self.names))]
        table.add_row(self.said["opening"], *(f"{each.opening if each else 0:,}" for each in stands))
        kinds = {
            "income": [reason for reason, total in totals.items() if total > 0],
            "spending": [reason for reason, total in totals.items() if total < 0],
            # What one player gave and another got adds up to zero.
            "among": [
                reason
                for reason, total in totals.items()
                if not total and any(amounts.get(reason) for amounts in moved.values())
            ],
        }
        for kind, reasons in kinds.items():
            if reasons:
                table.add_row(Text(self.said[kind], "dim"))
            for reason in sorted(reasons, key=lambda reason: -abs(totals[reason])):
                amounts = (moved.get(seat, {}).get(reason) for seat in range(len(self.names)))
                table.add_row(f"  {self.word(reason)}", *(f"{amount:+,}" if amount else "" for amount in amounts))
        table.add_section()
        table.add_row(self.said["closing"], *(f"{each.closing if each else 0:,}" for each in stands))
        return table

    def _exchanged(self, unit: str) -> Table:
        """What players gave and got, side by side. Any account of a player is shown as the player."""
        table = self.table(self.word(unit), "way", "for")
        self._add_players(table)
        rows: defaultdict[tuple[str, str], defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
        for flow in self._flows:
            if flow.unit == unit and (seats := _seats(flow)):
                ends = (name.removesuffix(f":{unit}") for name in (flow.source, flow.target))
                way = " → ".join(self.said["player"] if end.startswith(_SEAT) else self.named(end) for end in ends)
                for seat in seats:
                    rows[way, self.word(flow.reason)][seat] += flow.amount
        for key, amounts in rows.items():
            table.add_row(*key, *(f"{amounts[seat]:,}" if seat in amounts else "" for seat in range(len(self.names))))
        return table

    def _parties(self, unit: str) -> set[str]:
        """The accounts with which players exchange a unit."""
        ends = ((flow.source, flow.target) for flow in self._flows if flow.unit == unit and _seats(flow))
        return {name for name in chain.from_iterable(ends) if seat_of(name) is None}


def _seats(flow: Flow) -> list[int]:
    """The seats that give or get."""
    ends = (seat_of(flow.source), seat_of(flow.target))
    return [seat for seat in ends if seat is not None]

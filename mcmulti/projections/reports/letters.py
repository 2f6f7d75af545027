"""A report, of a round or of a game, as a letter to its players: as text of eighty columns, and as Markdown.

Names of players in it can contain anything: they are escaped, so that they cannot act as control characters or markup.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.cells import cell_len, chop_cells

from mcmulti.domain.core.capabilities.rounds import Cell, Entry, ReportTable, RoundReport, Section
from mcmulti.projections.pictures.fit import in_cells, plain
from mcmulti.projections.reports.games import GameReport

WIDTH = 80
"""Width of a letter, in columns."""
_NAME = 24
"""The most columns of a table's first column."""
_GAP = "   "
_INDENT = 6
_NOT_DONE = ("skipped", "curtailed")

_MARKUP = re.compile(r"[\\`*_\[\]<>&~|$#]")
_LEADING = re.compile(r"^(?=[-+=])|(?<=^\d)(?=[.)])|(?<=^\d\d)(?=[.)])")
_ADDRESS = re.compile(r"(?<=www)(?=\.)|(?=://)", re.IGNORECASE)


Letter = RoundReport | GameReport
"""What has the parts of a letter."""


def as_text(report: Letter) -> str:
    """The report as text; no line is wider than eighty columns."""
    return "\n".join(_letter_lines(report)) + "\n"


def as_markdown(report: Letter) -> str:
    """The report as GitHub Flavored Markdown."""
    return "\n".join(_markdown(report)) + "\n"


# Text


def _letter_lines(report: Letter) -> Iterator[str]:
    yield from _headed(report.title, "=")
    yield from ("", *_wrapped(report.greeting, 0), "")
    yield from _wrapped(" ".join((report.headline, *report.summary)), 0)
    for section in report.sections:
        yield from ("", *_headed(section.title, "-"))
        yield from _section(section)
    for table in report.tables:
        yield from ("", *_headed(table.title, "-"), "")
        yield from _table_lines(table)
    yield from ("", *_wrapped(report.closing, 0))


def _headed(title: str, line: str) -> Iterator[str]:
    for part in _wrapped(title, 0):
        yield part
    yield line * cell_len(part)


def _section(section: Section) -> Iterator[str]:
    last = None
    for phase, entries in groupby(section.entries, lambda entry: entry.phase):
        yield ""
        if phase is not None:
            yield from _wrapped(phase, 2)
        for entry in entries:
            line = entry.line if entry.seat == section.seat else None
            shown = "" if line is None or line == last else f"{line}."
            last = line
            margin = f"{shown:>4}"
            if shown and entry.written is not None:
                yield from _wrapped(entry.written, _INDENT, margin)
                margin = ""
            sentence = f"{entry.sentence} [{entry.rule}]" if entry.outcome in _NOT_DONE else entry.sentence
            yield from _wrapped(sentence, _INDENT, margin)
            for detail in entry.details:
                yield from _wrapped(detail.sentence, _INDENT + 2 + 2 * detail.depth)
    for note in section.notes:
        yield ""
        yield from _wrapped(note, _INDENT)


def _table_lines(table: ReportTable) -> Iterator[str]:
    rows = [
        [in_cells(column, _NAME) for column in table.columns],
        *([_cell(cell) for cell in row] for row in table.rows),
    ]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(table.columns))]
    for number, columns in enumerate(_abreast(widths)):
        if number:
            yield ""
        for row in rows:
            first = "  " + row[0] + " " * (widths[0] - cell_len(row[0]))
            figures = (" " * (widths[column] - cell_len(row[column])) + row[column] for column in columns)
            yield _GAP.join((first, *figures))


def _abreast(widths: Sequence[int]) -> Iterator[list[int]]:
    """The columns after the first, in groups that fit next to it; one empty group if there are none."""
    columns: list[int] = []
    for column in range(1, len(widths)):
        if columns and 2 + widths[0] + sum(len(_GAP) + widths[each] for each in (*columns, column)) > WIDTH:
            yield columns
            columns = []
        columns.append(column)
    yield columns


def _cell(cell: Cell) -> str:
    return "-" if cell is None else in_cells(str(cell), _NAME)


def _wrapped(text: str, indent: int, margin: str = "") -> Iterator[str]:
    """The text in indented lines; the `margin` precedes the first of them."""
    line, room = "", WIDTH - indent
    for word in plain(text).split():
        for part in chop_cells(word, room):
            if line and cell_len(line) + 1 + cell_len(part) > room:
                yield f"{margin:<{indent}}{line}"
                line, margin = "", ""
            line = f"{line} {part}" if line else part
    yield f"{margin:<{indent}}{line}".rstrip()


# Markdown


def _markdown(report: Letter) -> Iterator[str]:
    yield from (f"# {_escaped(report.title)}", "", _escaped(report.greeting), "")
    yield f"**{_escaped(report.headline)}** {' '.join(_escaped(sentence) for sentence in report.summary)}"
    for section in report.sections:
        yield from ("", f"## {_escaped(section.title)}")
        for phase, entries in groupby(section.entries, lambda entry: entry.phase):
            if phase is not None:
                yield from ("", f"### {_escaped(phase)}")
            yield ""
            for entry in entries:
                yield from _items(entry, section)
        for note in section.notes:
            yield from ("", f"*{_escaped(note)}*")
    for table in report.tables:
        yield from ("", f"## {_escaped(table.title)}", "")
        yield _markdown_row([_escaped(column) for column in table.columns])
        yield _markdown_row([":---", *("---:" for _ in table.columns[1:])])
        for row in table.rows:
            yield _markdown_row(["" if cell is None else _escaped(str(cell)) for cell in row])
    yield from ("", _escaped(report.closing))


def _items(entry: Entry, section: Section) -> Iterator[str]:
    line = ""
    if entry.line is not None and entry.seat == section.seat:
        line = f"**{entry.line}.** " if entry.written is None else f"**{entry.line}.** `{entry.written}` "
    rule = f" `{entry.rule}`" if entry.outcome in _NOT_DONE else ""
    yield f"- {line}{_escaped(entry.sentence)}{rule}"
    for detail in entry.details:
        yield f"{'  ' * (detail.depth + 1)}- {_escaped(detail.sentence)}"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """The text, escaped so that Markdown shows it as it is: no markup, no links, no lists."""
    escaped = _MARKUP.sub(r"\\\g<0>", plain(text))
    return _ADDRESS.sub(r"\\", _LEADING.sub(r"\\", escaped))

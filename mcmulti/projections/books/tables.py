"""Tables as CSV (RFC 4180), for spreadsheets."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import islice
from unicodedata import normalize

CsvCell = str | int | None

PIECE = 500
"""Rows in a piece of a table that is written piece by piece."""

_FORMULA = ("=", "+", "-", "@")


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[CsvCell]]) -> bytes:
    """A header and the rows, in UTF-8. Text is quoted, and `inert`."""
    return b"".join(csv_pieces(columns, rows))


def csv_pieces(columns: Sequence[str], rows: Iterable[Sequence[CsvCell]]) -> Iterator[bytes]:
    """The same in pieces of at most `PIECE` rows, so that no table is in memory as a whole."""
    yield _csv([columns])
    left = iter(rows)
    while piece := list(islice(left, PIECE)):
        yield _csv(piece)


def _csv(rows: Iterable[Sequence[CsvCell]]) -> bytes:
    text = StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerows([inert(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def inert(cell: CsvCell) -> CsvCell:
    """The cell, safe for spreadsheets: text that would be taken for a formula is preceded by a ``'``.

    Names of players are free text.
    """
    if isinstance(cell, str) and normalize("NFKC", cell).lstrip().startswith(_FORMULA):
        return f"'{cell}"
    return cell

"""Tables as CSV (RFC 4180), for spreadsheets."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from unicodedata import normalize

CsvCell = str | int | None

_FORMULA = ("=", "+", "-", "@")


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[CsvCell]]) -> bytes:
    """A header and the rows, in UTF-8. Text is quoted, and `inert`."""
    text = StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([inert(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def inert(cell: CsvCell) -> CsvCell:
    """The cell, safe for spreadsheets: text that would be taken for a formula is preceded by a ``'``.

    Names of players are free text.
    """
    if isinstance(cell, str) and normalize("NFKC", cell).lstrip().startswith(_FORMULA):
        return f"'{cell}"
    return cell

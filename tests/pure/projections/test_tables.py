"""CSV: its contents can be read back, and no spreadsheet calculates with them."""

import csv
from io import StringIO

import pytest

from mcmulti.projections.books.tables import as_csv


def _read(content: bytes) -> list[list[str]]:
    return list(csv.reader(StringIO(content.decode(), newline=""), strict=True))


def test_rows_end_and_cells_are_quoted_as_rfc_4180_says() -> None:
    content = as_csv(("seat", "name"), [(0, 'Ada "the oil" Smith, Ltd.'), (1, ""), (-2, None)])
    assert content == b'"seat","name"\r\n0,"Ada ""the oil"" Smith, Ltd."\r\n1,""\r\n-2,""\r\n'


@pytest.mark.parametrize(
    "name", ["Ada", 'a"b', "a,b", "a;b", "a\nb", "a|b", "Zoë", "石油", "a=1", "1-1", "x+y", "'quoted"]
)
def test_text_comes_out_as_it_is(name: str) -> None:
    assert _read(as_csv(("name",), [(name,)])) == [["name"], [name]]


@pytest.mark.parametrize(
    "name", ['=HYPERLINK("http://x";"y")', "+1", "-1+cmd|' /C calc'!A0", "@SUM(1)", " =1", "\t=1", "\uff1d1", "\ufe631"]
)
def test_a_formula_becomes_text(name: str) -> None:
    assert _read(as_csv(("name",), [(name,)])) == [["name"], [f"'{name}"]]


def test_numbers_below_zero_stay_numbers() -> None:
    assert as_csv(("amount",), [(-5,)]) == b'"amount"\r\n-5\r\n'

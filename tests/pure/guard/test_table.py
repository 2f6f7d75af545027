"""How far a count may be from the table."""

import pytest

from tests.guard.table import Cost, differences, read, written

SALE = Cost(200, 100, 1, 400, 1000)


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (Cost(206, 103, 1, 412, 1030), []),
        (Cost(180, 90, 1, 360, 900), []),
        (Cost(207, 100, 1, 400, 1000), ["sale: calls 200 -> 207, more than 3 % above the table"]),
        (Cost(200, 104, 1, 400, 1000), ["sale: files 100 -> 104, more than 3 % above the table"]),
        (Cost(200, 100, 2, 400, 1000), ["sale: statements 1 -> 2, more than 3 % above the table"]),
        (Cost(200, 100, 1, 413, 1000), ["sale: header bytes 400 -> 413, more than 3 % above the table"]),
        (Cost(200, 100, 1, 400, 1031), ["sale: body bytes 1000 -> 1031, more than 3 % above the table"]),
        (
            Cost(179, 100, 1, 400, 1000),
            ["sale: calls 200 -> 179, more than 10 % below the table: rewrite it to keep the gain"],
        ),
    ],
)
def test_three_percent_more_or_ten_percent_less_are_within_the_table(now: Cost, said: list[str]) -> None:
    assert differences({"sale": now}, {"sale": SALE}) == said


def test_what_was_nothing_may_not_become_something() -> None:
    nothing = Cost(20, 9, 0, 300, 0)
    assert differences({"rules": Cost(20, 9, 1, 300, 0)}, {"rules": nothing}) == [
        "rules: statements 0 -> 1, more than 3 % above the table"
    ]
    assert not differences({"rules": nothing}, {"rules": nothing})


def test_a_row_that_is_missing_is_named() -> None:
    assert differences({"roll": SALE}, {"sale": SALE}) == [
        "roll: not in the table",
        "sale: in the table, but no longer measured",
    ]


def test_a_table_is_read_as_it_was_written() -> None:
    costs = {"sale, sent again": SALE, "bid": Cost(1, 2, 3, 4, 123456)}
    assert read(written(costs)) == costs
    assert written(costs).splitlines()[-2:] == [
        "| bid              |     1 |     2 |          3 |            4 |     123456 |",
        "| sale, sent again |   200 |   100 |          1 |          400 |       1000 |",
    ]

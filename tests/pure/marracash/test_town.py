"""The town: its routes are derived from the grid, and must equal the handwritten table of the rules."""

import re
from collections import Counter

import pytest

from mcmulti.domain.marracash.components import SHOPS
from mcmulti.domain.marracash.town import BESIDE, ENTRANCES, FOUNTAINS, NEIGHBOURS, STREETS, colour_of, spots_of

# Direction and target, then the shops in order. > means then, + means at the same step.
TABLE = """
1  E>2: G2 | S>6: G2+P2 > R2 > B3 | W>3: P2 > B1 > R1
2  S>7: G2 > R2 > P4 | W>1: G2
3  N>1: R1 > B1 > P2 | S>5: B1+P3 | W>4: P3+R1 > Y2 > G1 > P1
4  N>3: G1+P1 > Y2 > R1 > P3 > B1 | S>9: B2+R3 > B4 | W>8: B2+P1 > Y1
5  N>3: B1+P3 | E>6: B1+G3 > B3+P2 | S>11: G3+Y3
6  N>1: P2+R2 > G2 | E>7: R2+Y4 | W>5: B3+P2 > B1+G3 > P3
7  E>2: P4 > R2 > G2 | S>13: P4+Y4 | W>6: R2+Y4 > B3
8  N>4: B2 > Y1 > P1 > Y2 | E>9: B2+G4 > B4 | S>14: G4
9  N>4: B2+R3 > Y2 | E>10: B4+R3 > Y3 | W>8: B2+G4
10 E>11: R5+Y3 > G3 | S>15: B4+R5 > Y5 | W>9: B4+R3
11 N>5: G3+Y3 > P3 | S>12: P5+R5 > G3 > R4 | W>10: R5+Y3
12 E>13: B5+R4 > Y4 | S>16: B5+P5 | W>11: G3+P5 > R5
13 N>7: P4+Y4 > R2 | S>16: B5+G5 | W>12: B5+Y4 > R4
14 N>8: G4 | E>15: G4 > Y5
15 N>10: R5+Y5 > B4 > Y3 | E>16: R5 > P5 | W>14: Y5 > G4
16 N>12: B5+P5 > R4 | E>13: B5 > G5 | W>15: P5 > R5
"""
BY_HAND = (
    "1-2 1-3 1-6 2-7 3-4 3-5 4-8 4-9 5-6 5-11 6-7 7-13 8-9 8-14 9-10 10-11 10-15 11-12 12-13 12-16 13-16 14-15 15-16"
)
HEADINGS = {(-1, 0): "N", (0, 1): "E", (1, 0): "S", (0, -1): "W"}


def written() -> dict[tuple[int, int], tuple[str, list[set[str]]]]:
    """By fountains: the direction in which a street sets out, and the shops at each step."""
    streets = {}
    for line in TABLE.strip().splitlines():
        number, ways = re.match(r"(\d+)\s+(.*)", line).groups()  # type: ignore[union-attr]
        for way in ways.split(" | "):
            heading, to, shops = re.match(r"([NESW])>(\d+): (.*)", way).groups()  # type: ignore[union-attr]
            streets[int(number), int(to)] = (heading, [set(step.split("+")) for step in shops.split(" > ")])
    return streets


def test_board_streets__the_routes_that_the_code_walks_are_those_of_the_table() -> None:
    walked = {}
    for between, street in STREETS.items():
        (row, column), (next_row, next_column) = street.path[:2]
        heading = HEADINGS[next_row - row, next_column - column]
        walked[between] = (heading, [set(step) for step in street.doors])
    assert walked == written()


def test_board_streets__there_are_23_both_ways() -> None:
    pairs = [tuple(map(int, pair.split("-"))) for pair in BY_HAND.split()]
    assert len(pairs) == 23
    assert set(STREETS) == {*pairs, *((to, start) for start, to in pairs)}
    assert all(STREETS[to, start].path == street.path[::-1] for (start, to), street in STREETS.items())
    assert NEIGHBOURS[1] == (2, 3, 6)


def test_board_fountains__sixteen_three_of_them_entrances() -> None:
    assert tuple(FOUNTAINS) == tuple(range(1, 17))
    assert ENTRANCES == (1, 8, 16)


def test_board_doors__stopping_beside_a_shop_counts_and_where_one_starts_does_not() -> None:
    """From 6 to 1 the group passes R2, which is beside the second spot, not B3, which is beside fountain 6."""
    assert "B3" in STREETS[1, 6].shops
    assert "B3" not in STREETS[6, 1].shops


def test_board_doors__two_doors_of_one_color_are_never_at_the_same_step() -> None:
    for street in STREETS.values():
        for step in street.doors:
            assert len({colour_of(shop) for shop in step}) == len(step)


def test_board_doors__these_shops_have_a_fountain_beside_them() -> None:
    """A shop could be beside several fountains, but none is. No entrance is beside one."""
    by_hand = "3-B1 4-Y2 5-P3 6-B3 7-R2 9-B4 10-Y3 11-G3 12-R4"
    assert {shop: int(number) for number, shop in (pair.split("-") for pair in by_hand.split())} == BESIDE


def test_shops_count__five_of_each_color() -> None:
    assert len(SHOPS) == 25
    assert Counter(map(colour_of, SHOPS)) == dict.fromkeys(("red", "blue", "green", "yellow", "purple"), 5)
    assert all(2 <= len(spots_of(shop)) <= 3 for shop in SHOPS)


@pytest.mark.parametrize(("shop", "spots"), [("Y1", ((1, 1), (2, 1))), ("B3", ((5, 9), (5, 10)))])
def test_shops_count__where_they_stand(shop: str, spots: tuple[tuple[int, int], ...]) -> None:
    assert spots_of(shop) == spots

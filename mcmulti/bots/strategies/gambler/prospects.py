"""The value of money and a card on the way to the million, as measured in games between gamblers."""

from bisect import bisect
from functools import lru_cache
from math import exp, log

SUMS = (0, 5, 20, 100, 500, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 300_000, 1_000_000)
"""Amounts of money for which it is known."""
FOUND = {
    5: (1.48, 1.64, 1.73, 1.86, 2.08, 2.30, 2.77, 2.86, 3.21, 3.61, 3.75, 4.35, 4.66),
    50: (1.93, 2.01, 2.10, 2.21, 2.38, 2.56, 2.87, 2.96, 3.33, 3.75, 3.88, 4.70, 4.86),
    500: (2.64, 2.72, 2.72, 2.78, 2.90, 3.05, 3.25, 3.32, 3.60, 3.90, 3.95, 4.82, 5.34),
}
"""By card, the logarithm of the hope to win with each of the `SUMS`; only differences between them are meaningful."""

_LEAST = 3
"""Added to money, so that it has a logarithm."""
_SCALE = [log(money + _LEAST) for money in SUMS]


@lru_cache(1 << 16)
def prospect(money: int, card: int) -> float:
    """The weight of a player with this much: its probability of winning is its share of the sum of all players'
    weights.

    `money` is below a million. Between two sums the logarithm is interpolated over that of the money.
    """
    place = log(money + _LEAST)
    above = bisect(_SCALE, place)
    (low, high), found = _SCALE[above - 1 : above + 1], FOUND[card]
    part = (place - low) / (high - low)
    return exp(found[above - 1] * (1 - part) + found[above] * part)

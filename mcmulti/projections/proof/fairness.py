"""Whether a die shows all faces equally often: Pearson's chi-square test."""

from collections import Counter
from collections.abc import Sequence
from math import erfc, exp, pi, sqrt
from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import Code, Count

FACES = 6
ENOUGH = 5 * FACES
"""The fewest rolls for the test: the expected count of each face is five (Cochran's rule)."""


class DieStatistics(Struct, frozen=True):
    """The results of a die.

    `die`: its color; `all` for all dice together. `rolls`: how often it was rolled. `faces`: how often each face from 1
    to 6 came up. `chi_square`: the sum over the faces of (count - expected)² / expected, 0 without rolls. `p_value`:
    how often fair dice would be at least this uneven; null below 30 rolls, for which the test is invalid.
    """

    die: Code
    rolls: Count
    faces: Annotated[tuple[Count, ...], Meta(min_length=FACES, max_length=FACES)]
    chi_square: Annotated[float, Meta(ge=0)]
    p_value: Annotated[float, Meta(ge=0, le=1)] | None


def by_die(thrown: Counter[tuple[str, int]]) -> dict[str, list[int]]:
    """How often each die showed 1 to 6, in the order in which they were first thrown."""
    return {die: [thrown[die, face] for face in range(1, FACES + 1)] for die, _ in thrown}


def die_statistics(die: str, faces: Sequence[int]) -> DieStatistics:
    """The test of one die; `faces` are the counts of the faces 1 to 6."""
    rolls = sum(faces)
    expected = rolls / FACES
    statistic = sum((count - expected) ** 2 for count in faces) / expected if rolls else 0.0
    p_value = survival(statistic) if rolls >= ENOUGH else None
    return DieStatistics(die, rolls, tuple(faces), statistic, p_value)


def survival(statistic: float) -> float:
    """The probability that chi-square with five degrees of freedom exceeds the statistic.

    For an odd number of degrees of freedom it has a closed form (Abramowitz and Stegun, Handbook of Mathematical
    Functions, 26.4.4); for five, with x the statistic::

        Q(x) = erfc(sqrt(x / 2)) + sqrt(2 x / pi) * exp(-x / 2) * (1 + x / 3)
    """
    tail = sqrt(2 * statistic / pi) * exp(-statistic / 2) * (1 + statistic / 3)
    return min(1.0, erfc(sqrt(statistic / 2)) + tail)

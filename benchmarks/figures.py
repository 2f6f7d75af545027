"""Figures and comparisons."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from statistics import median
from typing import Literal, NamedTuple

from benchmarks.scale import Scale


class Figure(NamedTuple):
    """A figure and its unit."""

    what: str
    unit: str


Taken = Mapping[Figure, float]
"""The results of one measurement."""
Measure = Callable[[], Awaitable[Taken]]
"""One measurement of one candidate. Every round takes each in turn, so that noise affects all."""


class Item(NamedTuple):
    """Measurements that are prepared together, and fail together.

    `figures`: exactly the results of a round. `needs`: programs and Python packages that are required.
    """

    name: str
    prepare: "Callable[[Scale, AsyncExitStack], Awaitable[Sequence[Measure]]]"
    figures: tuple[Figure, ...]
    needs: tuple[str, ...] = ()


class Aim(NamedTuple):
    """A figure over the sum of others in the same round, or by itself if there are no others.

    `value`: the target, None if there is none. `later`: the target in the long term.
    """

    what: str
    ours: Figure
    theirs: tuple[Figure, ...] = ()
    sense: Literal["at least", "under"] = "at least"
    value: float | None = None
    later: float | None = None


class Judged(NamedTuple):
    """A comparison: the median with minimum and maximum, the target, and whether it is met."""

    what: str
    found: str
    target: str
    verdict: Literal["met", "missed", ""]


class Figures:
    """All measurements, by round. A failed one leaves a gap in its round."""

    def __init__(self) -> None:
        self._taken: dict[Figure, dict[int, float]] = {}

    def add(self, number: int, taken: Taken) -> None:
        """Store the results of a measurement in this round."""
        for figure, value in taken.items():
            self._taken.setdefault(figure, {})[number] = value

    def known(self) -> set[Figure]:
        """The figures that were measured in at least one round."""
        return set(self._taken)

    def values(self, figure: Figure) -> list[float]:
        """The results of each round."""
        return list(self._taken.get(figure, {}).values())

    def row(self, figure: Figure) -> tuple[str, str, str, str] | None:
        """The figure, its median, minimum to maximum, and unit. None if it was never measured."""
        values = self.values(figure)
        if not values:
            return None
        spread = f"{said(min(values))} to {said(max(values))}" if len(values) > 1 else ""
        return figure.what, said(median(values)), spread, figure.unit

    def ratios(self, aim: Aim) -> list[float]:
        """The ratio in each round in which all of it was measured."""
        all_of_it = [self._taken.get(figure, {}) for figure in (aim.ours, *aim.theirs)]
        whole = [number for number in all_of_it[0] if all(number in each for each in all_of_it)]
        ours, *theirs = all_of_it
        return [ours[number] / (sum(each[number] for each in theirs) if theirs else 1) for number in whole]

    def judged(self, aims: Sequence[Aim]) -> Iterator[Judged]:
        """The result of each comparison, as the median of the rounds. Comparisons without measurements are left out."""
        for aim in aims:
            if ratios := self.ratios(aim):
                found = median(ratios)
                unit = "" if aim.theirs else f" {aim.ours.unit}"
                spread = f" ({said(min(ratios))} to {said(max(ratios))})" if len(ratios) > 1 else ""
                yield Judged(aim.what, f"{said(found)}{unit}{spread}", _target(aim, unit), _verdict(aim, found))


def _target(aim: Aim, unit: str) -> str:
    if aim.value is None:
        return ""
    later = "" if aim.later is None else f" (long-term {aim.later:,g}{unit})"
    return f"{aim.sense} {aim.value:,g}{unit}{later}"


def _verdict(aim: Aim, found: float) -> Literal["met", "missed", ""]:
    if aim.value is None:
        return ""
    met = found >= aim.value if aim.sense == "at least" else found < aim.value
    return "met" if met else "missed"


def said(value: float) -> str:
    """At least three significant digits."""
    for least, digits in ((100, 0), (1, 2), (0.1, 3)):
        if abs(value) >= least:
            return f"{value:,.{digits}f}"
    return f"{value:.3g}"


def say_clients(number: int) -> str:
    """The number, with its noun."""
    return "1 client" if number == 1 else f"{number} clients"

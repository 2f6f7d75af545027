"""Confidence intervals: a Bayesian bootstrap of matches (Rubin, Annals of Statistics 9, 1981).

Every match gets a random weight, and the result of the weighted matches is a sample. So that a few identical matches do
not look certain, each strategy also wins and loses an imagined match, each with half the weight of a real one. For
matches of one game each, this is the Jeffreys interval. A strategy that won or lost everything may be arbitrarily good
or bad: such an interval is open on that side.
"""

from collections.abc import Sequence
from random import Random

from msgspec import Struct

SAMPLES = 800
"""The number of samples for an interval."""
IMAGINED = 0.5
"""The weight of an imagined match, in matches."""


class Interval(Struct, frozen=True):
    """A value with its 95% interval; None if the interval is open on that side."""

    value: float
    low: float | None
    high: float | None


class WonShare(Struct, frozen=True):
    """A share of victories, from 0 to 1, with its 95% interval."""

    value: float
    low: float
    high: float


class Won(Struct, frozen=True, order=True):
    """Victories in a match, of which a shared one counts in part; on how many seats, in how many games."""

    victories: float
    seats: int
    games: int


def weighed(counts: Sequence[int], random: Random) -> list[float]:
    """Random weights of kinds of matches, given their counts: the sums, as if each match had its own weight."""
    return [random.gammavariate(count, 1.0) for count in counts]


def imagined(games: float, random: Random) -> float:
    """The random weight of an imagined match, in games, given the games in a match."""
    return games * random.gammavariate(IMAGINED, 1.0)


def between(value: float, samples: Sequence[float], *, least: bool, most: bool) -> Interval:
    """The interval around a value, from samples; `least`, `most`: whether it could not be lower or higher."""
    ordered = sorted(samples)
    beyond = len(ordered) // 40
    low, high = ordered[beyond], ordered[-1 - beyond]
    return Interval(value, None if least else min(value, low), None if most else max(value, high))


def share(matches: dict[Won, int], random: Random) -> WonShare:
    """The share of victories in seats, from the results of matches and their counts; `random` weights them.

    A strategy with two seats at a table wins with only one of them: its share is at most a half.
    """
    games = sum(kind.games * count for kind, count in matches.items())
    if not games:
        return WonShare(0.0, 0.0, 1.0)
    kinds, victories = sorted(matches), sum(kind.victories * count for kind, count in matches.items())
    most = games / sum(kind.seats * count for kind, count in matches.items())
    whole = games / sum(matches.values())
    samples = []
    for _ in range(SAMPLES):
        weights = weighed([matches[kind] for kind in kinds], random)
        all_won, all_lost = imagined(whole, random), imagined(whole, random)
        won = sum(weight * kind.victories for weight, kind in zip(weights, kinds, strict=True)) + all_won
        played = sum(weight * kind.games for weight, kind in zip(weights, kinds, strict=True)) + all_won + all_lost
        samples.append(min(1.0, won / played) * most)
    value = min(1.0, victories / games)
    found = between(value * most, samples, least=value == 0, most=value > 1 - 1e-9)
    return WonShare(found.value, found.low or 0.0, most if found.high is None else found.high)

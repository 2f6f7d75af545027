"""Between which figures the true one lies: a Bayesian bootstrap of matches (Rubin, Annals of Statistics 9, 1981).

Every match gets a random weight, and what follows from the weighted matches is a sample. So that a few matches that all
went alike do not look certain, somebody also wins and loses an imagined match, each with half the weight of a real one.
For matches of one game each, that is the interval of Jeffreys. Who won or lost everything may be as good or as bad as
can be: such an interval has no end on that side.
"""

from collections.abc import Sequence
from random import Random

from msgspec import Struct

SAMPLES = 800
"""How many an interval is taken from."""
IMAGINED = 0.5
"""The weight of an imagined match, in matches."""


class Interval(Struct, frozen=True):
    """A figure, and between which ones the true one lies, 95 times of 100; None if there is no end on that side."""

    value: float
    low: float | None
    high: float | None


class WonShare(Struct, frozen=True):
    """A share of victories, from 0 to 1, and between which ones the true one lies, 95 times of 100."""

    value: float
    low: float
    high: float


class Won(Struct, frozen=True, order=True):
    """What somebody won in a match: victories, of which a shared one counts in part; on how many seats, in how many
    games.
    """

    victories: float
    seats: int
    games: int


def weighed(counts: Sequence[int], random: Random) -> list[float]:
    """Random weights of kinds of matches, of which there are so many: their sum, as if each match had its own."""
    return [random.gammavariate(count, 1.0) for count in counts]


def imagined(games: float, random: Random) -> float:
    """The random weight of an imagined match, in games, of which a match has so many."""
    return games * random.gammavariate(IMAGINED, 1.0)


def between(value: float, samples: Sequence[float], *, least: bool, most: bool) -> Interval:
    """The interval around a value that samples make; `least`, `most`: whether it could not be lower or higher."""
    ordered = sorted(samples)
    beyond = len(ordered) // 40
    low, high = ordered[beyond], ordered[-1 - beyond]
    return Interval(value, None if least else min(value, low), None if most else max(value, high))


def share(matches: dict[Won, int], random: Random) -> WonShare:
    """The share of victories in seats, from what was won in matches, and how often; `random` weighs them.

    Who has two seats at a table wins with one of them: the share is a half at most.
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

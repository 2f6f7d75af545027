"""Means of samples, and how uncertain they are."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

from mcmulti.projections.reviews import Estimate


def estimated(samples: Sequence[float]) -> Estimate:
    """The mean of some samples, at least one."""
    error = stdev(samples) / sqrt(len(samples)) if len(samples) > 1 else None
    return Estimate(fmean(samples), error)


def by_seat(samples: Sequence[Sequence[float]]) -> tuple[Estimate, ...]:
    """The mean of each seat, from samples of all seats together."""
    return tuple(estimated(seat) for seat in zip(*samples, strict=True))

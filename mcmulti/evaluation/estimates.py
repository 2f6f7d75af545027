"""Means of samples, and how uncertain they are."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

from msgspec import Struct


class Estimate(Struct, frozen=True):
    """A mean, and its standard error; None if there was only one sample."""

    value: float
    error: float | None


def estimated(samples: Sequence[float]) -> Estimate:
    """The mean of some samples, at least one."""
    error = stdev(samples) / sqrt(len(samples)) if len(samples) > 1 else None
    return Estimate(fmean(samples), error)


def by_seat(samples: Sequence[Sequence[float]]) -> tuple[Estimate, ...]:
    """The mean of each seat, from samples of all seats together."""
    return tuple(estimated(seat) for seat in zip(*samples, strict=True))

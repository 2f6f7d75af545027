"""Measurements, as values."""

from collections.abc import Sequence
from math import ceil
from typing import Self

from msgspec import Struct


class Latency(Struct, frozen=True):
    """Latencies in microseconds: the 50th, 95th, and 99th percentiles, and the maximum."""

    p50: int
    p95: int
    p99: int
    longest: int

    @classmethod
    def of(cls, nanoseconds: Sequence[int]) -> Self:
        """The percentiles of these times, of which there is at least one. By nearest rank, so each is a time that
        occurred.
        """
        ordered = sorted(nanoseconds)
        p50, p95, p99 = (ordered[ceil(percent * len(ordered) / 100) - 1] for percent in (50, 95, 99))
        return cls(p50 // 1000, p95 // 1000, p99 // 1000, ordered[-1] // 1000)


class Load(Struct, frozen=True):
    """The result of a load: how many requests were answered, in how many seconds, and the latencies.

    `cpu_seconds`: processor time of the load generator. If it is close to `seconds`, the generator measured itself.
    """

    clients: int
    answers: int
    seconds: float
    cpu_seconds: float
    latency: Latency

    @property
    def rate(self) -> float:
        """Answers per second."""
        return self.answers / self.seconds


class Usage(Struct, frozen=True):
    """Average processor use under a load; 1 is one whole processor.

    `server`: all its processes. `postgres`: all PostgreSQL processes. `backend`: the busiest of those. The last two are
    None if PostgreSQL runs on another machine. `machine`: everything that runs on this machine.
    """

    server: float
    generator: float
    postgres: float | None
    backend: float | None
    machine: float

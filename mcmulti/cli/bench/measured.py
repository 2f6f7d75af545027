"""What was measured, as values."""

from collections.abc import Sequence
from math import ceil
from typing import Self

from msgspec import Struct


class Latency(Struct, frozen=True):
    """How long each of many things took, in microseconds: what 50, 95, 99 in a hundred kept, and the longest."""

    p50: int
    p95: int
    p99: int
    longest: int

    @classmethod
    def of(cls, nanoseconds: Sequence[int]) -> Self:
        """The latencies among these times, at least one; by nearest rank, so each is a time that occurred."""
        ordered = sorted(nanoseconds)
        p50, p95, p99 = (ordered[ceil(percent * len(ordered) / 100) - 1] for percent in (50, 95, 99))
        return cls(p50 // 1000, p95 // 1000, p99 // 1000, ordered[-1] // 1000)


class Load(Struct, frozen=True):
    """What came of a load: how many requests were answered, in how many seconds, and how soon each.

    `cpu_seconds` is what the load generator itself took of one processor: near `seconds`, it measured itself.
    """

    clients: int
    answers: int
    seconds: float
    cpu_seconds: float
    latency: Latency

    @property
    def rate(self) -> float:
        """Answers a second."""
        return self.answers / self.seconds


class Usage(Struct, frozen=True):
    """Processors that each took on average under a load; 1 is one whole processor.

    `server` is all its processes, `postgres` all of those, and `backend` the busiest of them; None where PostgreSQL
    runs where it cannot be seen. `machine` is all that are in use on this machine, by whomever.
    """

    server: float
    generator: float
    postgres: float | None
    backend: float | None
    machine: float

"""How many commands per second machines carry, simulated from the processor time of one command.

Commands come at random to servers, one on each machine, and wait for processors: first for those of the server's
machine, then for those of the node where the game lives. `python -m benchmarks.capacity` prints the table of
docs/explanation/scale.md. Only the figures of `PLAIN` and `CLUSTER` are measured. Everything else follows from them.
"""

from collections.abc import Iterator
from functools import cache
from heapq import heappop, heappush
from math import ceil
from random import Random
from typing import NamedTuple

PROCESSORS = 4
"""Processors of each machine."""
PATIENCE = 50.0
"""Milliseconds within which 99 of 100 commands must be carried out."""
COMMANDS = 12_000
"""Seconds of one run. The first tenth does not count, since nobody waits yet."""
PRECISION = 0.02
"""The tolerance of the resulting rate, as a share."""


class Work(NamedTuple):
    """Milliseconds of processor time of a command: in the server, and on the game's node."""

    server: float
    node: float

    @property
    def total(self) -> float:
        """All of it."""
        return self.server + self.node


PLAIN = Work(0.27, 0.065)
"""One PostgreSQL."""
CLUSTER = Work(0.315, 0.135)
"""Servers on workers, games on any worker."""


class Setup(NamedTuple):
    """Identical machines: each has a server, and is a node."""

    name: str
    machines: int
    work: Work


SETUPS = [
    Setup("one PostgreSQL and its server on one machine", 1, PLAIN),
    *(Setup(f"a cluster of {machines} workers", machines, CLUSTER) for machines in (2, 4, 8, 16)),
]


def carried(setup: Setup, seed: int = 1) -> float:
    """The commands per second that a setup carries within `PATIENCE`."""
    low, high = 0.0, 1000 * setup.machines * PROCESSORS / setup.work.total
    while high - low > PRECISION * high:
        rate = (low + high) / 2
        if slowest_of_most(setup, rate, Random(seed)) <= PATIENCE:
            low = rate
        else:
            high = rate
    return low


def slowest_of_most(setup: Setup, rate: float, random: Random) -> float:
    """The milliseconds that 99 of 100 commands do not exceed, at this rate per second."""
    free = [PROCESSORS] * setup.machines
    waiting: list[list[tuple[int, int]]] = [[] for _ in free]
    stages = [
        [(random.randrange(setup.machines), setup.work.server), (random.randrange(setup.machines), setup.work.node)]
        for _ in range(COMMANDS)
    ]
    came = list(_moments(rate, random))
    events = [(moment, number, 0, False) for number, moment in enumerate(came)]  # in order, so they are a heap
    took: list[float] = []

    def begin(now: float, number: int, stage: int) -> None:
        machine, work = stages[number][stage]
        free[machine] -= 1
        heappush(events, (now + random.expovariate(1 / work), number, stage, True))

    while events:
        now, number, stage, done = heappop(events)
        machine = stages[number][stage][0]
        if done:
            free[machine] += 1
            if waiting[machine]:
                begin(now, *waiting[machine].pop(0))
            stage += 1
            if stage == len(stages[number]):
                took.append(now - came[number])
                continue
            machine = stages[number][stage][0]
        if free[machine]:
            begin(now, number, stage)
        else:
            waiting[machine].append((number, stage))
    counted = sorted(took[COMMANDS // 10 :])
    return counted[ceil(0.99 * len(counted)) - 1]


def _moments(rate: float, random: Random) -> Iterator[float]:
    moment = 0.0
    for _ in range(COMMANDS):
        moment += random.expovariate(rate / 1000)
        yield moment


@cache
def table() -> str:
    """Rows of Markdown: what each setup carries, with two digits, and what its processors would do without waiting."""
    rows = ["| machines of 4 processors | commands/s | without any waiting |", "|---|---|---|"]
    for setup in SETUPS:
        most = 1000 * setup.machines * PROCESSORS / setup.work.total
        rows.append(f"| {setup.name} | {_rounded(carried(setup)):,} | {_rounded(most):,} |")
    return "\n".join(rows)


def _rounded(rate: float) -> int:
    digits = len(str(int(rate))) - 2
    return int(round(rate, -digits))


if __name__ == "__main__":
    print(table())

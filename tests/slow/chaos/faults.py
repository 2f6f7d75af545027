"""All faults of a campaign, and their times."""

import random
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tests.slow.chaos import builds, clients, connections, databases, logs, processes
from tests.slow.chaos.stage import Stage

Work = Callable[[Stage, random.Random], Awaitable[None]]
GROUPS: Mapping[str, Mapping[str, Work]] = {
    "processes": processes.FAULTS,
    "databases": databases.FAULTS,
    "disks": databases.FULL,
    "connections": {**connections.FAULTS, **clients.FAULTS},
    "logs": logs.FAULTS,
    "builds": builds.FAULTS,
}
"""The faults, by what they affect. After each, everything works again, apart from lost time."""
FAULTS: Mapping[str, Work] = {kind: work for group in GROUPS.values() for kind, work in group.items()}
VOLUMES = frozenset(GROUPS["disks"])
"""Faults that need volumes of their own."""
BETWEEN = (0.5, 2.0)
"""Seconds between two faults."""


class Planned(NamedTuple):
    """A fault, this many seconds after the end of the last one. `seed`: determines its details."""

    pause: float
    kind: str
    seed: int


def schedule(kinds: Sequence[str], seed: int) -> Iterator[Planned]:
    """The endless faults of a campaign, the same for the same seed: all kinds in turn, in any order."""
    dice = random.Random(seed)
    while True:
        for kind in dice.sample(sorted(kinds), len(kinds)):
            yield Planned(round(dice.uniform(*BETWEEN), 2), kind, dice.randrange(2**31))

"""Every item of `make bench` measures what it declares, with plausible numbers."""

from collections.abc import Iterator

import pytest

from benchmarks.figures import Item
from benchmarks.run import measured
from benchmarks.scale import QUICK
from benchmarks.suite import GROUPS, Group, missing

PLAUSIBLE = {
    "%": (0, 100),
    "appends/s": (10, 1e6),
    "bytes": (50, 1e7),
    "commands/s": (5, 1e6),
    "decisions/s": (10, 1e7),
    "events/s": (10, 1e9),
    "games/s": (0.01, 1e5),
    "KiB": (0.5, 5000),
    "MiB": (5, 2000),
    "ms": (1e-3, 60_000),
    "reads/s": (5, 1e6),
    "requests/s": (5, 1e6),
    "rounds/s": (1, 1e6),
    "s": (0.01, 300),
    "saves/s": (1, 1e6),
    "statements": (0, 1000),
    "steps/s": (10, 1e6),
    "µs": (0.1, 1e7),
}
"""The range of a figure with this unit on any machine, however busy. Anything outside has another unit."""


def cases() -> Iterator[object]:
    """Each group in one process. Items that lack something are listed as not checked."""
    for group in GROUPS:
        lacking = [item for item in group.items() if any(map(missing, item.needs))]
        if items := [item for item in group.items() if item not in lacking]:
            yield pytest.param(group, items, id=group.name)
        for item in lacking:
            yield pytest.param(group, [item], id=f"{group.name}/{item.name}", marks=pytest.mark.needs(*item.needs))


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("group", "items"), list(cases()))
async def test_every_figure_is_measured_in_its_unit(group: Group, items: list[Item]) -> None:
    said: list[str] = []
    found = await measured(group, items, QUICK, said.append)
    assert found.failures == {}, said
    assert found.figures.known() == {figure for item in items for figure in item.figures}
    for figure in found.figures.known():
        least, most = PLAUSIBLE[figure.unit]
        (value,) = found.figures.values(figure)
        assert least <= value <= most, f"{figure.what}: {value} {figure.unit}"

"""The order of campaigns."""

import os

import pytest

LONG = (
    "docs/test_transcripts",
    "fuzz/",
    "bench/",
    "web/",
    "clients/test_generated_python",
    "clients/test_python",
    "deploy/",
    "docs/",
)
"""Campaigns that take a minute or more, the longest first."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each worker begins with some of the longest, so that at the end, no worker waits for another one.

    At first, a worker has as many tests in a row as any other (`--dist=worksteal`).
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    ranked = sorted(items, key=_rank)
    long = sum(_rank(item) < len(LONG) for item in items)
    most = -(-len(items) // workers)
    rest = ranked[long:]
    items.clear()
    for worker in range(workers):
        first = ranked[worker:long:workers]
        items += [*first, *rest[: most - len(first)]]
        del rest[: most - len(first)]
    items += rest


def _rank(item: pytest.Item) -> int:
    return next((rank for rank, start in enumerate(LONG) if item.nodeid.startswith(f"tests/slow/{start}")), len(LONG))

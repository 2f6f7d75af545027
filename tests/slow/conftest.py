"""The order of campaigns."""

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole games in the browser come first, since they take longest: at the end, no worker waits for another one."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/slow/web/"))

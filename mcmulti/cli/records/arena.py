"""Play an arena, report its progress, and print its result for people and for programs."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from mcmulti.arena.league import key_in, sign
from mcmulti.arena.play import ArenaGame, Contest, Failure, failure_line
from mcmulti.arena.pool import played, usable_processors
from mcmulti.arena.ratings import DuplicateScore, Interval, Rated, duplicate_scores, standings
from mcmulti.arena.roster import entered
from mcmulti.arena.schedule import ArenaPlan, Pairing, pairings
from mcmulti.arena.sprt import SequentialTest, SprtResult
from mcmulti.arena.store import GAMES, keep_plan, kept, path_of
from mcmulti.bots.seats.trouble import keep
from mcmulti.bots.strategies.own import strategy_name
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.store.names import can_be_shown

MOST_KEPT = 5
"""The most positions kept of a strategy that fails in one way."""
SHOWN = 10
"""The most failures that are printed one by one."""


class FailureTold(Struct, frozen=True):
    """A strategy that failed: the game, the seat, the kind, and the file with the position if it was kept."""

    game: int
    seat: int
    entrant: int
    kind: str
    error: str
    file: str | None


class ArenaReport(Struct, frozen=True):
    """The results of an arena. `seconds`, `decisions`, and `failures` are those of the games played in this run.

    `test`: the result of the test of two strategies; None if there was none. `duplicate`: the scores by comparison;
    None if not requested.
    """

    plan: ArenaPlan
    standings: tuple[Rated, ...]
    results: tuple[ArenaGame, ...]
    failures: tuple[FailureTold, ...]
    played: Annotated[int, Meta(ge=0)]
    decisions: int
    seconds: float
    processes: int
    test: SprtResult | None
    duplicate: tuple[DuplicateScore, ...] | None


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

    Raises `BadFolder` and `NotPlayed`.
    """
    labels: list[str] = []
    for strategy in strategies:
        shown = (letter if letter == " " or can_be_shown(letter) else "?" for letter in strategy_name(strategy))
        name = "".join(shown).strip() or "?"
        labels.append(next(label for label in _numbered(name) if label not in labels))
    start = None if position is None else dict(position)
    plan = ArenaPlan(1, ruleset, CURRENT[ruleset].version, dict(setup), seats, seed, tuple(labels), position=start)
    contest = Contest(plan, tuple(strategies), seconds, folder, server)
    return contest if server is None else entered(contest)


def sign_folder(plan: ArenaPlan, games: int, folder: Path, key: Path) -> str:
    """Sign N games of a folder, or all of them if there are more. Returns the id of the key. Raises `BadFolder`."""
    there = sum(path.name[0] != "." for path in (folder / GAMES).iterdir())
    signing = key_in(key)
    sign(folder, pairings(plan, max(games, there)), signing)
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
    claims: tuple[float, float] | None,
    *,
    duplicate: bool,
) -> ArenaReport:
    """Play the games that were not played yet. If there are `claims`, stop when one is rejected.

    Raises `BadFolder`, `NotPlayed`, and `ProcessEnded`.
    """
    wanted = pairings(contest.plan, games)
    results: list[ArenaGame] = []
    if contest.folder is not None:
        keep_plan(contest.folder, contest.plan)
        results = kept(contest.folder, contest.plan, wanted)
    known = {result.number for result in results}
    missing = [pairing for pairing in wanted if pairing.number not in known]
    workers = min(processes or usable_processors(), max(1, len(missing)))
    test = None if claims is None else SequentialTest(Counter(pairing.match for pairing in wanted), *claims)
    if test is not None:
        for result in results:
            test.add(result)
    failures: list[FailureTold] = []
    kinds: Counter[tuple[int, str]] = Counter()
    decisions, began = 0, time.monotonic()
    with progress(len(wanted), len(known)) as advance, closing(played(contest, missing, workers)) as coming:
        while test is None or test.result.decided is None:
            finished = next(coming, None)
            if finished is None:
                break
            results.append(finished.result)
            decisions += finished.decisions
            failures += (_kept_failure(failure, finished.result, kinds, troubles) for failure in finished.failures)
            if test is not None:
                test.add(finished.result)
            advance()
    seconds, fresh = time.monotonic() - began, len(results) - len(known)
    if test is not None and test.result.decided is not None:
        results = [result for result in results if test.counted(result)]
        counted = {result.number for result in results}
        failures = [told for told in failures if told.game in counted]
    said = None if test is None else test.result
    return report_of(contest.plan, results, failures, fresh, decisions, seconds, workers, said, duplicate=duplicate)


def _kept_failure(failure: Failure, result: ArenaGame, kinds: Counter[tuple[int, str]], troubles: Path) -> FailureTold:
    """Keep the position of a failure, unless enough of its kind are kept."""
    trouble, entrant = failure.trouble, result.seats[failure.seat]
    kinds[entrant, trouble.kind] += 1
    file = str(keep(trouble, troubles)) if kinds[entrant, trouble.kind] <= MOST_KEPT else None
    return FailureTold(failure.number, failure.seat, entrant, trouble.kind, failure_line(trouble), file)


@contextmanager
def progress(games: int, there: int) -> Iterator[Callable[[], None]]:
    """Show on standard error how many games are played, starting with those already `there`: a bar in a terminal,
    elsewhere a line at each tenth. Call the result after each further game.
    """
    errors = Console(stderr=True)
    columns = (TextColumn("Playing"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task, done = bar.add_task("games", total=games, completed=there), count(there + 1)

        def advance() -> None:
            now = next(done)
            bar.advance(task)
            if bar.disable and now * 10 // games > (now - 1) * 10 // games:
                errors.print(f"{now} of {games} games played", highlight=False)

        yield advance


def report_of(
    plan: ArenaPlan,
    results: Iterable[ArenaGame],
    failures: Iterable[FailureTold] = (),
    played: int = 0,
    decisions: int = 0,
    seconds: float = 0.0,
    processes: int = 0,
    test: SprtResult | None = None,
    *,
    duplicate: bool,
) -> ArenaReport:
    """The report of these games. `duplicate`: also the scores by comparison."""
    entrants, ordered = len(plan.entrants), tuple(sorted(results, key=lambda result: result.number))
    return ArenaReport(
        plan,
        standings(ordered, entrants, plan.seed),
        ordered,
        tuple(sorted(failures, key=lambda told: (told.game, told.seat))),
        played,
        decisions,
        round(seconds, 3),
        processes,
        test,
        duplicate_scores(ordered, entrants, plan.seed) if duplicate else None,
    )


def print_report(report: ArenaReport, out: Console) -> None:
    """Print how often each strategy won, and its rating; also the scores by comparison, if there are any."""
    plan = report.plan
    matches = len({result.match for result in report.results})
    title = f"{plan.ruleset}, {plan.seats} players, {len(report.results)} games in {matches} matches"
    table = _strategies(title, "games", "won", "share", "95 %", "rating", "95 %", "failed")
    for standing in report.standings:
        table.add_row(
            escape(plan.entrants[standing.entrant]),
            str(standing.games),
            f"{round(standing.victories, 1):.10g}",
            f"{standing.share.value:.1%}",
            f"{standing.share.low:.1%} to {standing.share.high:.1%}",
            f"{standing.rating.value:+.0f}",
            _between(standing.rating),
            str(standing.failed),
        )
    out.print(table)
    out.print(
        f"Equal players have a share of {1 / plan.seats:.1%}. 400 rating points mean ten times the odds of winning.",
        soft_wrap=True,
    )
    if report.duplicate is not None:
        table = _strategies("The same seat with the same dice, compared", "comparisons", "points", "95 %")
        for score in report.duplicate:
            share = score.share
            between = f"{share.low:.1%} to {share.high:.1%}"
            table.add_row(escape(plan.entrants[score.entrant]), str(score.comparisons), f"{share.value:.1%}", between)
        out.print(table)
        out.print("Equal players have 50.0% of the points.", soft_wrap=True)
    if report.test is not None:
        _print_line(_tested(plan, report.test), out)
    if report.played:
        speed = f"{report.played / report.seconds:,.1f} games/s, {report.decisions / report.seconds:,.0f} decisions/s"
        out.print(f"{speed} with {report.processes} process{'es' if report.processes > 1 else ''}.", highlight=False)
    for failure in report.failures[:SHOWN]:
        where = "" if failure.file is None else f" The position is in {failure.file}."
        failed = f"{plan.entrants[failure.entrant]} failed in game {failure.game}, {failure.kind}"
        _print_line(f"{failed}: {failure.error}{where}", out)
    for entrant, times in Counter(failure.entrant for failure in report.failures[SHOWN:]).items():
        _print_line(f"{plan.entrants[entrant]} failed {times} more times.", out)


def _strategies(title: str, *columns: str) -> Table:
    table = Table(title=title)
    table.add_column("strategy", no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def _print_line(text: str, out: Console) -> None:
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def print_lost(folder: Path, entrant: int, report: ArenaReport, out: Console) -> None:
    """Print the files of the games that an entrant lost."""
    for result in report.results:
        if entrant in result.seats and not any(result.seats[winner] == entrant for winner in result.winners):
            _print_line(str(path_of(folder, Pairing(result.number, result.match, result.seats))), out)


def _between(interval: Interval) -> str:
    match interval.low, interval.high:
        case None, None:
            return "unknown"
        case None, float(high):
            return f"{high:+.0f} or less"
        case float(low), None:
            return f"{low:+.0f} or more"
        case low, high:
            return f"{low:+.0f} to {high:+.0f}"


def _tested(plan: ArenaPlan, test: SprtResult) -> str:
    """The result of the sequential test, in a sentence."""
    first, second = plan.entrants
    lead = f"{first} leads {second} by"
    after = f"after {test.matches} matches (log-likelihood ratio {test.ratio:+.2f})."
    if test.decided is None:
        return f"Not decided whether {lead} {test.low:+g} or {test.high:+g} points {after}"
    holds, given_up = (test.high, test.low) if test.decided == "high" else (test.low, test.high)
    return f"{lead} {holds:+g} points rather than {given_up:+g}: decided {after}"

"""The results of an arena, for people and for programs."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from mcmulti.arena.play import ArenaGame, failure_line
from mcmulti.arena.schedule import ArenaPlan, Pairing
from mcmulti.arena.scores.duplicate import DuplicateScore, duplicate_scores
from mcmulti.arena.scores.intervals import Interval
from mcmulti.arena.scores.ratings import Rated, standings
from mcmulti.arena.scores.sprt import SprtResult
from mcmulti.arena.store import path_of
from mcmulti.cli.arena.contest import ArenaPlayed

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


def print_json(plan: ArenaPlan, played: ArenaPlayed, *, duplicate: bool) -> bytes:
    """The report as JSON."""
    report = ArenaReport(
        plan,
        standings(played.results, len(plan.entrants), plan.seed),
        tuple(played.results),
        tuple(_failures(played)),
        played.games,
        played.decisions,
        round(played.seconds, 3),
        played.processes,
        played.test,
        duplicate_scores(played.results, len(plan.entrants), plan.seed) if duplicate else None,
    )
    return msgspec.json.encode(report)


def print_report(plan: ArenaPlan, played: ArenaPlayed, out: Console, *, duplicate: bool) -> None:
    """Print how often each strategy won, and its rating. `duplicate`: also the scores by comparison."""
    found = standings(played.results, len(plan.entrants), plan.seed)
    matches = len({result.match for result in played.results})
    title = f"{plan.ruleset}, {plan.seats} players, {len(played.results)} games in {matches} matches"
    table = Table(title=title)
    table.add_column("strategy", no_wrap=True)
    for column in ("games", "won", "share", "95 %", "rating", "95 %", "failed"):
        table.add_column(column, justify="right")
    for standing in found:
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
    fair = 1 / plan.seats
    out.print(
        f"Equal players have a share of {fair:.1%}. 400 rating points mean ten times the odds of winning.",
        soft_wrap=True,
    )
    if duplicate:
        _print_duplicate(plan, played, out)
    if played.test is not None:
        out.print(_tested(plan, played.test), markup=False, highlight=False, soft_wrap=True)
    if played.games:
        speed = f"{played.games / played.seconds:,.1f} games/s, {played.decisions / played.seconds:,.0f} decisions/s"
        out.print(f"{speed} with {played.processes} process{'es' if played.processes > 1 else ''}.", highlight=False)
    _print_failures(plan, played, out)


def _print_duplicate(plan: ArenaPlan, played: ArenaPlayed, out: Console) -> None:
    table = Table(title="The same seat with the same dice, compared")
    table.add_column("strategy", no_wrap=True)
    for column in ("comparisons", "points", "95 %"):
        table.add_column(column, justify="right")
    for score in duplicate_scores(played.results, len(plan.entrants), plan.seed):
        table.add_row(
            escape(plan.entrants[score.entrant]),
            str(score.comparisons),
            f"{score.share.value:.1%}",
            f"{score.share.low:.1%} to {score.share.high:.1%}",
        )
    out.print(table)
    out.print("Equal players have 50.0% of the points.", soft_wrap=True)


def print_lost(folder: Path, entrant: int, played: ArenaPlayed, out: Console) -> None:
    """Print the files of the games that an entrant lost."""
    for result in played.results:
        if entrant in result.seats and not any(result.seats[winner] == entrant for winner in result.winners):
            path = path_of(folder, Pairing(result.number, result.match, result.seats))
            out.print(str(path), markup=False, highlight=False, soft_wrap=True)


def _print_failures(plan: ArenaPlan, played: ArenaPlayed, out: Console) -> None:
    failures = _failures(played)
    for failure in failures[:SHOWN]:
        name = plan.entrants[failure.entrant]
        where = "" if failure.file is None else f" The position is in {failure.file}."
        line = f"{name} failed in game {failure.game}, {failure.kind}: {failure.error}{where}"
        out.print(line, markup=False, highlight=False, soft_wrap=True)
    more = Counter(plan.entrants[failure.entrant] for failure in failures[SHOWN:])
    for name, times in more.items():
        out.print(f"{name} failed {times} more times.", markup=False, highlight=False, soft_wrap=True)


def _failures(played: ArenaPlayed) -> list[FailureTold]:
    seats = {result.number: result.seats for result in played.results}
    return [
        FailureTold(
            failure.number,
            failure.seat,
            seats[failure.number][failure.seat],
            failure.trouble.kind,
            failure_line(failure.trouble),
            None if file is None else str(file),
        )
        for failure, file in played.failures
    ]


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

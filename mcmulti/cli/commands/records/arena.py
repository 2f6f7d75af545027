"""Strategies against each other: ``arena``."""

from pathlib import Path
from typing import NamedTuple

import click

from mcmulti.cli.options import SEED, number_option
from mcmulti.cli.running import console, say_json
from mcmulti.cli.seating import (
    POSITION_SAYS,
    TROUBLES,
    GameWanted,
    check_strategies,
    game_options,
    position_in,
    time_limit_option,
)

NO_SAME_DICE = "--duplicate compares games with the same dice, and every game at a server has its own."


@click.command()
@click.argument("strategies", nargs=-1, metavar="STRATEGY STRATEGY...")
@game_options("Seats per table.  [default: one per strategy, if the rule set allows it]", clocks=False)
@click.option(
    "--position",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Begin all games from the position in a file, in the format of the API. It includes rule set and setup.",
)
@number_option(
    "--games",
    (1, 1_000_000),
    100,
    "Minimum number of games. It is rounded up to complete matches, in which strategies change seats.",
)
@click.option("--seed", type=SEED, default=0, metavar="N", help="Random seed of dice and strategies.")
@click.option(
    "--processes", type=click.IntRange(1, 1024), metavar="N", help="Number of processes.  [default: one per CPU]"
)
@time_limit_option
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep every game in this folder, as a file for replay, audit, and verify. Resumes an earlier run.",
)
@click.option(
    "--server",
    metavar="URL",
    help="Play over HTTP on this server, with its dice and newly registered bots.",
)
@click.option(
    "--sprt",
    "claims",
    type=(click.FloatRange(-2000, 2000), click.FloatRange(-2000, 2000)),
    metavar="LOW HIGH",
    help="For two strategies: stop as soon as it is clear whether the first one's rating is LOW or HIGH points above "
    "the other's. --games is then the maximum.",
)
@click.option(
    "--duplicate",
    is_flag=True,
    help="Also compare what strategies made of the same seat with the same dice: by victory, then by money.",
)
@click.option("--lost-by", metavar="STRATEGY", help="With --folder: list the games that this strategy lost.")
@click.option(
    "--sign",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --folder: sign it with the key in FILE, which is created if needed.",
)
@click.option(
    "--verify",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Do not play. Prove all games of a signed folder, and compute its result again.",
)
@click.option("--key", metavar="KEY", help="With --verify: the required signing key, or its id.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def arena(
    strategies: tuple[str, ...],
    wanted: GameWanted,
    position: Path | None,
    games: int,
    seed: int,
    processes: int | None,
    time_limit: float,
    folder: Path | None,
    server: str | None,
    claims: tuple[float, float] | None,
    duplicate: bool,
    lost_by: str | None,
    sign: Path | None,
    verify: Path | None,
    key: str | None,
    as_json: bool,
) -> None:
    """Let strategies play many games against each other, and rank them.

    A STRATEGY is the name of a bundled one, FILE.py:NAME, or a program, ./NAME. All games of a match have the same
    dice, and the strategies change seats, so that luck is the same for all. A strategy that raises an error, takes
    longer than --time-limit, sends an illegal command, or ends its process resigns that game. The arena goes on and
    reports it. Progress is on standard error.
    """
    if verify is not None:
        if strategies:
            raise click.UsageError("--verify does not play. Leave out STRATEGY.")
        _verify(verify, key, duplicate=duplicate, as_json=as_json)
        return
    if key is not None:
        raise click.UsageError("--key needs --verify.")
    if folder is None and (sign is not None or lost_by is not None):
        raise click.UsageError("--sign and --lost-by need --folder.")
    if duplicate and server is not None:
        raise click.UsageError(NO_SAME_DICE)
    if lost_by is not None and lost_by not in strategies:
        raise click.BadParameter(f"{lost_by!r} is not one of the strategies.", param_hint="--lost-by")
    _check_strategies(strategies, claims, signing=sign is not None)

    from mcmulti.arena.pool import ProcessEnded
    from mcmulti.arena.remote import NotPlayed
    from mcmulti.arena.store import BadFolder
    from mcmulti.cli.records.arena import contest_of, print_lost, print_report, run_contest, sign_folder

    ruleset, setup, seats, start = _games_wanted(wanted, position, len(strategies))
    check_strategies(ruleset, strategies, "STRATEGY")
    try:
        contest = contest_of(ruleset, setup, seats, seed, strategies, time_limit, folder, server, start)
        troubles = Path(TROUBLES) if folder is None else folder / TROUBLES
        report = run_contest(contest, games, processes, troubles, claims, duplicate=duplicate)
        signed = None if sign is None or folder is None else sign_folder(contest.plan, games, folder, sign)
    except (BadFolder, NotPlayed, ProcessEnded) as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        say_json(report)
        return
    out = console()
    print_report(report, out)
    if lost_by is not None and folder is not None:
        print_lost(folder, strategies.index(lost_by), report, out)
    if signed is not None:
        out.print(f"Signed with key {signed}.", highlight=False)


def _check_strategies(strategies: tuple[str, ...], claims: tuple[float, float] | None, *, signing: bool) -> None:
    """Raise `click.UsageError` if these strategies cannot play each other, or their claims cannot be tested."""
    if len(strategies) < 2:
        raise click.UsageError("Name at least two strategies. You can name the same one twice.")
    if claims is None:
        return
    low, high = claims
    if len(strategies) != 2:
        raise click.UsageError("--sprt compares two strategies: name two.")
    if not low < high:
        raise click.BadParameter(f"{low:g} is not below {high:g}.", param_hint="--sprt")
    if signing:
        raise click.UsageError("--sprt stops early, and --sign signs all games: sign with a command of its own.")


def _verify(folder: Path, key: str | None, *, duplicate: bool, as_json: bool) -> None:
    """Verify a bundle, and print its results."""
    from mcmulti.arena.league import verified
    from mcmulti.arena.store import BadFolder
    from mcmulti.cli.records.arena import print_report, report_of

    try:
        plan, results, signer = verified(folder, key)
    except BadFolder as error:
        raise click.ClickException(str(error)) from error
    if duplicate and plan.server is not None:
        raise click.UsageError(NO_SAME_DICE)
    report = report_of(plan, results, duplicate=duplicate)
    if as_json:
        say_json(report)
        return
    out = console()
    print_report(report, out)
    said = f"All {len(results)} games are proven. Signed with key {signer}."
    if plan.server is None:
        said += " In every match, all games had the same dice."
    out.print(said, highlight=False)


class _GamesWanted(NamedTuple):
    """What is played: the rule set, its setup, the number of seats, and what all games begin with, if anything."""

    ruleset: str
    setup: dict[str, object]
    seats: int
    position: dict[str, object] | None = None


def _games_wanted(wanted: GameWanted, position: Path | None, strategies: int) -> _GamesWanted:
    """The games as requested, or as the position says. Raises `click.UsageError`."""
    if position is None:
        return _GamesWanted(wanted.name, *wanted.set_up(strategies))
    if any(wanted):
        raise click.UsageError(POSITION_SAYS)
    document = position_in(position, "--position")
    return _GamesWanted(document["ruleset"], document["setup"], document["setup"]["seats"], document["position"])

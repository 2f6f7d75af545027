"""Strategies against each other: ``arena``."""

from pathlib import Path

import click

from mcmulti.cli.options import SEED
from mcmulti.cli.running import console
from mcmulti.cli.seating import PLAYERS, RULESET, TARGET, TROUBLES, new_game, set_option, time_limit_option


@click.command()
@click.argument("strategies", nargs=-1, metavar="STRATEGY STRATEGY...")
@click.option("--ruleset", type=RULESET, default="mcmulti", show_default="mcmulti", help="What is played.")
@click.option(
    "--players",
    type=PLAYERS,
    metavar="N",
    help="Seats of a table.  [default: one for each strategy, if the rule set has such a table]",
)
@click.option("--target", type=TARGET, help="mcmulti only.  [default: 750]")
@set_option
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=100,
    show_default=True,
    metavar="N",
    help="How many are played, or some more: strategies change seats in a match, which is played to the end.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, metavar="N", help="Fixes dice and strategies.")
@click.option(
    "--processes", type=click.IntRange(1, 1024), metavar="N", help="At work at a time.  [default: one a processor]"
)
@time_limit_option
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep every game there, as a file for replay, audit and verify; and go on with what was played there before.",
)
@click.option(
    "--server",
    metavar="URL",
    help="Play there, over HTTP, by the server's dice, and as bots that are registered for it.",
)
@click.option(
    "--sprt",
    "claims",
    type=(click.FloatRange(-2000, 2000), click.FloatRange(-2000, 2000)),
    metavar="LOW HIGH",
    help="Two strategies only: stop as soon as it is clear whether the first one's rating is LOW or HIGH points above "
    "the other's; --games are the most that are played.",
)
@click.option("--lost-by", metavar="STRATEGY", help="With --folder: list the games that it lost.")
@click.option(
    "--sign",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --folder: sign it with the key in FILE, which is made if it is not there.",
)
@click.option(
    "--verify",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Play nothing: prove all games of a folder that was signed, and compute its result again.",
)
@click.option("--key", metavar="KEY", help="With --verify: the key that has to have signed, or its id.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def arena(
    strategies: tuple[str, ...],
    ruleset: str,
    players: int | None,
    target: str | None,
    settings: tuple[str, ...],
    games: int,
    seed: int,
    processes: int | None,
    time_limit: float,
    folder: Path | None,
    server: str | None,
    claims: tuple[float, float] | None,
    lost_by: str | None,
    sign: Path | None,
    verify: Path | None,
    key: str | None,
    as_json: bool,
) -> None:
    """Let strategies play many games against each other, and tell how good they are.

    A STRATEGY is one that comes with mcmulti, FILE.py:NAME, or a program, ./NAME. The games of a match have the same
    dice, and the strategies change seats in it, so that luck is the same for all. One that raises an error, takes
    longer than --time-limit, sends what is not offered, or ends its process resigns that game; the arena goes on, and
    tells so. Progress is on standard error.
    """
    if verify is not None:
        if strategies:
            raise click.UsageError("--verify plays nothing: give no STRATEGY with it.")
        _verify(verify, key, as_json)
        return
    if key is not None:
        raise click.UsageError("--key is for --verify.")
    if folder is None and (sign is not None or lost_by is not None):
        raise click.UsageError("--sign and --lost-by are about files: give a --folder.")
    if lost_by is not None and lost_by not in strategies:
        raise click.BadParameter(f"{lost_by!r} is none of the strategies.", param_hint="--lost-by")
    _check(strategies, claims, signing=sign is not None)

    from mcmulti.bots.strategies.own import maker_of
    from mcmulti.bots.strategy import NoStrategy
    from mcmulti.cli.arena.contest import ArenaFailed, contest_of, run_contest, sign_folder
    from mcmulti.cli.arena.report import print_json, print_lost, print_report

    try:
        for strategy in strategies:
            maker_of(ruleset, strategy)
    except NoStrategy as error:
        raise click.BadParameter(str(error), param_hint="STRATEGY") from error
    setup, seats = _table(ruleset, players, target, settings, len(strategies))
    try:
        contest = contest_of(ruleset, setup, seats, seed, strategies, time_limit, folder, server)
        troubles = Path(TROUBLES) if folder is None else folder / TROUBLES
        played = run_contest(contest, games, processes, troubles, claims)
        signed = None if sign is None or folder is None else sign_folder(contest.plan, games, folder, sign)
    except ArenaFailed as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(print_json(contest.plan, played))
        return
    out = console()
    print_report(contest.plan, played, out)
    if lost_by is not None and folder is not None:
        print_lost(folder, strategies.index(lost_by), played, out)
    if signed is not None:
        out.print(f"Signed with key {signed}.", highlight=False)


def _check(strategies: tuple[str, ...], claims: tuple[float, float] | None, *, signing: bool) -> None:
    """Raises `click.UsageError` where these cannot play each other, or their claims cannot be tested."""
    if len(strategies) < 2:
        raise click.UsageError("Name two strategies or more; the same one may be named twice.")
    if claims is None:
        return
    low, high = claims
    if len(strategies) != 2:
        raise click.UsageError("--sprt compares two strategies: name two.")
    if not low < high:
        raise click.BadParameter(f"{low:g} is not below {high:g}.", param_hint="--sprt")
    if signing:
        raise click.UsageError("--sprt stops early, and --sign signs all games: sign with a command of its own.")


def _verify(folder: Path, key: str | None, as_json: bool) -> None:
    """Prove a bundle, and tell what it comes to."""
    from mcmulti.arena.league import verified
    from mcmulti.arena.store import BadFolder
    from mcmulti.cli.arena.contest import ArenaPlayed
    from mcmulti.cli.arena.report import print_json, print_report

    try:
        plan, results, signer = verified(folder, key)
    except BadFolder as error:
        raise click.ClickException(str(error)) from error
    played = ArenaPlayed(results, [], 0, 0.0, 0, 0)
    if as_json:
        click.echo(print_json(plan, played))
        return
    out = console()
    print_report(plan, played, out)
    out.print(f"All {len(results)} games are proven, and signed with key {signer}.", highlight=False)


def _table(
    ruleset: str, players: int | None, target: str | None, settings: tuple[str, ...], strategies: int
) -> tuple[dict[str, object], int]:
    """What games are set up with, and their seats: as told, else as many as there are strategies, else any."""
    if players is None:
        try:
            return new_game(ruleset, strategies, target, settings)
        except click.BadParameter:
            pass
    return new_game(ruleset, players, target, settings)

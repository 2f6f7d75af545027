"""Winning chances of a position, and the review of a game: ``evaluate`` and ``review``."""

from typing import Any
from uuid import UUID

import click

from mcmulti.cli.options import GAME, SECONDS, SEED, SOURCE
from mcmulti.cli.running import console, printing, record_of, say_json

SEQ = click.IntRange(min=1)
TIMES = click.IntRange(1, 1_000_000)
MOVES = 8
"""How many moves are compared."""
_seed = click.option("--seed", type=SEED, default=0, metavar="N", help="Random seed of the rollouts.")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@SOURCE
@GAME
@click.option("--at", type=SEQ, metavar="SEQ", help="Evaluate the position after this event.  [default: the last one]")
@click.option("--moves", is_flag=True, help="Also compare some moves of the player to move.")
@click.option("--rollouts", type=TIMES, metavar="N", help="Number of rollouts.  [default: 200]")
@click.option("--seconds", type=SECONDS, metavar="N", help="Processor time instead of a number of rollouts.")
@_seed
@_as_json
def evaluate(
    source: str,
    game: UUID | None,
    at: int | None,
    moves: bool,
    rollouts: int | None,
    seconds: float | None,
    seed: int,
    as_json: bool,
) -> None:
    """Estimate every player's chance to win from a position of a finished game.

    SOURCE is a game file, - for standard input, the address of a server or of a game on it, a folder of games, or
    postgresql://... Fast bots play on from the position again and again, with imagined dice. The standard error covers
    the dice alone.
    """
    if rollouts is not None and seconds is not None:
        raise click.UsageError("Give either --rollouts or --seconds, not both.")
    if rollouts is None and seconds is None:
        rollouts = 200

    from mcmulti.cli.records.review import finished, percent, print_chances
    from mcmulti.evaluation import evaluate as evaluation
    from mcmulti.evaluation.reviews.moments import line_of, names_in

    record = finished(record_of(source, game))
    budget: dict[str, Any] = {"rollouts": rollouts, "seconds": seconds, "seed": seed}
    try:
        state = record.state(at)
        found = evaluation.evaluate(state, **budget)
    except ValueError as error:
        raise click.ClickException(f"Cannot evaluate the position: {error}.") from error
    compared = evaluation.compare(state, most=MOVES, **budget) if moves and state.players_to_move() else []
    told = [(line_of(state, each.action, state.current_player()), each) for each in compared]
    if as_json:
        player = state.current_player()
        listed = [
            {"player": player, "said": said, "action": each.action, "chance": each.chance, "loss": each.loss}
            for said, each in told
        ]
        say_json({"names": names_in(state), "evaluation": found, "moves": listed if moves else None})
        return
    out = console(highlight=False, markup=False)
    print_chances(names_in(state), found.chances, out)
    for said, each in told:
        loss = "" if not each.loss.value else f", {each.loss.value:.1%} less"
        out.print(f"{percent(each.chance)}{loss}: {said}", soft_wrap=True)


@click.command()
@SOURCE
@GAME
@click.option("--from", "first", type=SEQ, default=1, metavar="SEQ", help="Start with this event.")
@click.option("--to", "last", type=SEQ, metavar="SEQ", help="Stop after this event.")
@click.option(
    "--seconds",
    type=SECONDS,
    default=60,
    metavar="N",
    help="Processor time. With little of it, only the decisions that seem to matter most are examined.",
)
@click.option("--passes", type=TIMES, metavar="N", help="Number of rollouts from each position, instead of --seconds.")
@click.option("--all", "every", is_flag=True, help="Print every move, not only costly decisions.")
@_seed
@_as_json
def review(
    source: str,
    game: UUID | None,
    first: int,
    last: int | None,
    seconds: float,
    passes: int | None,
    every: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Review a finished game: what each decision cost, and what luck did.

    SOURCE is a game file, - for standard input, the address of a server or of a game on it, a folder of games, or
    postgresql://... Every position is evaluated by rollouts with the same imagined dice. Decisions and
    luck change the chances to win, and the review shows both separately.
    """
    if last is not None and last < first:
        raise click.UsageError(f"--to {last} is before --from {first}.")

    from mcmulti.cli.records.review import finished, print_review
    from mcmulti.evaluation.reviews import review as reviewing

    record = finished(record_of(source, game))
    try:
        found = reviewing.review(record, passes=passes, seconds=seconds, seed=seed, first=first, last=last)
    except ValueError as error:
        raise click.ClickException(f"Cannot review the game: {error}.") from error
    with printing():
        if as_json:
            say_json(found)
            return
        print_review(found, console(highlight=False, markup=False), every=every)

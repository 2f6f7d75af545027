"""The length of random games: the limits that 5, 50, and 95 of 100 do not exceed."""

from collections.abc import Sequence
from statistics import quantiles
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.rulesets import CURRENT
from mcmulti.simulation import play


def length(ruleset: Ruleset[Any], seats: int, seed: int) -> dict[str, int]:
    """The number of turns and events of a game, and of its commands from the start on."""
    steps = list(play(ruleset, ruleset.setup(seats=seats), seed))
    return {
        "turns": ruleset.turn(steps[-1].state),
        "commands": sum(isinstance(step.command, ruleset.commands.moves) for step in steps),
        "events": sum(len(step.facts) for step in steps),
    }


def spread(lengths: Sequence[int]) -> tuple[int, int, int, int, int]:
    """The minimum, 5, 50, and 95 of 100, and the maximum, rounded."""
    cuts = quantiles(lengths, n=20, method="inclusive")
    return min(lengths), *(round(cuts[number]) for number in (0, 9, 18)), max(lengths)  # type: ignore[return-value]


@click.command()
@click.option("--ruleset", required=True, type=click.Choice(tuple(CURRENT)), help="What is played.")
@click.option("--seats", multiple=True, required=True, type=int, help="How many play; may be repeated.")
@click.option("--games", default=500, show_default=True, help="Of each number of players.")
@click.option("--first", default=0, show_default=True, help="The seed of the first game.")
def main(ruleset: str, seats: tuple[int, ...], games: int, first: int) -> None:
    """Measure."""
    table = Table(
        "players", "of a game", "least", "5 %", "50 %", "95 %", "most", title=f"{games} random games, {ruleset}"
    )
    for number in seats:
        counted = [length(CURRENT[ruleset], number, seed) for seed in range(first, first + games)]
        for what in counted[0]:
            table.add_row(str(number), what, *map(str, spread([each[what] for each in counted])))
    Console().print(table)


if __name__ == "__main__":
    main()

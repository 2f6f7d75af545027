"""How often a strategy wins alone among random players, in one process, with the same JSON as over HTTP.

The seat moves on: in game `n`, it is `n` modulo the number of seats. A shared victory does not count.
"""

from collections.abc import Iterator
from math import sqrt
from random import Random
from typing import Any, Union

import click
import msgspec
from rich.console import Console
from rich.table import Table

from mcmulti.bots.strategies.registry import strategy_for
from mcmulti.bots.strategy import Maker, Strategy
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.shown.outcome import Outcome
from mcmulti.domain.rulesets import CURRENT
from mcmulti.library.steps import set_up, take


def played(ruleset: Ruleset[Any], strategies: list[Strategy], seed: int) -> Outcome:
    """The end of a game of these strategies. The same seed gives the same game."""
    game_id = f"00000000-0000-4000-8000-{seed:012x}"
    chance = SeededChance(Random(seed).randbytes(32), game_id)
    state = list(set_up(ruleset, ruleset.setup(seats=len(strategies)), game_id, chance))[-1].state
    moves: Any = Union[ruleset.commands.moves]  # noqa: UP007
    while moving := ruleset.to_move(state):
        seat = moving[0]
        shown = msgspec.json.encode((ruleset.view(state, seat), ruleset.offers(state, seat)))
        for command in strategies[seat](*msgspec.json.decode(shown)):
            state = take(ruleset, state, seat, msgspec.convert(command, moves), chance).state
    return ruleset.outcome(state)


def contest(ruleset: Ruleset[Any], maker: Maker, seats: int, games: int, first: int = 0) -> Iterator[bool]:
    """Whether a strategy alone among random players wins, game by game, from the first seed on."""
    rival = strategy_for(ruleset.name, "random")
    for seed in range(first, first + games):
        strategies = [rival(seed * 10 + seat) for seat in range(seats)]
        strategies[seed % seats] = maker(seed)
        yield played(ruleset, strategies, seed).winners == (seed % seats,)


def interval(won: int, games: int) -> tuple[float, float]:
    """The interval that contains the true share 95 times of 100 (Wilson, JASA 22, 1927)."""
    z = 1.96
    share, spread = won / games, z * z / games
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / games + spread / games / 4) / (1 + spread)
    return middle - half, middle + half


@click.command()
@click.option("--ruleset", required=True, type=click.Choice(tuple(CURRENT)), help="What is played.")
@click.option("--strategy", required=True, help="Who plays among random players.")
@click.option("--seats", multiple=True, required=True, type=int, help="How many play; may be repeated.")
@click.option("--games", default=200, show_default=True, help="Of each number of players.")
@click.option("--first", default=0, show_default=True, help="The seed of the first game.")
def main(ruleset: str, strategy: str, seats: tuple[int, ...], games: int, first: int) -> None:
    """Count victories."""
    maker = strategy_for(ruleset, strategy)
    table = Table("players", "games", "won", "share", "95 %", title=f"{strategy} among random players, {ruleset}")
    for number in seats:
        won = sum(contest(CURRENT[ruleset], maker, number, games, first))
        least, most = interval(won, games)
        table.add_row(str(number), str(games), str(won), f"{won / games:.1%}", f"{least:.1%} to {most:.1%}")
    Console().print(table)


if __name__ == "__main__":
    main()

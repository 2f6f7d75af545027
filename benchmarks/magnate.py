"""The networks with which rollouts end: games to learn from, and the weights.

``play`` writes positions of games and how those ended, a file for 250 games. ``fit`` makes the weights from such files.
``make weights`` does both. The same seeds give the same bytes. Needs the extra `training`.
"""

from collections.abc import Mapping
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, ClassVar

import click
import msgspec
import numpy as np

from benchmarks.fitting import Positions, fitted
from mcmulti.bots.strategies.almanac import Kind
from mcmulti.bots.strategies.magnate.features import features
from mcmulti.bots.strategies.magnate.magnate import Magnate
from mcmulti.bots.strategies.magnate.network import Council, council
from mcmulti.bots.strategies.outlook import Outlook
from mcmulti.bots.strategies.tycoon import tycoon, tycoon_by
from mcmulti.bots.strategy import Strategy
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.state import State
from mcmulti.evaluation.learned import WEIGHTS
from mcmulti.library.steps import set_up, take
from mcmulti.simulation import fill_in

IN_A_FILE = 250
LOST = 25
"""In one of eight seats, somebody makes random moves before a turn below this number, and then plays like the others.
Positions are kept from that turn on: the networks learn what positions of bad players are worth to good ones.
"""
MOVES = {command.__name__: command for command in RULESET.commands.moves}
ENDS = ("EndTurn", "DeclareVictory", "EndPurchases")


class Whim(Outlook):
    """A tycoon's outlook that values things by its own `tastes`: a factor for kinds of assets and goods."""

    tastes: ClassVar[Mapping[str, float]] = {}

    def keep(self, kind: Kind, more: int = 0) -> float:
        """What it thinks an asset is worth."""
        return super().keep(kind, more) * self.tastes.get(kind, 1.0)

    def crude(self, barrels: int) -> float:
        """What it thinks a barrel of crude is worth."""
        return super().crude(barrels) * self.tastes.get("crude", 1.0)

    def gasoline(self, barrels: int) -> float:
        """What it thinks a barrel of gasoline is worth."""
        return super().gasoline(barrels) * self.tastes.get("gasoline", 1.0)


def whimsical(random: Random) -> Strategy:
    """A tycoon with whims. One of four is an ordinary tycoon."""
    if random.random() < 0.25:
        return tycoon
    spread = {"rig": 0.4, "station": 0.4, "refinery": 0.4, "well": 0.4, "crude": 0.25, "gasoline": 0.25}
    whims = {
        "least_return": random.choice((0.9, 1.0, 1.15, 1.15, 1.15, 1.4, 2.0)),
        "reserve": random.choice((0, 5, 15, 15, 30, 60)),
        "most_rigs": random.choice((0, 3, 6, 12, 12, 12, 18)),
        "tastes": {what: round(random.lognormvariate(0, sigma), 3) for what, sigma in spread.items()},
    }
    outlook = type("Whim", (Whim,), whims)
    return lambda view, offers: tycoon_by(outlook(view), offers)


def game(seed: int, weighing: Council | None) -> Positions:
    """A game: a row for each position that is kept, its features and the outcomes of `fitting`.

    Magnates evaluate with these networks.
    """
    random = Random(seed)
    seats = random.choices((4, 3, 2), (0.5, 0.25, 0.25))[0]
    target = random.choices((750, 1000), (0.95, 0.05))[0]
    straying = random.choice((0.0, 0.02, 0.05, 0.1))
    lost = [random.randrange(LOST) if random.random() < 0.125 else 0 for _ in range(seats)]
    strategies = [whimsical(random) for _ in range(seats)]
    if weighing is not None:
        magnate = Magnate(seed, float("inf"), weighing, samples=0)
        strategies = [magnate if random.random() < 0.5 else strategy for strategy in strategies]
    game_id = f"00000000-0000-4000-8000-{seed:012x}"
    chance = SeededChance(random.randbytes(32), game_id)
    state: State = list(set_up(RULESET, RULESET.setup(seats=seats, target=target), game_id, chance))[-1].state
    kept: list[tuple[int, list[float]]] = []

    def keep(seat: int, rolls: bool) -> None:
        if _turn(state) < max(lost):
            return
        kept.append((seat, features(state, seat, rolls)))
        if random.random() < 0.5:
            other = random.randrange(seats)
            kept.append((other, features(state, other, rolls)))

    while moving := RULESET.to_move(state):
        seat = moving[0]
        rate = 1.0 if _turn(state) < lost[seat] else straying
        if state.phase in ("purchase", "market", "assets") and random.random() < rate:
            commands = _stray(random, state, seat)
        else:
            view, offers = msgspec.to_builtins((RULESET.view(state, seat), RULESET.offers(state, seat)))
            commands = [msgspec.convert(each, MOVES[each["type"]]) for each in strategies[seat](view, offers)]
        for command in commands:
            name = type(command).__name__
            if name == "RollDice":
                keep(seat, rolls=True)
            state = take(RULESET, state, seat, command, chance).state
            if name in ENDS and state.phase != "over":
                keep(seat, rolls=False)
    cash = {standing.seat: standing.cash / target for standing in state.standings}
    share = [(seat in state.winners) / len(state.winners) for seat in range(seats)]
    lead = [cash[seat] - max(cash[other] for other in range(seats) if other != seat) for seat in range(seats)]
    return np.array([[*numbers, share[seat], cash[seat], lead[seat]] for seat, numbers in kept], np.float32)


def _turn(state: State) -> int:
    """The number of the turn, 0 before the first one."""
    return state.turn.number if state.turn else 0


def _stray(random: Random, state: State, seat: int) -> list[Any]:
    """Any offered move, so that unusual ones are learned, too. After a deal, the dice are rolled."""
    offer = random.choice(RULESET.offers(state, seat))
    move = fill_in(random, offer, MOVES[offer.command])
    if state.phase == "market" and offer.command != "RollDice":
        return [move, MOVES["RollDice"]()]
    return [move]


@click.group(help=__doc__)
def main() -> None:
    pass


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--first", default=0, show_default=True, help="The seed of the first game.")
@click.option("--games", default=IN_A_FILE, show_default=True, help="How many.")
@click.option("--magnates/--no-magnates", help="Half of the seats are magnates, with the weights of today.")
def play(folder: Path, first: int, games: int, magnates: bool) -> None:
    """Play games to learn from."""
    folder.mkdir(parents=True, exist_ok=True)
    weighing = council() if magnates else None
    began = monotonic()
    for begin in range(first, first + games, IN_A_FILE):
        seeds = range(begin, min(begin + IN_A_FILE, first + games))
        np.save(folder / f"{begin:08d}.npy", np.concatenate([game(seed, weighing) for seed in seeds]))
        click.echo(f"{seeds[-1] + 1 - first} games in {monotonic() - began:.0f} s")


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--into", default=WEIGHTS, type=click.Path(path_type=Path), help="Where the weights go.")
@click.option("--epochs", default=2, show_default=True, help="How often it goes through all positions.")
@click.option("--networks", default=4, show_default=True, help="How many, each from a beginning of its own.")
def fit(folder: Path, into: Path, epochs: int, networks: int) -> None:
    """Make the weights of all games in a folder."""
    rows = np.concatenate([np.load(file) for file in sorted(folder.glob("*.npy"))])
    click.echo(f"{len(rows)} positions")
    fitted_to_them = Council([fitted(rows, (40, 20), epochs, seed) for seed in range(networks)])
    into.write_bytes(msgspec.json.encode(fitted_to_them) + b"\n")


@main.command()
@click.argument("weights", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option(
    "--games", default=100, show_default=True, help="How many, in pairs with the same dice and swapped seats."
)
@click.option("--first", default=1000, show_default=True, help="The seed of the first pair.")
def match(weights: Path, games: int, first: int) -> None:
    """Let two magnates with these weights play two tycoons, without a limit of time."""
    weighing, won = msgspec.json.decode(weights.read_bytes(), type=Council), 0.0
    for number in range(games):
        won += _won(first + number // 2, number % 2, weighing)
        if (number + 1) % 20 == 0:
            click.echo(f"{won:g} of {number + 1}")


def _won(seed: int, side: int, weighing: Council) -> float:
    """The share of the victory of two magnates that have every second seat, from `side` on."""
    game_id = f"00000000-0000-4000-8000-{seed:012x}"
    chance = SeededChance(Random(seed).randbytes(32), game_id)
    state: State = list(set_up(RULESET, RULESET.setup(seats=4), game_id, chance))[-1].state
    minds = [Magnate(seed, float("inf"), weighing) if seat % 2 == side else tycoon for seat in range(4)]
    while moving := RULESET.to_move(state):
        seat = moving[0]
        view, offers = msgspec.to_builtins((RULESET.view(state, seat), RULESET.offers(state, seat)))
        for command in minds[seat](view, offers):
            state = take(RULESET, state, seat, msgspec.convert(command, MOVES[command["type"]]), chance).state
    return sum(seat % 2 == side for seat in state.winners) / len(state.winners)


if __name__ == "__main__":
    main()

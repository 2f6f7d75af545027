"""The networks with which a magnate evaluates positions: games to learn from, and the fit.

``play`` writes positions of games and how those ended, a file for 250 games. ``fit`` makes the weights from such files.
The same seeds and files give the same positions, and on the same machine the same weights. Needs the extra `training`.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, ClassVar

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from mcmulti.bots.strategies.almanac import Kind
from mcmulti.bots.strategies.magnate.features import features
from mcmulti.bots.strategies.magnate.magnate import Magnate
from mcmulti.bots.strategies.magnate.network import WEIGHTS, Council, Network, council
from mcmulti.bots.strategies.outlook import Outlook
from mcmulti.bots.strategies.tycoon import tycoon, tycoon_by
from mcmulti.bots.strategy import Strategy
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.state import State
from mcmulti.library.steps import set_up, take
from mcmulti.simulation import fill_in

Floats = NDArray[np.float32]

IN_A_FILE = 250
OUTCOMES = 3
"""After the features: the share of the victory, the seat's cash, and its lead over the best other, per target."""
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
        "tastes": {what: random.lognormvariate(0, sigma) for what, sigma in spread.items()},
    }
    outlook = type("Whim", (Whim,), whims)
    return lambda view, offers: tycoon_by(outlook(view), offers)


def game(seed: int, weighing: Council | None) -> Floats:
    """A game: a row for each position that is kept, its features and `OUTCOMES`.

    Magnates evaluate with these networks.
    """
    random = Random(seed)
    seats = random.choices((4, 3, 2), (0.9, 0.05, 0.05))[0]
    target = random.choices((750, 1000), (0.95, 0.05))[0]
    straying = random.choice((0.0, 0.02, 0.05, 0.1))
    strategies = [whimsical(random) for _ in range(seats)]
    if weighing is not None:
        magnate = Magnate(seed, float("inf"), weighing, samples=0)
        strategies = [magnate if random.random() < 0.5 else strategy for strategy in strategies]
    game_id = f"00000000-0000-4000-8000-{seed:012x}"
    chance = SeededChance(random.randbytes(32), game_id)
    state: State = list(set_up(RULESET, RULESET.setup(seats=seats, target=target), game_id, chance))[-1].state
    kept: list[tuple[int, list[float]]] = []

    def keep(seat: int, rolls: bool) -> None:
        kept.append((seat, features(state, seat, rolls)))
        if random.random() < 0.5:
            other = random.randrange(seats)
            kept.append((other, features(state, other, rolls)))

    while moving := RULESET.to_move(state):
        seat = moving[0]
        if state.phase in ("purchase", "market", "assets") and random.random() < straying:
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


def _stray(random: Random, state: State, seat: int) -> list[Any]:
    """Any offered move, so that unusual ones are learned, too. After a deal, the dice are rolled."""
    offer = random.choice(RULESET.offers(state, seat))
    move = fill_in(random, offer, MOVES[offer.command])
    if state.phase == "market" and offer.command != "RollDice":
        return [move, MOVES["RollDice"]()]
    return [move]


# The fit


def fitted(rows: Floats, sizes: tuple[int, ...], epochs: int, seed: int) -> Network:
    """A network that predicts the outcomes, by Adam. Rows are games in order, of which the last are for the test."""
    dice = np.random.default_rng(seed)
    inputs, outcomes = rows[:, :-OUTCOMES], rows[:, -OUTCOMES:]
    learned = int(len(rows) * 0.95)
    middle, spread = inputs[:learned].mean(0), inputs[:learned].std(0) + 1e-3
    inputs = ((inputs - middle) / spread).clip(-8, 8)
    layers = (inputs.shape[1], *sizes, OUTCOMES)
    weights = [
        (dice.standard_normal((above, below)) * np.sqrt(2 / above)).astype(np.float32)
        for above, below in pairwise(layers)
    ]
    weights[-1] *= 0.1
    biases = [np.zeros(size, np.float32) for size in layers[1:]]
    learning = [*weights, *biases]
    means = [np.zeros_like(each) for each in learning]
    squares = [np.zeros_like(each) for each in learning]
    for step, (share, batch) in enumerate(_batches(dice, learned, epochs), 1):
        slopes = _slopes(weights, biases, inputs[batch], outcomes[batch])
        rate = 1e-5 + 1e-3 * (1 + np.cos(np.pi * share))
        for number, slope in enumerate(slopes):
            means[number] += 0.1 * (slope - means[number])
            squares[number] += 0.001 * (slope * slope - squares[number])
            mean, square = means[number] / (1 - 0.9**step), squares[number] / (1 - 0.999**step)
            learning[number] -= rate * mean / (np.sqrt(square) + 1e-8)
    for name, part in (("learned", slice(0, learned, 20)), ("not seen", slice(learned, None))):
        said = _passed(weights, biases, inputs[part])[-1][:, 0]
        click.echo(f"log-loss of winning, {name}: {_log_loss(said, outcomes[part, 0]):.4f}")
    first = weights[0] / spread[:, None]
    shown = [biases[0] - (middle / spread) @ weights[0], *biases[1:]]
    return Network(
        [np.round(each.T.astype(np.float64), 4).tolist() for each in (first, *weights[1:])],
        [np.round(each.astype(np.float64), 4).tolist() for each in shown],
    )


def _batches(dice: np.random.Generator, rows: int, epochs: int) -> Iterator[tuple[float, NDArray[np.intp]]]:
    """The progress from 0 to 1, and the next rows."""
    size = min(512, rows)
    for epoch in range(epochs):
        order = dice.permutation(rows)
        for begin in range(0, rows - size + 1, size):
            yield (epoch + begin / rows) / epochs, order[begin : begin + size]


def _passed(weights: list[Floats], biases: list[Floats], inputs: Floats) -> list[Floats]:
    """The output of each layer, the inputs first."""
    values = [inputs]
    for layer, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        sums = values[-1] @ weight + bias
        values.append(sums if layer == len(weights) - 1 else np.maximum(sums, 0))
    return values


def _slopes(weights: list[Floats], biases: list[Floats], inputs: Floats, outcomes: Floats) -> list[Floats]:
    """The gradient of the error by each weight and bias: the log-loss of winning, half squares of cash and lead."""
    values = _passed(weights, biases, inputs)
    slope = 0.5 * (values[-1] - outcomes)
    slope[:, 0] = 1 / (1 + np.exp(-values[-1][:, 0])) - outcomes[:, 0]
    slope /= len(inputs)
    by_weight: list[Floats] = []
    by_bias: list[Floats] = []
    for layer in reversed(range(len(weights))):
        by_weight.insert(0, values[layer].T @ slope + 1e-5 * weights[layer])
        by_bias.insert(0, slope.sum(0))
        slope = (slope @ weights[layer].T) * (values[layer] > 0)
    return by_weight + by_bias


def _log_loss(logits: Floats, won: Floats) -> float:
    return float(np.mean(np.logaddexp(0, logits) - won * logits))


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


if __name__ == "__main__":
    main()

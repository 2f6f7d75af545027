"""Play games to learn from, and fit the network of step 5 to their results: ``python learn.py GAMES``. Needs numpy."""

import json
import random
import sys
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from step5 import WEIGHTS, features

from mcmulti.arena.local import NotCarriedOut, local_game
from mcmulti.bots.strategies.almanac import Kind
from mcmulti.bots.strategies.outlook import Outlook
from mcmulti.bots.strategies.tycoon import tycoon_by

Numbers = NDArray[np.float64]


class Temper(Outlook):
    """A tycoon's outlook that overvalues some assets and undervalues others."""

    tastes: ClassVar[Mapping[str, float]] = {}

    def keep(self, kind: Kind, more: int = 0) -> float:
        """What it thinks an asset is worth."""
        return super().keep(kind, more) * self.tastes.get(kind, 1.0)


class Curious:
    """A tycoon with a changing temper: nobody learns about what nobody tries."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.outlook = self.mood()

    def __call__(self, view: dict[str, Any], offers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if self.dice.random() < 0.08:
            self.outlook = self.mood()
        return tycoon_by(self.outlook(view), offers)

    def mood(self) -> type[Outlook]:
        """One of five is an ordinary tycoon."""
        if self.dice.random() < 0.2:
            return Outlook
        moods = {
            "least_return": self.dice.choice((0.9, 1.0, 1.15, 1.15, 1.15, 1.4, 2.0)),
            "reserve": self.dice.choice((0, 5, 15, 15, 30, 60)),
            "most_rigs": self.dice.choice((0, 3, 6, 12, 12, 12, 18)),
            "tastes": {kind: self.dice.lognormvariate(0, 0.35) for kind in ("rig", "station", "refinery", "well")},
        }
        return type("Mood", (Temper,), moods)


def played(seed: int) -> list[tuple[list[float], float]]:
    """What each seat saw at the end of its turns, and its final share of the victory."""
    game = local_game("mcmulti", seed=seed)
    minds = [Curious(seed * 10 + seat) for seat in range(4)]
    seen: list[tuple[int, list[float]]] = []
    while game.to_move:
        seat = game.to_move[0]
        mind = minds[seat]
        commands = mind(json.loads(game.view(seat)), json.loads(game.offers(seat, sentences=False)))
        try:
            game.send(seat, commands)
        except NotCarriedOut:
            return []  # a temper can lead to something impossible: such a game is left out
        if commands[-1]["type"] in ("EndTurn", "DeclareVictory") and game.to_move:
            seen.append((seat, features(json.loads(game.view(seat)))))
    shares = [(seat in game.winners) / len(game.winners) for seat in range(4)]
    return [(numbers, shares[seat]) for seat, numbers in seen]


def fitted(rows: list[tuple[list[float], float]], sizes: tuple[int, ...] = (32, 16)) -> list[tuple[Numbers, Numbers]]:
    """Layers that predict the share: by Adam, with weight decay, at their best on the last tenth of the rows."""
    dice = np.random.default_rng(0)
    inputs, shares = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    learned = len(rows) * 9 // 10
    middle, spread = inputs[:learned].mean(0), inputs[:learned].std(0) + 1e-6
    inputs = (inputs - middle) / spread
    widths = (inputs.shape[1], *sizes, 1)
    weights = [dice.normal(0, np.sqrt(2 / a), (a, b)) for a, b in pairwise(widths)]
    parts = [*weights, *(np.zeros(width) for width in widths[1:])]
    moments = [(np.zeros_like(part), np.zeros_like(part)) for part in parts]
    count, steps = len(weights), 0
    best, best_parts = np.inf, parts
    for epoch in range(40):
        rate = 1e-3 * (1 - epoch / 40)
        for batch in np.array_split(dice.permutation(learned), max(1, learned // 200)):
            steps += 1
            layers = forward(parts, inputs[batch])
            wrong = ((1 / (1 + np.exp(-layers[-1][:, 0])) - shares[batch]) / len(batch))[:, None]
            for layer in reversed(range(count)):
                slopes = ((layer, layers[layer].T @ wrong + 1.5e-3 * parts[layer]), (count + layer, wrong.sum(0)))
                wrong = (wrong @ parts[layer].T) * (layers[layer] > 0)
                for number, slope in slopes:
                    first, second = moments[number]
                    first += 0.1 * (slope - first)
                    second += 0.001 * (slope * slope - second)
                    step = (first / (1 - 0.9**steps)) / (np.sqrt(second / (1 - 0.999**steps)) + 1e-8)
                    parts[number] = parts[number] - rate * step
        sure = 1 / (1 + np.exp(-forward(parts, inputs[learned:])[-1][:, 0]))
        loss = -np.mean(shares[learned:] * np.log(sure + 1e-9) + (1 - shares[learned:]) * np.log(1 - sure + 1e-9))
        if loss < best:
            best, best_parts = loss, list(parts)
    print(f"{len(rows)} positions, loss {best:.4f}")
    scaled = best_parts[0] / spread[:, None]
    first_bias = best_parts[count] - (middle / spread) @ best_parts[0]
    return list(zip([scaled, *best_parts[1:count]], [first_bias, *best_parts[count + 1 :]], strict=True))


def forward(parts: list[Numbers], inputs: Numbers) -> list[Numbers]:
    """The input of each layer, and the output of the last one."""
    layers, count = [inputs], len(parts) // 2
    for layer in range(count):
        out = layers[-1] @ parts[layer] + parts[count + layer]
        layers.append(out if layer == count - 1 else np.maximum(out, 0))
    return layers


def main(games: int) -> None:
    rows = [row for seed in range(games) for row in played(seed)]
    layers = [(weights.T.round(4).tolist(), biases.round(4).tolist()) for weights, biases in fitted(rows)]
    WEIGHTS.write_text(json.dumps(layers) + "\n", "utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]))

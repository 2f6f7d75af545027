"""The fit of small networks, the same to the last bit on every machine.

The sum of floating point numbers depends on their order, which libraries choose by processor and number of threads. So
every number that is added up here is a multiple of a power of two, and so small that the sum is exact in any order.
All else is done number by number with addition, multiplication, division, and roots, which IEEE 754 defines exactly.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import sqrt

import click
import numpy as np
from numpy.typing import NDArray

from mcmulti.bots.strategies.magnate.network import Network

Floats = NDArray[np.float64]
Positions = NDArray[np.float32]
"""A row for each position: its features, then `OUTCOMES` of its game."""

OUTCOMES = 3
"""After the features: the share of the victory, the seat's cash, and its lead over the best other, per target."""
LEARNED = 0.95
"""The part of the positions to learn from. The last ones show how well the network predicts games that it never saw."""
BATCH = 512
"""Positions between two changes of the weights."""
READ = 100_000
"""Positions that are scaled at a time, which bounds the memory."""
DIGITS = 4
"""Decimal places of the weights."""


class Grid:
    """Multiples of 1 / 2**`bits`, from -2**`most` to 2**`most`: integers of `bits` + `most` bits, scaled."""

    def __init__(self, bits: int, most: int) -> None:
        self.bits, self.most = bits, most
        self._steps, self._limit = 2.0**bits, 2.0**most

    def __call__(self, numbers: Floats) -> Floats:
        """The nearest numbers of the grid."""
        near: Floats = np.rint(np.clip(numbers, -self._limit, self._limit) * self._steps) / self._steps
        return near


FEATURES = Grid(16, 4)
"""Features as they are; their products and sums fit into 64 bits."""
INPUTS = Grid(10, 3)
"""Features of which a network learned the mean and the spread."""
HIDDEN = Grid(10, 6)
"""Outputs of neurons."""
WEIGHTS = Grid(20, 4)
SLOPES = Grid(20, 3)
"""How the error changes with a number. A product with weights has 47 bits, so 64 of them add up exactly in 53."""


def fitted(rows: Positions, sizes: tuple[int, ...], epochs: int, seed: int) -> Network:
    """A network that predicts the outcomes, by Adam. Rows are games in order, of which the last are for the test."""
    dice = np.random.PCG64(seed)
    learned = int(len(rows) * LEARNED)
    outcomes = rows[:, -OUTCOMES:].astype(np.float64)
    middle, spread = _spread(rows[:learned, :-OUTCOMES])
    inputs = _scaled(rows[:, :-OUTCOMES], middle, spread)
    layers = (inputs.shape[1], *sizes, OUTCOMES)
    weights = [_beginning(dice, above, below) for above, below in pairwise(layers)]
    weights[-1] *= 0.1
    biases = [np.zeros(size) for size in layers[1:]]
    learning = [*weights, *biases]
    means = [np.zeros_like(each) for each in learning]
    squares = [np.zeros_like(each) for each in learning]
    faded, faded_squares = 1.0, 1.0
    for share, batch in _batches(dice, learned, epochs):
        slopes = _slopes(weights, biases, _inputs(inputs[batch]), outcomes[batch])
        rate = 1e-5 + 2e-3 * (1 - share * share * (3 - 2 * share))
        faded, faded_squares = faded * 0.9, faded_squares * 0.999
        for number, slope in enumerate(slopes):
            means[number] += 0.1 * (slope - means[number])
            squares[number] += 0.001 * (slope * slope - squares[number])
            mean, square = means[number] / (1 - faded), squares[number] / (1 - faded_squares)
            learning[number] -= rate * mean / (np.sqrt(square) + 1e-8)
    for name, part in (("learned", slice(0, learned, 20)), ("not seen", slice(learned, None))):
        said = _passed(weights, biases, _inputs(inputs[part]))[-1][:, 0]
        click.echo(f"log-loss of winning, {name}: {_log_loss(said, outcomes[part, 0]):.4f}")
    return _unscaled(weights, biases, middle, spread)


def _spread(features: Positions) -> tuple[Floats, Floats]:
    """The mean of each feature, and its standard deviation, from exact sums."""
    sums, squares = [0] * features.shape[1], [0] * features.shape[1]
    for begin in range(0, len(features), READ):
        steps = (FEATURES(features[begin : begin + READ].astype(np.float64)) * 2**FEATURES.bits).astype(np.int64)
        sums = [total + more for total, more in zip(sums, steps.sum(0).tolist(), strict=True)]
        squares = [total + more for total, more in zip(squares, (steps * steps).sum(0).tolist(), strict=True)]
    number, step = len(features), 2**FEATURES.bits
    middle = [total / (number * step) for total in sums]
    variances = [
        (number * square - total * total) / (number * step) ** 2 for total, square in zip(sums, squares, strict=True)
    ]
    return np.array(middle), np.array([sqrt(variance) + 1e-3 for variance in variances])


def _scaled(features: Positions, middle: Floats, spread: Floats) -> NDArray[np.int16]:
    """Features with mean 0 and standard deviation 1, in steps of their grid."""
    found = np.empty(features.shape, np.int16)
    for begin in range(0, len(features), READ):
        read = FEATURES(features[begin : begin + READ].astype(np.float64))
        found[begin : begin + READ] = INPUTS((read - middle) / spread) * 2**INPUTS.bits
    return found


def _inputs(steps: NDArray[np.int16]) -> Floats:
    numbers: Floats = steps / 2.0**INPUTS.bits
    return numbers


def _unscaled(weights: list[Floats], biases: list[Floats], middle: Floats, spread: Floats) -> Network:
    """The network of the features as they are."""
    first, bias = weights[0] / spread[:, None], biases[0].copy()
    for mean, row in zip(middle, first, strict=True):
        bias -= mean * row
    return Network(
        [np.round(each.T, DIGITS).tolist() for each in (first, *weights[1:])],
        [np.round(each, DIGITS).tolist() for each in (bias, *biases[1:])],
    )


def _beginning(dice: np.random.PCG64, above: int, below: int) -> Floats:
    """Random weights of a layer. The raw numbers are those of every version of numpy."""
    share = (dice.random_raw(above * below) >> np.uint64(11)).astype(np.float64) / 2.0**53
    return (2 * share.reshape(above, below) - 1) * sqrt(6 / above)


def _batches(dice: np.random.PCG64, rows: int, epochs: int) -> Iterator[tuple[float, NDArray[np.intp]]]:
    """The progress from 0 to 1, and the next rows."""
    size = min(BATCH, rows)
    for epoch in range(epochs):
        order = np.argsort(dice.random_raw(rows), kind="stable")
        for begin in range(0, rows - size + 1, size):
            yield (epoch + begin / rows) / epochs, order[begin : begin + size]


def _passed(weights: list[Floats], biases: list[Floats], inputs: Floats) -> list[Floats]:
    """The output of each layer, the inputs first."""
    values = [inputs]
    for layer, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
        sums = values[-1] @ WEIGHTS(weight) + bias
        values.append(sums if layer == len(weights) - 1 else HIDDEN(np.maximum(sums, 0)))
    return values


def _slopes(weights: list[Floats], biases: list[Floats], inputs: Floats, outcomes: Floats) -> list[Floats]:
    """The gradient of the error by each weight and bias: the log-loss of winning, half squares of cash and lead."""
    values = _passed(weights, biases, inputs)
    slope = 0.5 * (values[-1] - outcomes)
    slope[:, 0] = _chances(values[-1][:, 0]) - outcomes[:, 0]
    by_weight: list[Floats] = []
    by_bias: list[Floats] = []
    for layer in reversed(range(len(weights))):
        slope = SLOPES(slope)
        by_weight.insert(0, values[layer].T @ slope / len(inputs) + 1e-5 * weights[layer])
        by_bias.insert(0, slope.sum(0) / len(inputs))
        slope = (slope @ WEIGHTS(weights[layer]).T) * (values[layer] > 0)
    return by_weight + by_bias


def _chances(logits: Floats) -> Floats:
    """The probability for each logit: the series of the exponential function for a 64th of it, squared six times."""
    part = np.minimum(np.abs(logits), 32) / 64
    falling = np.ones_like(part)
    for term in range(12, 0, -1):
        falling = 1 - part / term * falling
    for _ in range(6):
        falling = falling * falling
    chances: Floats = np.where(logits >= 0, 1.0, falling) / (1 + falling)
    return chances


def _log_loss(logits: Floats, won: Floats) -> float:
    return float(np.mean(np.logaddexp(0, logits) - won * logits))

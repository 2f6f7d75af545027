"""A neural network that evaluates positions, in plain Python."""

from functools import cache
from math import exp
from operator import mul
from pathlib import Path

import msgspec
from msgspec import Struct

WEIGHTS = Path(__file__).with_name("weights.json")
"""With which a magnate plays."""


class Network(Struct, frozen=True):
    """Layers of neurons: `weights` by layer, neuron, and input, `biases` by layer and neuron.

    All layers except the last apply ReLU.
    """

    weights: list[list[list[float]]]
    biases: list[list[float]]

    def __call__(self, numbers: list[float]) -> float:
        """The output of the last layer's first neuron: the logit of winning."""
        *hidden, _ = zip(self.weights, self.biases, strict=True)
        for weights, biases in hidden:
            sums = [sum(map(mul, row, numbers), bias) for row, bias in zip(weights, biases, strict=True)]
            numbers = [value if value > 0 else 0.0 for value in sums]
        return sum(map(mul, self.weights[-1][0], numbers), self.biases[-1][0])


class Council(Struct, frozen=True):
    """Networks trained from different starting points. Their errors differ, so their average is better."""

    networks: list[Network]

    def __call__(self, numbers: list[float]) -> float:
        """Their average output."""
        return sum(network(numbers) for network in self.networks) / len(self.networks)


@cache
def council(file: Path = WEIGHTS) -> Council:
    """The bundled networks in a file; by default those of the magnate."""
    return msgspec.json.decode(file.read_bytes(), type=Council)


def chance_of(logit: float) -> float:
    """The probability for a logit."""
    return 1 / (1 + exp(-logit)) if logit > -700 else 0.0

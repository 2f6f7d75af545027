"""The fit of the networks: its sums are exact in any order, and it learns."""

from math import fsum, log

import numpy as np
import pytest

from benchmarks.fitting import HIDDEN, INPUTS, SLOPES, WEIGHTS, Floats, Grid, Positions, _chances, _spread, fitted
from mcmulti.bots.strategies.magnate.network import chance_of


def test_a_grid_has_the_nearest_of_its_numbers() -> None:
    """Quarters from -2 to 2."""
    assert Grid(2, 1)(np.array([0.3, -0.14, 5.0, -2.2, 0.0])).tolist() == [0.25, -0.25, 2.0, -2.0, 0.0]


@pytest.mark.parametrize(
    ("terms", "one", "other"),
    [(94, INPUTS, WEIGHTS), (40, HIDDEN, WEIGHTS), (64, SLOPES, WEIGHTS), (512, HIDDEN, SLOPES)],
)
def test_products_add_up_exactly_in_any_order(terms: int, one: Grid, other: Grid) -> None:
    """A product of the largest numbers is a power of two, and one of the smallest is far below the last bit of it."""
    dice = np.random.default_rng(1)
    for spread in (0.01, 1.0, 1000.0):
        left, right = one(dice.normal(0, spread, terms)), other(dice.normal(0, spread, terms))
        exact = fsum(a * b for a, b in zip(left.tolist(), right.tolist(), strict=True))
        for order in (dice.permutation(terms) for _ in range(20)):
            assert float(left[order] @ right[order]) == exact
    largest = np.full(terms, 2.0**one.most), np.full(terms, 2.0**other.most)
    smallest = np.array([2.0**-one.bits]), np.array([2.0**-other.bits])
    everything: Floats = np.concatenate([largest[0][1:], smallest[0]]) * np.concatenate([largest[1][1:], smallest[1]])
    assert fsum(everything) == float(everything.sum()) == float(everything[::-1].sum())


def test_chances_are_those_of_the_logits() -> None:
    """At the logarithm of 3, winning is three times as likely as not."""
    assert _chances(np.array([0.0, log(3), -log(3)])) == pytest.approx([0.5, 0.75, 0.25], abs=1e-12)
    logits = np.linspace(-31, 31, 200)
    assert _chances(logits) == pytest.approx([chance_of(logit) for logit in logits.tolist()], rel=1e-9)
    assert 0 < _chances(np.array([-700.0]))[0] < 1e-13


def test_the_spread_is_the_standard_deviation_and_a_little_more() -> None:
    """Of 1 and 3 it is 1, of two equal numbers it is 0."""
    middle, spread = _spread(np.array([[1.0, 2.0], [3.0, 2.0]], np.float32))
    assert (middle.tolist(), spread.tolist()) == ([2.0, 2.0], [1.001, 0.001])


def test_it_learns_who_wins() -> None:
    """The first feature decides, the second says nothing."""
    dice = np.random.default_rng(1)
    features = dice.normal(0, 1, (20_000, 2))
    won = features[:, :1] > 0
    rows: Positions = np.hstack([features, won, features]).astype(np.float32)
    network = fitted(rows, (8, 4), 60, seed=1)
    for noise in (-1.0, 0.0, 1.0):
        assert chance_of(network([1.0, noise])) > 0.95
        assert chance_of(network([-1.0, noise])) < 0.05

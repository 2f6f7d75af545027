"""The strategies that come with the bots, by name."""

from mcmulti.bots.strategy import Maker, RandomMoves, Strategy
from mcmulti.bots.tycoon import tycoon


def _tycoon(seed: int) -> Strategy:
    return tycoon


STRATEGIES: dict[str, Maker] = {"random": RandomMoves, "tycoon": _tycoon}
"""Each makes a strategy of a seed; `tycoon` always does what it thinks best, and needs none."""

"""Strategies for McMulti by post."""

from mcmulti.bots.strategies.postal.mixed import MixedSheets, SwayingMagnate, SwayingTycoon, by_post
from mcmulti.bots.strategies.postal.wild import WildSheets
from mcmulti.bots.strategy import Maker

STRATEGIES: dict[str, Maker] = {
    "postal-magnate": lambda seed: by_post(MixedSheets(seed, SwayingMagnate)),
    "postal-tycoon": lambda seed: by_post(MixedSheets(seed, SwayingTycoon)),
    "random": lambda seed: by_post(WildSheets(seed)),
}

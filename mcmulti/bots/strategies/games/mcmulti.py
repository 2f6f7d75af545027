"""Strategies for McMulti."""

from mcmulti.bots.strategies.magnate.magnate import Magnate
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.bots.strategy import Maker, RandomMoves

_WEIGHTS = {"EndTurn": 3.0, "RollDice": 3.0, "SellAsset": 0.2, "EndProduction": 0.2}
"""Weights of these moves: players who sell and stop producing at random end in ruin."""

STRATEGIES: dict[str, Maker] = {
    "tycoon": lambda seed: tycoon,
    "magnate": Magnate,
    "random": lambda seed: RandomMoves(seed, _WEIGHTS),
}

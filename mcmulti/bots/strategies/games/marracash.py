"""Strategies for MarraCash."""

from mcmulti.bots.strategies.merchant import Merchant
from mcmulti.bots.strategy import Maker, RandomMoves

STRATEGIES: dict[str, Maker] = {"merchant": Merchant, "random": RandomMoves}

"""Strategies for the Millionenspiel."""

from mcmulti.bots.strategies.gambler.gambler import gambler
from mcmulti.bots.strategy import Maker, RandomMoves

STRATEGIES: dict[str, Maker] = {"gambler": lambda seed: gambler, "random": RandomMoves}

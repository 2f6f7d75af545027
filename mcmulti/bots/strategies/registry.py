"""The bundled strategies, by rule set and by name."""

from importlib import import_module
from pkgutil import iter_modules

from mcmulti.bots.strategies import games
from mcmulti.bots.strategy import Maker, NoStrategy, RandomMoves

STRATEGIES: dict[str, dict[str, Maker]] = {
    module.name: import_module(f"{games.__name__}.{module.name}").STRATEGIES for module in iter_modules(games.__path__)
}
"""Each entry makes a strategy from a seed, which only random ones need. The first of a rule set is the default."""
_ANYWHERE: dict[str, Maker] = {"random": RandomMoves}
"""Strategies for rule sets without one of their own."""


def strategies_of(ruleset: str) -> tuple[str, ...]:
    """The names of the strategies for a rule set; the first is the default."""
    return tuple(STRATEGIES.get(ruleset, _ANYWHERE))


def strategy_for(ruleset: str, name: str) -> Maker:
    """The maker of the strategy with this name for a rule set. Raises `NoStrategy`."""
    known = STRATEGIES.get(ruleset, _ANYWHERE)
    if name not in known:
        raise NoStrategy(f"{name!r} does not play {ruleset}: {' or '.join(sorted(known))}.")
    return known[name]

"""The strategies that come with the bots, by rule set and by name."""

from mcmulti.bots.strategies.gambler.gambler import gambler
from mcmulti.bots.strategies.magnate.magnate import Magnate
from mcmulti.bots.strategies.merchant import Merchant
from mcmulti.bots.strategies.postal.mailing import by_post
from mcmulti.bots.strategies.postal.mixed import MixedSheets, SwayingMagnate, SwayingTycoon
from mcmulti.bots.strategies.postal.wild import WildSheets
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.bots.strategy import Maker, NoStrategy, RandomMoves, Strategy


def _tycoon(seed: int) -> Strategy:
    return tycoon


def _magnate(seed: int) -> Strategy:
    return Magnate(seed)


def _gambler(seed: int) -> Strategy:
    return gambler


def _merchant(seed: int) -> Strategy:
    return Merchant(seed)


def _random_by_post(seed: int) -> Strategy:
    return by_post(WildSheets(seed))


def _magnate_by_post(seed: int) -> Strategy:
    return by_post(MixedSheets(seed, SwayingMagnate))


def _tycoon_by_post(seed: int) -> Strategy:
    return by_post(MixedSheets(seed, SwayingTycoon))


def _random_in_the_box(seed: int) -> Strategy:
    return RandomMoves(seed, _BOX_WEIGHTS)


_BOX_WEIGHTS = {"EndTurn": 3.0, "RollDice": 3.0, "SellAsset": 0.2, "EndProduction": 0.2}
"""How likely these moves are: who sells and stops producing at a whim ends in ruin."""

STRATEGIES: dict[str, dict[str, Maker]] = {
    "mcmulti": {"tycoon": _tycoon, "magnate": _magnate, "random": _random_in_the_box},
    "postal": {"postal-magnate": _magnate_by_post, "postal-tycoon": _tycoon_by_post, "random": _random_by_post},
    "millionenspiel": {"gambler": _gambler, "random": RandomMoves},
    "marracash": {"merchant": _merchant, "random": RandomMoves},
}
"""Each makes a strategy of a seed, which only random ones need. The first of a rule set plays where none is named."""
_ANYWHERE: dict[str, Maker] = {"random": RandomMoves}
"""What plays rule sets that no strategy was written for."""


def strategies_of(ruleset: str) -> tuple[str, ...]:
    """The names of the strategies that play a rule set; the first plays where none is named."""
    return tuple(STRATEGIES.get(ruleset, _ANYWHERE))


def strategy_for(ruleset: str, name: str) -> Maker:
    """What makes the strategy of this name for a rule set. Raises `NoStrategy`."""
    known = STRATEGIES.get(ruleset, _ANYWHERE)
    if name not in known:
        raise NoStrategy(f"{name!r} does not play {ruleset}: {' or '.join(sorted(known))}.")
    return known[name]

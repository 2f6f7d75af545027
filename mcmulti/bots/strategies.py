"""The strategies that come with the bots, by rule set and by name."""

from mcmulti.bots.postal.mailing import by_post
from mcmulti.bots.postal.tycoon import tycoon_sheet
from mcmulti.bots.postal.wild import WildSheets
from mcmulti.bots.strategy import Maker, RandomMoves, Strategy
from mcmulti.bots.tycoon import tycoon


def _tycoon(seed: int) -> Strategy:
    return tycoon


def _random_by_post(seed: int) -> Strategy:
    return by_post(WildSheets(seed))


def _tycoon_by_post(seed: int) -> Strategy:
    return by_post(tycoon_sheet)


STRATEGIES: dict[str, dict[str, Maker]] = {
    "mcmulti": {"tycoon": _tycoon, "random": RandomMoves},
    "postal": {"postal-tycoon": _tycoon_by_post, "random": _random_by_post},
}
"""Each makes a strategy of a seed, which only random ones need. The first of a rule set plays best."""


class NoStrategy(Exception):
    """No strategy of this name plays this rule set; the text says which there are."""


def best(ruleset: str) -> str:
    """The name of the strategy that plays a rule set best. Raises `NoStrategy` if no bot knows the rule set."""
    return next(iter(_known(ruleset)))


def strategy_for(ruleset: str, name: str) -> Maker:
    """What makes the strategy of this name for a rule set. Raises `NoStrategy`."""
    known = _known(ruleset)
    if name not in known:
        raise NoStrategy(f"{name!r} does not play {ruleset}: {' or '.join(sorted(known))}.")
    return known[name]


def _known(ruleset: str) -> dict[str, Maker]:
    if ruleset not in STRATEGIES:
        raise NoStrategy(f"The bots know {' and '.join(STRATEGIES)}; this is a game of {ruleset}.")
    return STRATEGIES[ruleset]

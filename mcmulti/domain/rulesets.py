"""All rule sets, by name and version."""

from collections.abc import Mapping
from typing import Any

from mcmulti.domain import marracash, mcmulti, millionenspiel, postal
from mcmulti.domain.core.capabilities.rounds import orders_of
from mcmulti.domain.core.ruleset import Ruleset

_ALL: tuple[Ruleset[Any], ...] = (
    mcmulti.RULESET,
    postal.RULESET,
    millionenspiel.RULESET,
    marracash.RULESET,
)

SHIPPED: Mapping[str, Ruleset[Any]] = {ruleset.name: ruleset for ruleset in _ALL}
"""The rule sets of this package. Others can be plugged in beside them, below."""

BY_VERSION: dict[tuple[str, int], Ruleset[Any]] = {(ruleset.name, ruleset.version): ruleset for ruleset in _ALL}
"""The rule set that folds a recorded game, forever."""

CURRENT: dict[str, Ruleset[Any]] = dict(SHIPPED)
"""The rule set for new games: the newest version of each."""

DEFAULT: str = _ALL[0].name
"""The name of the rule set that is meant where a command or a query names none: the first that is listed."""

DECIDE_NOTHING: frozenset[str] = frozenset(
    kind.__name__
    for ruleset in _ALL
    for kind in ruleset.commands.logged
    if orders_of(ruleset) is not None or issubclass(kind, ruleset.flow.undecided) or not getattr(kind, "decides", True)
)
"""The names of commands that ratings do not count as decisions: a player could send any number of them."""

PLAYED_BY_ORDERS: frozenset[str] = frozenset(ruleset.name for ruleset in _ALL if orders_of(ruleset) is not None)
"""The names of rule sets in which seats send orders for a round."""

ROUNDS_OF_ORDERS: frozenset[str] = frozenset(
    orders.closes.__name__ for orders in map(orders_of, _ALL) if orders is not None
)
"""The names of events that ratings count in games with orders for rounds: as a decision of every seat but the `missing`
ones, whether its orders were sent for this round, in advance, or as standing orders.
"""

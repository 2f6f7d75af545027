"""The gauges of a game: its numbers, who plays, and who won."""

from mcmulti.domain.core.shown.gauges import Gauges
from mcmulti.domain.core.shown.outcome import Outcome, decided_by, played_by
from mcmulti.domain.mcmulti.components import ECONOMY, FIELDS, STEP
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil import gauges as common

PERIODS = tuple(sorted(ECONOMY, key=lambda name: ECONOMY[name].demand))
"""The economy cards, from the weakest demand to the strongest."""


def gauges(state: State) -> Gauges:
    """Holdings at the prices of the card in force (`assets/sell`), prices of the next barrels, the economy."""
    return common.gauges(state, state.card.sell, STEP, FIELDS)


def fetches(state: State) -> dict[str, int]:
    """What the next barrel and the next asset fetch (`market/sell`, `assets/sell`)."""
    return common.fetches(state, state.card.sell, STEP)


def outcome(state: State) -> Outcome:
    """The players, who declared victory (`end/declare`), and who won (`final/winner`)."""
    return Outcome(played_by(state), state.winners, state.declared_by, decided_by(state))

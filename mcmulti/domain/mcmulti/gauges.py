"""The numbers of a game, who won, the luck of a production roll, and the dice."""

from typing import Any

from mcmulti.domain.core.shown.gauges import Die, Gauges, Luck
from mcmulti.domain.mcmulti.components import ECONOMY, FIELDS, STEP
from mcmulti.domain.mcmulti.phases.dice import DiceRolled, EconomyChanged
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.table import StartRolled
from mcmulti.domain.oil import gauges as common
from mcmulti.domain.oil.luck import luck_of

PERIODS = tuple(sorted(ECONOMY, key=lambda name: ECONOMY[name].demand))
"""The economy cards, from the weakest demand to the strongest."""


def gauges(state: State) -> Gauges:
    """Holdings at the prices of the card in force (`assets/sell`), prices of the next barrels, the economy."""
    return common.gauges(state, state.card.sell, STEP, FIELDS)


def fetches(state: State) -> dict[str, int]:
    """What the next barrel and the next asset fetch (`market/sell`, `assets/sell`)."""
    return common.fetches(state, state.card.sell, STEP)


def luck(before: State, event: Any) -> tuple[Luck, ...]:
    """What the roll lets each seat operate, by kind: in its active quadrant (`production/hit`) or as a neighbor.

    For rigs it is the strikes, one at most (`production/rig`). News caused by the roll does not count.
    """
    return luck_of(before, before.now.quadrant, event) if isinstance(event, DiceRolled) else ()


def thrown(event: Any) -> tuple[Die, ...]:
    """The red and the black die of a roll, the green one of the economy, and those for the first player."""
    if isinstance(event, DiceRolled):
        return Die("red", event.red.value), Die("black", event.black.value)
    if isinstance(event, EconomyChanged):
        return (Die("green", event.green.value),)
    if isinstance(event, StartRolled):
        return tuple(Die("start", roll.die.value) for roll in event.rolls)
    return ()

"""The numbers of a game, who won, and the luck of a roll."""

from typing import Any

from msgspec.structs import replace

from mcmulti.domain.core.shown.gauges import Die, Gauges, Luck
from mcmulti.domain.oil import gauges as common
from mcmulti.domain.oil.luck import luck_of
from mcmulti.domain.postal.components import CLIMATES, FIELDS, STEP
from mcmulti.domain.postal.conditions.findings import consumer_price
from mcmulti.domain.postal.refereeing.dice import DiceRolled, DoubleVoided
from mcmulti.domain.postal.state import State

PERIODS = tuple(sorted(CLIMATES, key=lambda name: CLIMATES[name].demand))
"""The climates, from the weakest demand to the strongest."""


def gauges(state: State) -> Gauges:
    """Holdings at the prices of the climate (`postal/prices`), prices of the next barrels, the climate."""
    figures = common.gauges(state, CLIMATES[state.economy].sell, STEP, FIELDS)
    return replace(figures, prices={**figures.prices, "consumers": consumer_price(state)})


def fetches(state: State) -> dict[str, int]:
    """What the next barrel and the next asset fetch (`postal/prices`)."""
    return common.fetches(state, CLIMATES[state.economy].sell, STEP)


def luck(before: State, event: Any) -> tuple[Luck, ...]:
    """What the roll lets each seat operate, by kind, compared with the average of all 36 rolls (`postal/phase-3`).

    For rigs it is the double hits. The average ignores that a third double is rolled again.
    """
    return luck_of(before, before.now.quadrant, event) if isinstance(event, DiceRolled) else ()


def thrown(event: Any) -> tuple[Die, ...]:
    """The red and the black die of a roll, including one that was rolled again."""
    if isinstance(event, DiceRolled | DoubleVoided):
        return Die("red", event.red.value), Die("black", event.black.value)
    return ()

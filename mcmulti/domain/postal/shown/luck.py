"""How lucky a roll was, and which dice an event threw."""

from typing import Any

from mcmulti.domain.core.shown.luck import Die, Luck
from mcmulti.domain.oil.shown.luck import luck_of
from mcmulti.domain.postal.refereeing.dice import DiceRolled, DoubleVoided
from mcmulti.domain.postal.state import State


def luck(before: State, event: Any) -> tuple[Luck, ...]:
    """What the roll lets each seat operate, by kind, next to the average of all 36 rolls (`postal/phase-3`).

    For rigs it is the double hits. That a third double is rolled again is left out of the average.
    """
    return luck_of(before, before.now.quadrant, event) if isinstance(event, DiceRolled) else ()


def thrown(event: Any) -> tuple[Die, ...]:
    """The red and the black die of a roll, also of one that was rolled again."""
    if isinstance(event, DiceRolled | DoubleVoided):
        return Die("red", event.red.value), Die("black", event.black.value)
    return ()

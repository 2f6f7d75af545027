"""The luck of a roll, and the dice that an event threw."""

from typing import Any

from mcmulti.domain.core.shown.luck import Die, Luck
from mcmulti.domain.oil.shown.luck import luck_of
from mcmulti.domain.postal.refereeing.dice import DiceRolled, DoubleVoided
from mcmulti.domain.postal.state import State


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

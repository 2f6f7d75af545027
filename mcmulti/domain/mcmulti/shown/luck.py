"""The luck of a production roll, and the dice that an event threw."""

from typing import Any

from mcmulti.domain.core.shown.luck import Die, Luck
from mcmulti.domain.mcmulti.phases.dice import DiceRolled, EconomyChanged
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.table import StartRolled
from mcmulti.domain.oil.luck import luck_of


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

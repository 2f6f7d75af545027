"""How lucky a production roll was."""

from typing import Any

from mcmulti.domain.luck import Luck
from mcmulti.domain.mcmulti.state import State


def luck(before: State, event: Any) -> tuple[Luck, ...]:
    """What the roll hit, for every seat that could operate something."""
    return ()

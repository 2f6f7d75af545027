"""Chance with the dice of a script."""

from collections.abc import Sequence
from hashlib import sha256

from mcmulti.domain.core.chance import NO_SALT


class ScriptedChance:
    """Chance for tests: the given dice, in order, whatever the numbers of the draws."""

    def __init__(self, values: Sequence[int] = ()) -> None:
        self._values = list(values)

    @property
    def commitment(self) -> str:
        return sha256(b"scripted").hexdigest()

    def value(self, number: int, sides: int, entropy: str) -> int:
        if not self._values:
            raise AssertionError(f"draw {number} (1 to {sides}) is not in the script")
        value = self._values.pop(0)
        if not 1 <= value <= sides:
            raise AssertionError(f"the script says {value} for draw {number}, a die with {sides} sides")
        return value

    @property
    def unused(self) -> tuple[int, ...]:
        """The given dice that were not drawn."""
        return tuple(self._values)

    def salt(self, number: int) -> str:
        return NO_SALT

    def unseal(self) -> None:
        pass

    def reveal(self) -> str:
        return "00" * 32

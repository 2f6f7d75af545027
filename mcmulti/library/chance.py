"""Chance in the library: explicit outcomes first, then a seed or a chance node."""

from collections.abc import Sequence
from hashlib import sha256

from mcmulti.domain.core.chance import NO_SALT, Chance

_NO_SEED = bytes(32)


class DrawNeeded(Exception):
    """The next draw has no outcome yet. Holds its number in the game, and the number of sides of the die."""

    def __init__(self, number: int, sides: int) -> None:
        super().__init__(f"draw {number}, 1 to {sides}")
        self.number, self.sides = number, sides


class GivenChance:
    """Chance with given outcomes: these values, in order, whatever the numbers of the draws, then those of `later`.

    Without `later`, raises `DrawNeeded` when the values run out.
    """

    __slots__ = ("_given", "_later", "_used")

    def __init__(self, given: Sequence[int] = (), later: Chance | None = None) -> None:
        self._given, self._later, self._used = given, later, 0

    @property
    def commitment(self) -> str:
        return self._later.commitment if self._later else sha256(_NO_SEED).hexdigest()

    def value(self, number: int, sides: int, entropy: str) -> int:
        if self._used < len(self._given):
            self._used += 1
            return self._given[self._used - 1]
        if self._later is None:
            raise DrawNeeded(number, sides)
        return self._later.value(number, sides, entropy)

    def salt(self, number: int) -> str:
        return self._later.salt(number) if self._later else NO_SALT

    def unseal(self) -> None:
        """Return None: this chance has no secret."""

    def reveal(self) -> str:
        return self._later.reveal() if self._later else _NO_SEED.hex()

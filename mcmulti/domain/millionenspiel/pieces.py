"""Chips and notes: money is pieces, and nothing is changed downwards (`purse/denominations`)."""

from operator import add

from msgspec import Struct

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.figures import Count
from mcmulti.domain.millionenspiel.components import COMPONENTS

KINDS: dict[str, int] = COMPONENTS["money"]["kinds"]
"""The value of a piece of each kind, the lowest first."""
VALUES = tuple(KINDS.values())
_1, _2, _3, _4, _5, _6 = VALUES
LEAST_NOTE: int = COMPONENTS["money"]["least_note"]
MOST_OF_A_KIND: int = COMPONENTS["money"]["most"]
BANK = "bank"


class Pieces(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Numbers of pieces of each kind: chips of 1, 10, and 100, notes of 1000, 10000, and 100000."""

    ones: Count = 0
    tens: Count = 0
    hundreds: Count = 0
    thousands: Count = 0
    ten_thousands: Count = 0
    hundred_thousands: Count = 0

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of each kind, the lowest first."""
        return self.ones, self.tens, self.hundreds, self.thousands, self.ten_thousands, self.hundred_thousands

    @property
    def worth(self) -> int:
        """The total value."""
        low = self.ones * _1 + self.tens * _2 + self.hundreds * _3
        return low + self.thousands * _4 + self.ten_thousands * _5 + self.hundred_thousands * _6

    @property
    def notes(self) -> "Pieces":
        """The notes among them: 1000 and up."""
        return Pieces(*(n if value >= LEAST_NOTE else 0 for n, value in zip(self.counts, VALUES, strict=True)))

    def __bool__(self) -> bool:
        return self != NOTHING

    def __add__(self, other: "Pieces") -> "Pieces":
        return Pieces(*map(add, self.counts, other.counts))

    def __sub__(self, other: "Pieces") -> "Pieces":
        return Pieces(
            self.ones - other.ones,
            self.tens - other.tens,
            self.hundreds - other.hundreds,
            self.thousands - other.thousands,
            self.ten_thousands - other.ten_thousands,
            self.hundred_thousands - other.hundred_thousands,
        )

    def __mul__(self, times: int) -> "Pieces":
        return Pieces(*[number * times for number in self.counts])


NOTHING = Pieces()


def fewest(amount: int) -> Pieces:
    """An amount as the bank pays it, in the fewest pieces (`bank/pieces`)."""
    counts = []
    for value in reversed(VALUES):
        number, amount = divmod(amount, value)
        counts.append(number)
    return Pieces(*reversed(counts))


def exchange(pieces: Pieces) -> tuple[Pieces, Pieces]:
    """What a player with these pieces gives to the bank, and what it gets (`purse/exchange`).

    Of more than ten of a kind, as many tens are exchanged as leave one to ten. The pieces received count as part of the
    next kind. The highest kind stays.
    """
    if max(pieces.counts[:-1]) <= MOST_OF_A_KIND:
        return NOTHING, NOTHING
    given, got = [0] * len(VALUES), [0] * len(VALUES)
    for kind, number in enumerate(pieces.counts[:-1]):
        has = number + got[kind]
        if has > MOST_OF_A_KIND:
            higher = (has - 1) // 10
            given[kind], got[kind + 1] = higher * 10, higher
    return Pieces(*given), Pieces(*got)


def moved(source: str, target: str, pieces: Pieces, reason: str) -> tuple[Transfer, ...]:
    """Transfers of pieces, and of the money they are worth, from one account to another."""
    return transfer(source, target, "money", pieces.worth, reason) + exchanged(source, target, pieces, reason)


def exchanged(source: str, target: str, pieces: Pieces, reason: str) -> tuple[Transfer, ...]:
    """Transfers of pieces alone, if others of the same value go the other way: no money is earned or spent."""
    kinds = zip(KINDS, pieces.counts, strict=True)
    return tuple(line for kind, number in kinds for line in transfer(source, target, kind, number, reason))


def purse(seat: int) -> str:
    """The account of what a seat has not staked."""
    return f"seat:{seat}:purse"


def stake(seat: int) -> str:
    """The account of a seat's stake."""
    return f"seat:{seat}:stake"

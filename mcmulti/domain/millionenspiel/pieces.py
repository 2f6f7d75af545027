"""Chips and notes: money is pieces, and nothing is changed downwards (`purse/denominations`)."""

from operator import add, mul, sub

from msgspec import Struct

from mcmulti.domain.core.course.posting import Transfer, transfer
from mcmulti.domain.core.figures import Count
from mcmulti.domain.millionenspiel.components import COMPONENTS

KINDS: dict[str, int] = COMPONENTS["money"]["kinds"]
"""What a piece of each kind is worth, the lowest first."""
VALUES = tuple(KINDS.values())
LEAST_NOTE: int = COMPONENTS["money"]["least_note"]
MOST_OF_A_KIND: int = COMPONENTS["money"]["most"]
BANK = "bank"


class Pieces(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """So many pieces of each kind: chips of 1, 10 and 100, notes of 1000, 10000 and 100000."""

    ones: Count = 0
    tens: Count = 0
    hundreds: Count = 0
    thousands: Count = 0
    ten_thousands: Count = 0
    hundred_thousands: Count = 0

    @property
    def counts(self) -> tuple[int, ...]:
        """How many there are of each kind, the lowest first."""
        return self.ones, self.tens, self.hundreds, self.thousands, self.ten_thousands, self.hundred_thousands

    @property
    def worth(self) -> int:
        """What they come to."""
        return sum(map(mul, self.counts, VALUES))

    @property
    def notes(self) -> "Pieces":
        """Those that are notes: 1000 and up."""
        return Pieces(*(n if value >= LEAST_NOTE else 0 for n, value in zip(self.counts, VALUES, strict=True)))

    def __bool__(self) -> bool:
        return self != NOTHING

    def __add__(self, other: "Pieces") -> "Pieces":
        return Pieces(*map(add, self.counts, other.counts))

    def __sub__(self, other: "Pieces") -> "Pieces":
        return Pieces(*map(sub, self.counts, other.counts))

    def __mul__(self, times: int) -> "Pieces":
        return Pieces(*[number * times for number in self.counts])


NOTHING = Pieces()


def fewest(amount: int) -> Pieces:
    """What the bank pays, in the fewest pieces (`bank/pieces`)."""
    counts = []
    for value in reversed(VALUES):
        number, amount = divmod(amount, value)
        counts.append(number)
    return Pieces(*reversed(counts))


def exchange(pieces: Pieces) -> tuple[Pieces, Pieces]:
    """What a player who has these gives to the bank, and what it gets (`purse/exchange`).

    Of more than ten of a kind as many tens go as leave one to ten; what they bring is counted with the next kind.
    The highest kind stays.
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
    """Pieces, and the money they are, from one account to another."""
    return transfer(source, target, "money", pieces.worth, reason) + exchanged(source, target, pieces, reason)


def exchanged(source: str, target: str, pieces: Pieces, reason: str) -> tuple[Transfer, ...]:
    """Pieces alone, for which others of the same worth go the other way: that is no money earned or spent."""
    kinds = zip(KINDS, pieces.counts, strict=True)
    return tuple(line for kind, number in kinds for line in transfer(source, target, kind, number, reason))


def purse(seat: int) -> str:
    """The account of what a seat has and did not stake."""
    return f"seat:{seat}:purse"


def stake(seat: int) -> str:
    """The account of what a seat staked."""
    return f"seat:{seat}:stake"

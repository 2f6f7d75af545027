"""Double entry: what moves, from where to where and what for."""

from msgspec import Struct


class Posting(Struct, frozen=True, gc=False):
    """One line: `amount` of `unit` added to `account` (taken from it when negative).

    The lines of one event sum to zero in every unit. Units: ``dollars`` (millions), ``crude`` and
    ``gasoline`` (barrels), ``rig``, ``well``, ``station``, ``refinery`` (pieces).
    """

    account: str
    unit: str
    amount: int


class Transfer(Struct, frozen=True, gc=False):
    """`amount`, more than nothing, of `unit` from one account to another; `reason` is a word of the rule set."""

    source: str
    target: str
    unit: str
    amount: int
    reason: str

    @property
    def postings(self) -> tuple[Posting, Posting]:
        """The two lines of it."""
        return Posting(self.source, self.unit, -self.amount), Posting(self.target, self.unit, self.amount)


def transfer(source: str, target: str, unit: str, amount: int, reason: str) -> tuple[Transfer, ...]:
    """A transfer; none of nothing, and the other way round of less."""
    if amount < 0:
        source, target, amount = target, source, -amount
    return (Transfer(source, target, unit, amount, reason),) if amount else ()

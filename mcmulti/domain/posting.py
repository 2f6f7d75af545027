"""Double-entry lines."""

from msgspec import Struct


class Posting(Struct, frozen=True, gc=False):
    """One line: `amount` of `unit` added to `account` (taken from it when negative).

    The lines of one event sum to zero in every unit. Units: ``dollars`` (millions), ``crude`` and
    ``gasoline`` (barrels), ``rig``, ``well``, ``station``, ``refinery`` (pieces).
    """

    account: str
    unit: str
    amount: int


def transfer(source: str, target: str, unit: str, amount: int) -> tuple[Posting, ...]:
    """`amount` of `unit` from one account to another; no lines for nothing."""
    return (Posting(source, unit, -amount), Posting(target, unit, amount)) if amount else ()

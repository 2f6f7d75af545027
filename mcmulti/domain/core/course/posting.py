"""Double entry: transfers between accounts, with their reasons."""

from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import MOST

Account = Annotated[
    str,
    Meta(
        pattern="^[a-z0-9_]+(:[a-z0-9_]+)*$",
        description="Account in the books. A colon separates an account from its subaccounts.",
    ),
]
Unit = Annotated[str, Meta(pattern="^[a-z_]+$", description="What is counted: money, goods, or pieces.")]
Reason = Annotated[str, Meta(pattern="^[a-z_]+$", description="Why it moved.")]
Amount = Annotated[int, Meta(ge=-MOST, le=MOST, description="Amount in the unit; negative if it is taken away.")]


CAPITAL = "start"
"""The reason for starting capital, which is neither earned nor spent."""


class Transfer(Struct, frozen=True, gc=False):
    """`amount`, more than zero, of `unit` from one account to another; `reason` is a word of the rule set.

    It is two lines of the books, which sum to zero. Units are words of the rule set. The accounts of a seat begin with
    ``seat:<number>:``. An account with subaccounts holds nothing itself, since accounting tools include the balances of
    subaccounts in their parent's.
    """

    source: Account
    target: Account
    unit: Unit
    amount: Amount
    reason: Reason


def transfer(source: str, target: str, unit: str, amount: int, reason: str) -> tuple[Transfer, ...]:
    """A transfer; none if the amount is zero, and reversed if it is negative."""
    if amount < 0:
        source, target, amount = target, source, -amount
    return (Transfer(source, target, unit, amount, reason),) if amount else ()


@lru_cache(maxsize=256)
def seat_of(account: str) -> int | None:
    """The seat that owns the account; None if no seat does."""
    owner, _, rest = account.partition(":")
    return int(rest.partition(":")[0]) if owner == "seat" else None

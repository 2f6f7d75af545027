"""Queries about the books of a game, and their responses."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.domain.core.course.posting import Account, Amount, Reason, Unit
from mcmulti.domain.core.figures import MOST, MOST_SEATS, Count, SeatName
from mcmulti.events.log.item import AtMoment, Seq
from mcmulti.projections.books.ledger import LedgerLine
from mcmulti.projections.books.statements import Flow, Statement

PlayerNames = Annotated[
    tuple[SeatName | None, ...],
    Meta(
        max_length=MOST_SEATS,
        description="Names of the players by seat; null if the seat is empty or the name unknown.",
    ),
]


class Ledger(AtMoment, frozen=True):
    """A page of the books after event `seq`.

    `lines`: in the order of the game. `next`: continues the page as ``after``, null at the end.
    """

    lines: Annotated[tuple[LedgerLine, ...], Meta(max_length=1000)]
    next: Count | None


class AccountBalance(Struct, frozen=True):
    """The balance of an account in a unit.

    `balance`: how much; negative for an account that gave more than it got, such as the bank.
    """

    account: Account
    unit: Unit
    balance: Amount


class UnitSum(Struct, frozen=True):
    """The sum of all accounts in a unit.

    `sum`: zero in sound books.
    """

    unit: Unit
    sum: Amount


class Balances(AtMoment, frozen=True):
    """Every account after event `seq`, and the trial balance.

    `balances`: the balance of each account, for each unit that it ever held. `trial_balance`: the sum of all accounts,
    unit by unit.
    """

    balances: tuple[AccountBalance, ...]
    trial_balance: tuple[UnitSum, ...]


class Statements(AtMoment, frozen=True):
    """What every player had of each unit before the span, income and spending by reason, and what was left.

    `statements`: one for each seat and unit.
    """

    names: PlayerNames
    statements: tuple[Statement, ...]


class Flows(AtMoment, frozen=True):
    """Flows in the span: from whom, to whom, how much, and why.

    `flows`: in the order in which they first happened.
    """

    flows: tuple[Flow, ...]


class LedgerQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at`: the books after this event instead of now. `after`: only lines after the one with this number. `limit`: the
    most lines; by default 100 in JSON, and all in CSV. `account`: only this account and its subaccounts, such as
    `seat:0`. `unit`: only lines in this unit. `reason`: only lines with this reason.
    """

    at: Seq | UnsetType = UNSET
    after: Count = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] | UnsetType = UNSET
    account: Account | UnsetType = UNSET
    unit: Unit | UnsetType = UNSET
    reason: Reason | UnsetType = UNSET


class SpanQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at`: up to this event instead of now. `after`: what happened up to this event is in the opening balances.
    `from_turn`: so is what happened before this turn; turn 0 is before the first turn. `to_turn`: nothing after this
    turn.
    """

    at: Seq | UnsetType = UNSET
    after: Seq = 0
    from_turn: Count = 0
    to_turn: Count = MOST

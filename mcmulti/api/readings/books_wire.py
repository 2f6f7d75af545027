"""What is asked of the books of a game, and what they answer."""

from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from mcmulti.domain.core.course.posting import Account, Amount, Reason, Unit
from mcmulti.domain.core.figures import MOST, MOST_SEATS, Count, SeatName
from mcmulti.events.log.item import Hash, Seq
from mcmulti.projections.books.ledger import LedgerLine
from mcmulti.projections.books.statements import Flow, Statement

PlayerNames = Annotated[
    tuple[SeatName | None, ...],
    Meta(
        max_length=MOST_SEATS,
        description="Names of the players by seat; null if the seat is empty or the name unknown.",
    ),
]


class Ledger(Struct, frozen=True):
    """A page of the books after event `seq`.

    `lines`: in the order of the game.
    `next`: continues the page as ``after``, null when no more lines follow.
    """

    game: UUID
    seq: Seq
    hash: Hash
    lines: Annotated[tuple[LedgerLine, ...], Meta(max_length=1000)]
    next: Count | None


class AccountBalance(Struct, frozen=True):
    """What an account holds of a unit.

    `balance`: how much; less than nothing for what gave more than it got, as the bank does.
    """

    account: Account
    unit: Unit
    balance: Amount


class UnitSum(Struct, frozen=True):
    """What all accounts hold of a unit together.

    `sum`: nothing, in sound books.
    """

    unit: Unit
    sum: Amount


class Balances(Struct, frozen=True):
    """Every account after event `seq`, and the trial balance.

    `balances`: what each account holds of each unit it ever held.
    `trial_balance`: what all accounts hold together, unit by unit.
    """

    game: UUID
    seq: Seq
    hash: Hash
    balances: tuple[AccountBalance, ...]
    trial_balance: tuple[UnitSum, ...]


class Statements(Struct, frozen=True):
    """What every player had of each unit before the span, for what it came and went, and what was left.

    `statements`: one for each seat and unit.
    """

    game: UUID
    seq: Seq
    hash: Hash
    names: PlayerNames
    statements: tuple[Statement, ...]


class Flows(Struct, frozen=True):
    """Who gave whom what in the span, and what for.

    `flows`: in the order in which they first happened.
    """

    game: UUID
    seq: Seq
    hash: Hash
    flows: tuple[Flow, ...]


class LedgerQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at`: the books after this event instead of now.
    `after`: only lines behind the one of this number.
    `limit`: at most so many lines; unless told, 100 in JSON, and all in CSV.
    `account`: only this account and those below it, such as `seat:0`.
    `unit`: only lines in this unit.
    `reason`: only lines with this reason.
    """

    at: Seq | UnsetType = UNSET
    after: Count = 0
    limit: Annotated[int, Meta(ge=1, le=1000)] | UnsetType = UNSET
    account: Account | UnsetType = UNSET
    unit: Unit | UnsetType = UNSET
    reason: Reason | UnsetType = UNSET


class SpanQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at`: up to this event instead of now.
    `after`: what happened up to this event is in the opening balances.
    `from_turn`: what happened before this turn is, too; turn 0 is what happens before the first.
    `to_turn`: nothing that happened behind this turn.
    """

    at: Seq | UnsetType = UNSET
    after: Seq = 0
    from_turn: Count = 0
    to_turn: Count = MOST

"""Statements: what each player began with, received, and spent; and flows between accounts."""

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from mcmulti.domain.core.course.posting import Account, Amount, Reason, Unit, seat_of
from mcmulti.domain.core.figures import MOST, Count, Seat
from mcmulti.projections.books.ledger import JournalEntry


class BookSpan(Struct, frozen=True):
    """A part of a game: after event `after`, up to event `until`, in the turns `from_turn` to `to_turn`.

    Turn 0 is before the first turn.
    """

    after: int = 0
    until: int = MOST
    from_turn: int = 0
    to_turn: int = MOST

    def follows(self, entry: JournalEntry) -> bool:
        """Whether the span begins after the entry."""
        return entry.seq <= self.after or entry.turn < self.from_turn

    def ended(self, entry: JournalEntry) -> bool:
        """Whether the span is over before the entry."""
        return entry.seq > self.until or entry.turn > self.to_turn


WHOLE = BookSpan()


class Movement(Struct, frozen=True, gc=False):
    """The sum of all transfers for one reason.

    `amount`: what was received, or paid if negative.
    """

    reason: Reason
    amount: Amount


class Statement(Struct, frozen=True):
    """What a seat had of a unit, with income and spending by reason.

    `opening`: what it had before the span. `movements`: income and spending in the span, by reason, without transfers
    between the seat's own accounts. `closing`: what it had at the end: the opening balance plus all movements.
    """

    seat: Seat
    unit: Unit
    opening: Amount
    movements: tuple[Movement, ...]
    closing: Amount


class Flow(Struct, frozen=True, gc=False):
    """The total that went from one account to another for one reason.

    `source`: the account it came from. `target`: the account it went to. `amount`: the total amount. `count`: the
    number of transfers.
    """

    source: Account
    target: Account
    unit: Unit
    reason: Reason
    amount: Amount
    count: Count


def statements(booked: Iterable[JournalEntry], span: BookSpan = WHOLE) -> tuple[Statement, ...]:
    """The statements of all seats over the span, by seat and unit. The entries must be those of a game from
    its start.
    """
    opening: defaultdict[tuple[int, str], int] = defaultdict(int)
    moved: defaultdict[tuple[int, str], defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for entry in booked:
        if span.ended(entry):
            break
        before = span.follows(entry)
        for transfer in entry.transfers:
            if seat_of(transfer.source) == seat_of(transfer.target):
                continue  # laying money aside changes nothing
            for account, amount in ((transfer.source, -transfer.amount), (transfer.target, transfer.amount)):
                seat = seat_of(account)
                if seat is None:
                    continue
                key = seat, transfer.unit
                opening[key] += amount if before else 0
                if not before:
                    moved[key][transfer.reason] += amount
    units = list(dict.fromkeys(unit for _, unit in opening))
    return tuple(
        Statement(
            seat,
            unit,
            opening[seat, unit],
            tuple(Movement(reason, amount) for reason, amount in moved[seat, unit].items()),
            opening[seat, unit] + sum(moved[seat, unit].values()),
        )
        for seat, unit in sorted(opening, key=lambda key: (key[0], units.index(key[1])))
    )


def flows(booked: Iterable[JournalEntry], span: BookSpan = WHOLE) -> tuple[Flow, ...]:
    """The flow matrix over the span: from whom, to whom, and why, in the order in which each first happened."""
    amounts: defaultdict[tuple[str, str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for entry in booked:
        if span.ended(entry):
            break
        if span.follows(entry):
            continue
        for moved in entry.transfers:
            sums = amounts[moved.source, moved.target, moved.unit, moved.reason]
            sums[0] += moved.amount
            sums[1] += 1
    return tuple(Flow(*key, amount, count) for key, (amount, count) in amounts.items())

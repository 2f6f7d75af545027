"""The books of a game as accountants keep them: what every event moved, in words, as income and expense.

In the ledger, one account gives and takes all money: the bank. Here a seat has an account for each reason: money
received is income, money paid is an expense. The starting capital stays with the bank.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from mcmulti.domain.core.course.posting import CAPITAL, Transfer, seat_of
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import NOBODY, Called, presented
from mcmulti.events.log.codec import event_decoder
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.books.ledger import Daybook, JournalEntry
from mcmulti.projections.pictures.seats import names, printable

INCOME = "income"
EXPENSES = "expenses"


class Booking(NamedTuple):
    """What event `seq` booked, if anything, with its sentence.

    `prices`: what the next piece of a unit earns from then on, in money, if that has changed.
    """

    seq: int
    entry: JournalEntry | None
    sentence: str
    prices: Mapping[str, int]


class Booker:
    """Makes bookings from a game's events, one after the other; `called`: the players' names."""

    def __init__(self, ruleset: Ruleset[Any], called: Called = NOBODY) -> None:
        self._ruleset, self._called = ruleset, called
        self._decode = event_decoder(ruleset.name, ruleset.version)
        self._state: Any = None
        self._known: dict[str, int] = {}

    def booking(self, event: Recorded) -> Booking | None:
        """The booking of the next event, from the first on; None if it neither moves anything nor changes a price."""
        ruleset, happened, before = self._ruleset, self._decode(event.data), self._state
        self._state = presented(ruleset.evolve(before, happened), self._called)
        transfers = ruleset.books.transfers(happened)
        values = ruleset.books.fetches(self._state)
        prices: dict[str, int] = {}
        if values != self._known:
            prices = {unit: price for unit, price in values.items() if self._known.get(unit) != price}
            self._known |= prices
        if not transfers:
            return Booking(event.seq, None, "", prices) if prices else None
        turn, sentence = ruleset.turn(self._state), printable(ruleset.texts.tell(before, happened, "en"))
        entry = JournalEntry(event.seq, turn, event.type, event.rule, transfers, event.recorded_at)
        return Booking(event.seq, _classified(entry, ruleset.books.money), sentence, prices)


class Closing:
    """The data for the beginning and end of a journal: the balance of every account, updated event by event.

    `balances`: by account and unit, in the order in which they were first used. `types`: of booked events, in the order
    in which they first happened. `booked`: the last booked event.
    """

    def __init__(self) -> None:
        self._books = Daybook()
        self.balances: dict[tuple[str, str], int] = {}
        self.types: dict[str, None] = {}
        self.booked = 0

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The rule set of the game. Requires at least one event."""
        return self._books.ruleset

    def names(self, called: Called) -> Sequence[str | None]:
        """The players' names by seat."""
        return names(self.ruleset, presented(self._books.state, called))

    def book(self, events: Iterable[Recorded]) -> None:
        """The next events, from the first of the game on."""
        for event in events:
            entry = self._books.add(event)
            if entry is not None:
                self.types[entry.type], self.booked = None, entry.seq
                for moved in _classified(entry, self.ruleset.books.money).transfers:
                    for account, amount in ((moved.source, -moved.amount), (moved.target, moved.amount)):
                        key = account, moved.unit
                        self.balances[key] = self.balances.get(key, 0) + amount


def split(transfer: Transfer, money: str) -> tuple[Transfer, ...]:
    """A transfer of money with income and expenses in place of the bank; between two seats both seats have one.

    Money that a seat lays aside, or a game begins with, is neither.
    """
    if transfer.unit != money or transfer.reason == CAPITAL or seat_of(transfer.source) == seat_of(transfer.target):
        return (transfer,)
    spent = replace(transfer, target=_account(EXPENSES, transfer.source, transfer.reason))
    earned = replace(transfer, source=_account(INCOME, transfer.target, transfer.reason))
    return tuple(
        part for part, account in ((spent, transfer.source), (earned, transfer.target)) if seat_of(account) is not None
    )


def _classified(entry: JournalEntry, money: str) -> JournalEntry:
    moved = [part for transfer in entry.transfers for part in split(transfer, money)]
    return replace(entry, transfers=tuple(moved))


def _account(kind: str, cash: str, reason: str) -> str:
    """``income:seat:0:taxes`` for ``seat:0:cash``."""
    return f"{kind}:{cash.rpartition(':')[0]}:{reason}"

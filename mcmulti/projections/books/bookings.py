"""The books of a game as bookkeepers keep them: what every event moved, in words, as income and as expense.

The ledger knows one account that gives and takes all money, the bank. Here a seat has an account for each reason: what
came for it is income, what went is an expense. The capital that a game starts with stays with the bank.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from mcmulti.domain.core.course.posting import CAPITAL, Transfer, seat_of
from mcmulti.domain.core.table import NOBODY, Called, presented
from mcmulti.events.log.codec import event_decoder, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.books.ledger import JournalEntry, entries, lines
from mcmulti.projections.pictures.seats import printable

INCOME = "income"
EXPENSES = "expenses"


class Booking(NamedTuple):
    """What event `seq` booked, if anything, and told in a sentence.

    `prices`: what the next piece of a unit fetches from then on, in money, where that has changed.
    """

    seq: int
    entry: JournalEntry | None
    sentence: str
    prices: Mapping[str, int]


def bookings(events: Sequence[Recorded], called: Called = NOBODY) -> Iterator[Booking]:
    """The bookings of a game's log from its first event on; events that neither move nor change a price have none."""
    if not events:
        return
    ruleset = opened_with(events[0])
    decode = event_decoder(ruleset.name, ruleset.version)
    booked = {entry.seq: entry for entry in entries(events)}
    state: Any = None
    known: dict[str, int] = {}
    for event in events:
        happened = decode(event.data)
        entry = booked.get(event.seq)
        sentence = printable(ruleset.texts.tell(state, happened, "en")) if entry else ""
        state = presented(ruleset.evolve(state, happened), called)
        now = ruleset.books.gauges(state).values
        prices = {unit: price for unit, price in now.items() if known.get(unit) != price}
        known |= prices
        if entry or prices:
            yield Booking(event.seq, entry and _classified(entry, ruleset.books.money), sentence, prices)


def ends(booked: Iterable[JournalEntry]) -> dict[tuple[str, str], int]:
    """What every account holds at the end, by account and unit, in the order in which they were first used."""
    balances: defaultdict[tuple[str, str], int] = defaultdict(int)
    for line in lines(booked):
        balances[line.account, line.unit] = line.balance
    return dict(balances)


def split(transfer: Transfer, money: str) -> tuple[Transfer, ...]:
    """A transfer of money with income and expenses in place of the bank; between two seats both seats have one.

    What a seat lays aside, or a game begins with, is neither.
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
    """``income:seat:0:taxes`` of ``seat:0:cash``."""
    return f"{kind}:{cash.rpartition(':')[0]}:{reason}"

"""The ledger: everything that is counted, in double entry.

All functions read a log once, from its first event on. A `Daybook` keeps the entries; the others keep only balances.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain
from typing import Any

from msgspec import Struct

from mcmulti.domain.core.course.posting import Account, Amount, Reason, Transfer, Unit
from mcmulti.domain.core.figures import Count, RuleId, TypeName
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.events.log.codec import event_decoder, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.log.item import Seq
from mcmulti.events.log.positions import Position
from mcmulti.projections.fold import Fold, Growing

ENTRY = 700
"""Approximate bytes of an entry."""


class JournalEntry(Struct, frozen=True):
    """What one event moved. `turn` is the turn it happened in, 0 before the first."""

    seq: int
    turn: int
    type: str
    rule: str
    transfers: tuple[Transfer, ...]
    recorded_at: datetime


class LedgerLine(Struct, frozen=True, gc=False):
    """One line of the books. The two lines of a transfer are adjacent, the giving one first.

    `line`: its number in the game, from 1. `turn`: the turn it happened in, 0 before the first. `amount`: what the
    account received, or paid if negative. `balance`: the balance of the account in the unit after it.
    """

    line: Count
    seq: Seq
    turn: Count
    type: TypeName
    rule: RuleId
    reason: Reason
    account: Account
    unit: Unit
    amount: Amount
    balance: Amount


class Wanted(Struct, frozen=True):
    """A filter for lines; None means any. `account` includes its subaccounts."""

    account: str | None = None
    unit: str | None = None
    reason: str | None = None

    def admits(self, line: LedgerLine) -> bool:
        """Whether the line passes the filter."""
        return (
            (self.account is None or line.account == self.account or line.account.startswith(f"{self.account}:"))
            and (self.unit is None or line.unit == self.unit)
            and (self.reason is None or line.reason == self.reason)
        )


class TrialBalance(Struct, frozen=True):
    """`accounts`: account to unit to balance. `units`: unit to the sum over all accounts, zero in sound books."""

    accounts: dict[str, dict[str, int]]
    units: dict[str, int]


class Daybook(Fold):
    """The entries of a game's books, collected event by event; events that move nothing have none."""

    def __init__(self) -> None:
        self._ruleset: Ruleset[Any] | None = None
        self.state: Any = None
        self.entries: Growing[JournalEntry] = Growing()

    @property
    def ruleset(self) -> Ruleset[Any]:
        """The rule set of the game. Requires at least one event."""
        if self._ruleset is None:
            raise ValueError("a game without events has no books")
        return self._ruleset

    @property
    def shared(self) -> int:
        return ENTRY * len(self.entries)

    def step(self, events: Iterable[Recorded], now: Position | None = None) -> None:
        for event in events:
            entry = self.add(event)
            if entry is not None:
                self.entries.append(entry)

    def add(self, event: Recorded) -> JournalEntry | None:
        """The entry of the next event, which is not kept."""
        ruleset = self._ruleset = self._ruleset or opened_with(event)
        happened = event_decoder(ruleset.name, ruleset.version)(event.data)
        self.state = ruleset.evolve(self.state, happened)
        transfers = ruleset.books.transfers(happened)
        if not transfers:
            return None
        turn = ruleset.turn(self.state)
        return JournalEntry(event.seq, turn, event.type, event.rule, transfers, event.recorded_at)


def entries(events: Iterable[Recorded]) -> Iterator[JournalEntry]:
    """The ledger entries of a game's log from its first event on; events that move nothing have none."""
    return filter(None, map(Daybook().add, events))


class RunningBalances:
    """Numbers the lines of entries, with running balances. The entries must be those of a game from its start."""

    def __init__(self) -> None:
        self._number = 0
        self._balances: defaultdict[tuple[str, str], int] = defaultdict(int)

    def lines(self, entry: JournalEntry) -> Iterator[LedgerLine]:
        """The lines of the next entry."""
        balances = self._balances
        for moved in entry.transfers:
            unit = moved.unit
            for account, amount in ((moved.source, -moved.amount), (moved.target, moved.amount)):
                self._number += 1
                balances[account, unit] += amount
                yield LedgerLine(
                    self._number,
                    entry.seq,
                    entry.turn,
                    entry.type,
                    entry.rule,
                    moved.reason,
                    account,
                    unit,
                    amount,
                    balances[account, unit],
                )


def lines(booked: Iterable[JournalEntry]) -> Iterator[LedgerLine]:
    """The lines of the entries, with running balances. The entries must be those of a game from its start."""
    return chain.from_iterable(map(RunningBalances().lines, booked))


def balanced(booked: Iterable[JournalEntry]) -> TrialBalance:
    """Every account's balance after the entries, which must be those of a game from its start."""
    accounts: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for entry in booked:
        for moved in entry.transfers:
            accounts[moved.source][moved.unit] -= moved.amount
            accounts[moved.target][moved.unit] += moved.amount
    units: defaultdict[str, int] = defaultdict(int)
    for balances in accounts.values():
        for unit, balance in balances.items():
            units[unit] += balance
    return TrialBalance(
        {account: dict(sorted(balances.items())) for account, balances in sorted(accounts.items())},
        dict(sorted(units.items())),
    )

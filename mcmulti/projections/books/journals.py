"""Journals for accounting tools: the ledger of a game for hledger and for beancount.

Both tools work in days, and a game takes minutes. So every event has its own day, `day(seq)`, and the real time is a
comment. Every hledger posting asserts its resulting balance; in a beancount journal every account that an event touches
is asserted on the next day. At the end all balances are asserted once more. Prices of goods and pieces are listed on
the day on which they changed.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, timedelta
from functools import lru_cache
from uuid import UUID

from mcmulti.domain.core.table import NOBODY, Called
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.books.bookings import EXPENSES, INCOME, Booker, Booking, Closing
from mcmulti.projections.books.ledger import JournalEntry, LedgerLine, RunningBalances
from mcmulti.projections.pictures.seats import printable

_EPOCH = date(2000, 1, 1)
_CLOSING = "Closing balances"
NAMES = 1024
"""Names of accounts and units that are remembered in the form of a tool; games have few, and use them all the time."""


def day(seq: int) -> date:
    """The day for an event: 2000-01-02 for the first, and so on."""
    return _EPOCH + timedelta(days=seq)


def text(lines: Iterable[str]) -> bytes:
    """The lines as a file, in UTF-8."""
    return "\n".join((*lines, "")).encode()


class Journal(ABC):
    """A game's journal, written event by event: its opening, its bookings, and its end.

    Lines have no line ends. `closing`: the totals of the whole game. `called`: the players' names.
    """

    def __init__(self, closing: Closing, game: UUID, until: int, called: Called = NOBODY) -> None:
        self._closing, self._called = closing, called
        self._header = _header(closing, game, until, called)
        self._money = closing.ruleset.books.money
        self._units = tuple(dict.fromkeys(unit for _, unit in closing.balances))
        self._booker = Booker(closing.ruleset, called)
        self._balances = RunningBalances()

    @abstractmethod
    def opening(self) -> Iterator[str]:
        """The lines before the first event."""

    def write(self, events: Iterable[Recorded]) -> Iterator[str]:
        """The bookings of the next events, from the first of the game on."""
        for booking in filter(None, map(self._booker.booking, events)):
            posted = () if booking.entry is None else tuple(self._balances.lines(booking.entry))
            prices = {unit: booking.prices[unit] for unit in self._units if unit in booking.prices}
            yield from self._booked(booking, posted, prices)

    @abstractmethod
    def _booked(self, booking: Booking, posted: Sequence[LedgerLine], prices: Mapping[str, int]) -> Iterator[str]:
        """The lines of a booking, with the prices that it changed."""

    @abstractmethod
    def ending(self) -> Iterator[str]:
        """The lines after the last event."""


class Hledger(Journal):
    """A journal for hledger.

    `prefix` is put before every account, so that a journal can contain several games. Prices are then omitted, since
    those of one game would apply to all.
    """

    def __init__(self, closing: Closing, game: UUID, until: int, called: Called = NOBODY, prefix: str = "") -> None:
        super().__init__(closing, game, until, called)
        self._prefix = prefix

    def opening(self) -> Iterator[str]:
        yield from (f"; {line}" for line in self._header)
        for account in dict.fromkeys(account for account, _ in self._closing.balances):
            yield f"account {self._prefix}{account}  ; type:{_hledger_type(account)}"
        yield from (f"commodity {_hledger_unit(unit)}" for unit in self._units)
        yield from (f"payee {name}" for name in dict.fromkeys([*self._closing.types, _CLOSING]))

    def _booked(self, booking: Booking, posted: Sequence[LedgerLine], prices: Mapping[str, int]) -> Iterator[str]:
        prices = {} if self._prefix else prices
        yield from [""] * bool(prices or posted)
        for unit, price in prices.items():
            yield f"P {day(booking.seq)} {_hledger_unit(unit)} {price} {self._money}"
        if entry := booking.entry:
            tags = {"seq": entry.seq, "turn": entry.turn, "rule": entry.rule, "event": entry.type, "time": _time(entry)}
            # A semicolon would begin a comment, in which a player's name could be taken for a tag.
            yield f"{day(entry.seq)} * ({entry.seq}) {entry.type} | {booking.sentence.replace(';', ',')}"
            yield f"    ; {', '.join(f'{name}:{value}' for name, value in tags.items())}"
        for line in posted:
            unit = _hledger_unit(line.unit)
            yield (
                f"    {self._prefix}{line.account}  {line.amount} {unit} = {line.balance} {unit}"
                f"  ; line:{line.line}, reason:{line.reason}"
            )

    def ending(self) -> Iterator[str]:
        if self._closing.booked:
            yield ""
            yield f"{day(self._closing.booked + 1)} * {_CLOSING}"
            for (account, unit), balance in self._closing.balances.items():
                yield f"    {self._prefix}{account}  0 {_hledger_unit(unit)} = {balance} {_hledger_unit(unit)}"


class Beancount(Journal):
    """A journal for beancount."""

    def opening(self) -> Iterator[str]:
        yield from (f"; {line}" for line in self._header)
        yield f'option "title" {_quoted(self._header[0])}'
        yield f'option "operating_currency" "{_currency(self._money)}"'
        for unit in self._units:
            yield f"{_EPOCH} commodity {_currency(unit)}"
        balances = self._closing.balances
        for account in dict.fromkeys(account for account, _ in balances):
            units = ",".join(_currency(unit) for owner, unit in balances if owner == account)
            yield f"{_EPOCH} open {_beancount_account(account)} {units}"

    def _booked(self, booking: Booking, posted: Sequence[LedgerLine], prices: Mapping[str, int]) -> Iterator[str]:
        yield from [""] * bool(prices or posted)
        for unit, price in prices.items():
            yield f"{day(booking.seq)} price {_currency(unit)} {price} {_currency(self._money)}"
        if entry := booking.entry:
            yield f'{day(entry.seq)} * "{entry.type}" {_quoted(booking.sentence)}'
            yield f"  seq: {entry.seq}"
            yield f"  turn: {entry.turn}"
            yield f'  rule: "{entry.rule}"'
            yield f'  event: "{entry.type}"'
            yield f'  time: "{_time(entry)}"'
        for line in posted:
            yield f"  {_beancount_account(line.account)}  {line.amount} {_currency(line.unit)}"
            yield f"    line: {line.line}"
            yield f'    reason: "{line.reason}"'
        left = {(line.account, line.unit): line.balance for line in posted}
        yield from _balances(day(booking.seq + 1), left)

    def ending(self) -> Iterator[str]:
        if self._closing.booked:
            yield ""
            yield from _balances(day(self._closing.booked + 2), self._closing.balances)


def hledger(events: Sequence[Recorded], prefix: str = "", called: Called = NOBODY) -> Iterator[str]:
    """The lines of a game's journal for hledger, without line ends, with a `prefix` as `Hledger` puts it."""
    return _whole(events, lambda closing, game, until: Hledger(closing, game, until, called, prefix))


def beancount(events: Sequence[Recorded], called: Called = NOBODY) -> Iterator[str]:
    """The lines of a game's journal for beancount, without line ends."""
    return _whole(events, lambda closing, game, until: Beancount(closing, game, until, called))


def _whole(events: Sequence[Recorded], begun: Callable[[Closing, UUID, int], Journal]) -> Iterator[str]:
    if not events:
        yield "; No game"
        return
    closing = Closing()
    closing.book(events)
    journal = begun(closing, events[0].game_id, events[-1].seq)
    yield from journal.opening()
    yield from journal.write(events)
    yield from journal.ending()


def _balances(on: date, balances: dict[tuple[str, str], int]) -> Iterator[str]:
    """The balances at the beginning of that day."""
    written = on.isoformat()
    for (account, unit), balance in balances.items():
        yield f"{written} balance {_beancount_account(account)}  {balance} {_currency(unit)}"


def _header(closing: Closing, game: UUID, until: int, called: Called) -> list[str]:
    """The header of the journal, with the players' names, which are free text."""
    return [
        f"{closing.ruleset.title}, game {game}, up to event {until}",
        *(f"seat:{seat} is {printable(name)}" for seat, name in enumerate(closing.names(called)) if name),
        f"A day is an event: event 1 stands on {day(1)}. The real time is in the tag time.",
    ]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@lru_cache(NAMES)
def _hledger_type(account: str) -> str:
    if account.startswith(f"{INCOME}:"):
        return "R"
    if account.startswith(f"{EXPENSES}:"):
        return "X"
    if account.endswith(":cash"):
        return "C"
    return "A" if account.startswith("seat:") else "E"


def _time(entry: JournalEntry) -> str:
    return entry.recorded_at.astimezone(UTC).isoformat()


@lru_cache(NAMES)
def _hledger_unit(unit: str) -> str:
    return unit if unit.isalpha() else f'"{unit}"'


@lru_cache(NAMES)
def _currency(unit: str) -> str:
    return unit.upper().replace("_", "-")


@lru_cache(NAMES)
def _beancount_account(account: str) -> str:
    """``seat:0:cash`` as ``Assets:Seat:0:Cash``; accounts of nobody at the table are equity."""
    root = {"A": "Assets:", "C": "Assets:", "E": "Equity:"}.get(_hledger_type(account), "")
    return root + ":".join(part[:1].upper() + part[1:].replace("_", "-") for part in account.split(":"))

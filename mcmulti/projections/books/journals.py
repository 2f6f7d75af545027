"""Journals for the tools of bookkeepers: the ledger of a game for hledger and for beancount.

Both tools look at days, and a game is played within minutes. So every event has a day of its own, `day(seq)`, and the
real time stands beside it. Every hledger posting asserts the balance it leaves; in a beancount journal every account
that an event touches is asserted on the next day. At the end all balances are asserted once more. What goods and
pieces would fetch stands on the day on which it changed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, timedelta
from itertools import groupby

from mcmulti.domain.core.table import NOBODY, Called, presented
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.books.bookings import EXPENSES, INCOME, Booking, bookings, ends
from mcmulti.projections.books.ledger import JournalEntry, LedgerLine, lines
from mcmulti.projections.pictures.seats import names, printable

_EPOCH = date(2000, 1, 1)
_CLOSING = "Closing balances"


def day(seq: int) -> date:
    """The day that stands for an event: the first one is 2000-01-02, and so on."""
    return _EPOCH + timedelta(days=seq)


def text(lines: Iterable[str]) -> bytes:
    """The lines as a file, in UTF-8."""
    return "".join(f"{line}\n" for line in lines).encode()


def hledger(events: Sequence[Recorded], prefix: str = "", called: Called = NOBODY) -> Iterator[str]:
    """The lines of a game's journal for hledger, without line ends.

    `prefix` is put before every account, so that a journal may hold several games. Prices are left out then: those of
    one game would hold for all.
    """
    books = list(bookings(events, called))
    money = opened_with(events[0]).books.money if events else ""
    booked = [booking.entry for booking in books if booking.entry]
    closing = ends(booked)
    yield from (f"; {line}" for line in _about(events, called))
    for account in dict.fromkeys(account for account, _ in closing):
        yield f"account {prefix}{account}  ; type:{_hledger_type(account)}"
    yield from (f"commodity {_hledger_unit(unit)}" for unit in _units(closing))
    yield from (f"payee {name}" for name in dict.fromkeys([*(entry.type for entry in booked), _CLOSING]))
    for booking, posted in _posted(books):
        prices = {} if prefix else _of_units(booking.prices, closing)
        yield from [""] * bool(prices or posted)
        for unit, price in prices.items():
            yield f"P {day(booking.seq)} {_hledger_unit(unit)} {price} {money}"
        if entry := booking.entry:
            tags = {"seq": entry.seq, "turn": entry.turn, "rule": entry.rule, "event": entry.type, "time": _time(entry)}
            # A semicolon would begin a comment, where a player's name could be taken for a tag.
            yield f"{day(entry.seq)} * ({entry.seq}) {entry.type} | {booking.sentence.replace(';', ',')}"
            yield f"    ; {', '.join(f'{name}:{value}' for name, value in tags.items())}"
        for line in posted:
            unit = _hledger_unit(line.unit)
            yield (
                f"    {prefix}{line.account}  {line.amount} {unit} = {line.balance} {unit}"
                f"  ; line:{line.line}, reason:{line.reason}"
            )
    if booked:
        yield ""
        yield f"{day(booked[-1].seq + 1)} * {_CLOSING}"
        for (account, unit), balance in closing.items():
            yield f"    {prefix}{account}  0 {_hledger_unit(unit)} = {balance} {_hledger_unit(unit)}"


def beancount(events: Sequence[Recorded], called: Called = NOBODY) -> Iterator[str]:
    """The lines of a game's journal for beancount, without line ends."""
    books = list(bookings(events, called))
    money = opened_with(events[0]).books.money if events else ""
    booked = [booking.entry for booking in books if booking.entry]
    closing = ends(booked)
    about = _about(events, called)
    yield from (f"; {line}" for line in about)
    yield f'option "title" {_quoted(about[0])}'
    if money:
        yield f'option "operating_currency" "{_currency(money)}"'
    for unit in _units(closing):
        yield f"{_EPOCH} commodity {_currency(unit)}"
    for account in dict.fromkeys(account for account, _ in closing):
        units = ",".join(_currency(unit) for owner, unit in closing if owner == account)
        yield f"{_EPOCH} open {_beancount_account(account)} {units}"
    for booking, posted in _posted(books):
        prices = _of_units(booking.prices, closing)
        yield from [""] * bool(prices or posted)
        for unit, price in prices.items():
            yield f"{day(booking.seq)} price {_currency(unit)} {price} {_currency(money)}"
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
    if booked:
        yield ""
        yield from _balances(day(booked[-1].seq + 2), closing)


def _balances(on: date, balances: dict[tuple[str, str], int]) -> Iterator[str]:
    """What the accounts hold when that day begins."""
    for (account, unit), balance in balances.items():
        yield f"{on} balance {_beancount_account(account)}  {balance} {_currency(unit)}"


def _about(events: Sequence[Recorded], called: Called) -> list[str]:
    """What the journal is about, with the players' names, which are free text."""
    if not events:
        return ["No game"]
    ruleset = opened_with(events[0])
    seated = names(ruleset, presented(fold(ruleset, events), called))
    return [
        f"{ruleset.title}, game {events[0].game_id}, up to event {events[-1].seq}",
        *(f"seat:{seat} is {printable(name)}" for seat, name in enumerate(seated) if name),
        f"A day is an event: event 1 stands on {day(1)}. The real time is in the tag time.",
    ]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _posted(books: Sequence[Booking]) -> Iterator[tuple[Booking, list[LedgerLine]]]:
    """Every booking with its lines."""
    posted = groupby(lines(booking.entry for booking in books if booking.entry), key=lambda line: line.seq)
    by_seq = {seq: list(found) for seq, found in posted}
    yield from ((booking, by_seq.get(booking.seq, [])) for booking in books)


def _units(closing: Iterable[tuple[str, str]]) -> Iterable[str]:
    return dict.fromkeys(unit for _, unit in closing)


def _of_units(prices: Mapping[str, int], closing: Iterable[tuple[str, str]]) -> dict[str, int]:
    """The prices of what the books know."""
    return {unit: prices[unit] for unit in _units(closing) if unit in prices}


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


def _hledger_unit(unit: str) -> str:
    return unit if unit.isalpha() else f'"{unit}"'


def _currency(unit: str) -> str:
    return unit.upper().replace("_", "-")


def _beancount_account(account: str) -> str:
    """``seat:0:cash`` as ``Assets:Seat:0:Cash``; what belongs to nobody at the table is equity."""
    root = {"A": "Assets:", "C": "Assets:", "E": "Equity:"}.get(_hledger_type(account), "")
    return root + ":".join(part[:1].upper() + part[1:].replace("_", "-") for part in account.split(":"))

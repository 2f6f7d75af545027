"""Journals for the tools of bookkeepers: the ledger of a game for hledger and for beancount.

Both tools look at days, and a game is played within minutes. So every event has a day of its own, `day(seq)`, and the
real time stands beside it. Every hledger posting asserts the balance it leaves; in a beancount journal every account
that an event touches is asserted on the next day. At the end all balances are asserted once more.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, timedelta
from itertools import groupby

from mcmulti.events.codec import fold, opened_with
from mcmulti.events.envelope import Recorded
from mcmulti.projections.ledger import Entry, LedgerLine, entries, lines
from mcmulti.projections.seats import names, printable

_EPOCH = date(2000, 1, 1)
_CLOSING = "Closing balances"


def day(seq: int) -> date:
    """The day that stands for an event: the first one is 2000-01-02, and so on."""
    return _EPOCH + timedelta(days=seq)


def text(lines: Iterable[str]) -> bytes:
    """The lines as a file, in UTF-8."""
    return "".join(f"{line}\n" for line in lines).encode()


def hledger(events: Sequence[Recorded], prefix: str = "") -> Iterator[str]:
    """The lines of a game's journal for hledger, without line ends.

    `prefix` is put before every account, so that a journal may hold several games.
    """
    booked = list(entries(events))
    ends = _ends(booked)
    yield from (f"; {line}" for line in _about(events))
    for account in dict.fromkeys(account for account, _ in ends):
        yield f"account {prefix}{account}  ; type:{'A' if _of_a_seat(account) else 'E'}"
    yield from (f"commodity {_hledger_unit(unit)}" for unit in dict.fromkeys(unit for _, unit in ends))
    yield from (f"payee {name}" for name in dict.fromkeys([*(entry.type for entry in booked), _CLOSING]))
    for entry, posted in _posted(booked):
        yield ""
        yield f"{day(entry.seq)} * ({entry.seq}) {entry.type}"
        yield f"    ; seq:{entry.seq}, turn:{entry.turn}, rule:{entry.rule}, event:{entry.type}, time:{_time(entry)}"
        for line in posted:
            unit = _hledger_unit(line.unit)
            yield (
                f"    {prefix}{line.account}  {line.amount} {unit} = {line.balance} {unit}"
                f"  ; line:{line.line}, reason:{line.reason}"
            )
    if booked:
        yield ""
        yield f"{day(booked[-1].seq + 1)} * {_CLOSING}"
        for (account, unit), balance in ends.items():
            yield f"    {prefix}{account}  0 {_hledger_unit(unit)} = {balance} {_hledger_unit(unit)}"


def beancount(events: Sequence[Recorded]) -> Iterator[str]:
    """The lines of a game's journal for beancount, without line ends."""
    booked = list(entries(events))
    ends = _ends(booked)
    about = _about(events)
    yield from (f"; {line}" for line in about)
    yield f'option "title" {_quoted(about[0])}'
    for unit in dict.fromkeys(unit for _, unit in ends):
        yield f"{_EPOCH} commodity {_currency(unit)}"
    for account in dict.fromkeys(account for account, _ in ends):
        units = ",".join(_currency(unit) for owner, unit in ends if owner == account)
        yield f"{_EPOCH} open {_beancount_account(account)} {units}"
    for entry, posted in _posted(booked):
        yield ""
        yield f'{day(entry.seq)} * "{entry.type}"'
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
        yield from _balances(day(entry.seq + 1), left)
    if booked:
        yield ""
        yield from _balances(day(booked[-1].seq + 2), ends)


def _balances(on: date, balances: dict[tuple[str, str], int]) -> Iterator[str]:
    """What the accounts hold when that day begins."""
    for (account, unit), balance in balances.items():
        yield f"{on} balance {_beancount_account(account)}  {balance} {_currency(unit)}"


def _about(events: Sequence[Recorded]) -> list[str]:
    """What the journal is about, with the players' names: they are free text, and stand in comments only."""
    if not events:
        return ["No game"]
    ruleset = opened_with(events[0])
    called = names(ruleset, fold(ruleset, events))
    return [
        f"{ruleset.title}, game {events[0].game_id}, up to event {events[-1].seq}",
        *(f"seat:{seat} is {printable(name)}" for seat, name in enumerate(called) if name),
        f"A day is an event: event 1 stands on {day(1)}. The real time is in the tag time.",
    ]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _posted(booked: Sequence[Entry]) -> Iterator[tuple[Entry, list[LedgerLine]]]:
    """Every entry with its lines."""
    by_entry = groupby(lines(booked), key=lambda line: line.seq)
    yield from zip(booked, (list(posted) for _, posted in by_entry), strict=True)


def _ends(booked: Iterable[Entry]) -> dict[tuple[str, str], int]:
    """What every account holds at the end, by account and unit, in the order in which they were first used."""
    balances: defaultdict[tuple[str, str], int] = defaultdict(int)
    for line in lines(booked):
        balances[line.account, line.unit] = line.balance
    return dict(balances)


def _of_a_seat(account: str) -> bool:
    return account.startswith("seat:")


def _time(entry: Entry) -> str:
    return entry.recorded_at.astimezone(UTC).isoformat()


def _hledger_unit(unit: str) -> str:
    return unit if unit.isalpha() else f'"{unit}"'


def _currency(unit: str) -> str:
    return unit.upper().replace("_", "-")


def _beancount_account(account: str) -> str:
    """``seat:0:cash`` as ``Assets:Seat:0:Cash``; what belongs to nobody at the table is equity."""
    parts = (part[:1].upper() + part[1:].replace("_", "-") for part in account.split(":"))
    return ":".join(("Assets" if _of_a_seat(account) else "Equity", *parts))

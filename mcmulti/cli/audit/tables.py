"""The books as tables: statements side by side, flows between players, the trial balance."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from rich.table import Table
from rich.text import Text

from mcmulti.cli.audit.book import Book
from mcmulti.domain.core.course.posting import seat_of
from mcmulti.projections.books.statements import Flow, Statement, flows, statements


def statement_tables(book: Book) -> Iterable[Table]:
    """What all players had, won, and spent of each unit. If all of a unit came from or went to one account, it is
    named.
    """
    stated = statements(book.booked, book.span)
    found = flows(book.booked, book.span)
    for unit in book.units:
        parties = _parties(unit, found)
        title = book.word(unit)
        if len(parties) == 1:
            title = book.said["all_with"].format(unit=title, party=book.named(*parties))
        yield _statements(book, title, [each for each in stated if each.unit == unit])


def flow_tables(book: Book) -> Iterable[Table]:
    """Flows between players, for units exchanged by several parties. Then flows that involve no player."""
    found = flows(book.booked, book.span)
    for unit in book.units:
        if len(_parties(unit, found)) > 1:
            yield _exchanged(book, unit, [flow for flow in found if flow.unit == unit and _seats(flow)])
    between = [flow for flow in found if not _seats(flow)]
    if between:
        table = book.table(book.said["between"], "way", "for", "amount", "times")
        for flow in between:
            way = f"{book.named(flow.source)} → {book.named(flow.target)}"
            table.add_row(way, book.word(flow.reason), f"{flow.amount:,}", f"{flow.count:,}")
        yield table


def trial_balance_table(book: Book) -> Table:
    """Everybody's balance in each unit. The sums at the bottom include all accounts."""
    table = book.table(book.said["trial_balance"], "", gap=1)
    for unit in book.units:
        table.add_column(book.word(unit).replace(" ", "\n"), justify="right", overflow="fold")
    rows: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for account, balances in book.balance.accounts.items():
        seat = seat_of(account)
        owner = book.named(":".join(account.split(":")[:2])) if seat is None else book.names[seat]
        for unit, amount in balances.items():
            rows[owner][unit] += amount
    for owner, held in rows.items():
        table.add_row(owner, *(f"{held[unit]:,}" if unit in held else "" for unit in book.units))
    table.add_section()
    sums = (book.balance.units[unit] for unit in book.units)
    table.add_row(book.said["sum"], *(Text(f"{sum:,}", "red" if sum else "green") for sum in sums))
    return table


def _statements(book: Book, title: str, stated: Sequence[Statement]) -> Table:
    table = book.table(title, "")
    book.add_players(table)
    by_seat = {each.seat: each for each in stated}
    moved = {each.seat: {one.reason: one.amount for one in each.movements} for each in stated}
    totals: defaultdict[str, int] = defaultdict(int)
    for reason, amount in chain.from_iterable(amounts.items() for amounts in moved.values()):
        totals[reason] += amount
    seats = range(len(book.names))
    table.add_row(book.said["opening"], *(f"{by_seat[seat].opening:,}" if seat in by_seat else "0" for seat in seats))
    kinds = {
        "income": [reason for reason, total in totals.items() if total > 0],
        "spending": [reason for reason, total in totals.items() if total < 0],
        # What one player gave and another got adds up to zero.
        "among": [reason for reason, total in totals.items() if not total and any(_of(moved, reason))],
    }
    for kind, reasons in kinds.items():
        if reasons:
            table.add_row(Text(book.said[kind], "dim"))
        for reason in sorted(reasons, key=lambda reason: -abs(totals[reason])):
            amounts = (moved.get(seat, {}).get(reason) for seat in seats)
            table.add_row(f"  {book.word(reason)}", *(f"{amount:+,}" if amount else "" for amount in amounts))
    table.add_section()
    table.add_row(book.said["closing"], *(f"{by_seat[seat].closing:,}" if seat in by_seat else "0" for seat in seats))
    return table


def _of(moved: Mapping[int, Mapping[str, int]], reason: str) -> list[int]:
    """What every seat received and spent for a reason."""
    return [amounts.get(reason, 0) for amounts in moved.values()]


def _exchanged(book: Book, unit: str, found: Iterable[Flow]) -> Table:
    """What players gave and got, side by side."""
    table = book.table(book.word(unit), "way", "for")
    book.add_players(table)
    rows: defaultdict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for flow in found:
        source, target = (book.party(account.removesuffix(f":{unit}")) for account in (flow.source, flow.target))
        row = rows[f"{source} → {target}", book.word(flow.reason)]
        for seat in _seats(flow):
            row[seat] = row.get(seat, 0) + flow.amount
    for key, amounts in rows.items():
        table.add_row(*key, *(f"{amounts[seat]:,}" if seat in amounts else "" for seat in range(len(book.names))))
    return table


def _parties(unit: str, found: Iterable[Flow]) -> set[str]:
    """The accounts with which players exchange a unit."""
    ends = ((flow.source, flow.target) for flow in found if flow.unit == unit and _seats(flow))
    return {account for account in chain.from_iterable(ends) if seat_of(account) is None}


def _seats(flow: Flow) -> list[int]:
    """The seats that give or get."""
    ends = (seat_of(flow.source), seat_of(flow.target))
    return [seat for seat in ends if seat is not None]

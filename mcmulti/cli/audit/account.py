"""The lines of one account, with what happened in each event."""

from typing import Any

from rich.text import Text

from mcmulti.cli.audit.book import Book
from mcmulti.domain.core.table import presented
from mcmulti.events.log.codec import event_decoder
from mcmulti.projections.books.ledger import Wanted, lines
from mcmulti.projections.pictures.seats import printable


class UnknownAccount(Exception):
    """The books have no such account."""


def print_lines(book: Book, account: str) -> None:
    """Print the lines of an account and its subaccounts. Raises `UnknownAccount` if the books have none."""
    wanted = Wanted(account)
    found = [line for line in lines(book.booked) if wanted.admits(line)]
    if not found:
        known = f"Accounts: {', '.join(book.balance.accounts)}." if book.booked else book.said["nothing"]
        raise UnknownAccount(f"The books have no account {account!r}. {known}")
    shown = {entry.seq for entry in book.booked if not book.span.follows(entry)}
    told = _sentences(book, {line.seq for line in found} & shown)
    several = len({(line.account, line.unit) for line in found}) > 1
    title = account if several else f"{book.named(found[0].account)} ({book.word(found[0].unit)})"
    table = book.table(title, "event", "turn", "what", "rule", "amount", "balance")
    for line in found:
        if line.seq in shown:
            what = Text(told[line.seq])
            if several:
                what.append(f"\n{book.named(line.account)} ({book.word(line.unit)})", "dim")
            table.add_row(str(line.seq), str(line.turn), what, line.rule, f"{line.amount:+,}", f"{line.balance:,}")
    book.console.print(table)


def _sentences(book: Book, wanted: set[int]) -> dict[int, str]:
    """A sentence for each of these events."""
    decode = event_decoder(book.ruleset.name, book.ruleset.version)
    found: dict[int, str] = {}
    state: Any = None
    for event in book.events:
        happened = decode(event.data)
        if event.seq in wanted:
            found[event.seq] = printable(book.ruleset.texts.tell(state, happened, book.language))
        state = presented(book.ruleset.evolve(state, happened), book.called)
    return found

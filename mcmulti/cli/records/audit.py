"""An audit: the game, its books or the lines of one account, and the proof."""

from datetime import UTC, datetime
from shlex import quote
from typing import Any

from rich.console import Console
from rich.text import Text

from mcmulti.cli.proof.verdict import claim_line
from mcmulti.cli.records.book import Book
from mcmulti.client.sources import NamedLog
from mcmulti.domain.core.table import presented
from mcmulti.domain.core.wording.telling import Language
from mcmulti.events.log.codec import event_decoder
from mcmulti.projections.books.ledger import Wanted, lines
from mcmulti.projections.books.statements import BookSpan
from mcmulti.projections.labels import AUDIT
from mcmulti.projections.pictures.seats import printable, seat_colour
from mcmulti.projections.proof.proof import Proof, claims, verify


class UnknownAccount(Exception):
    """The books have no such account."""


def audited(
    log: NamedLog, span: BookSpan, account: str | None, language: Language, source: str, console: Console
) -> bool:
    """Print the books over the span, or the lines of an account in it, and the proof. Returns whether all is sound.

    If the log has a fault, only what comes before it is printed. Raises `UnknownAccount`.
    """
    proof = verify(log.events)
    proven = log.events if proof.fault is None else log.events[: proof.seq]
    sound = proof.fault is None
    if proven:
        book = Book(NamedLog(proven, log.called), span, language, console)
        sound = sound and book.sound
        if account is None:
            _print_books(book)
        else:
            _print_lines(book, account)
    if account is None or not sound:
        _print_proof(proof, language, console)
    if account is None and proven and (known := book.some_account):
        hint = book.said["hint"].format(source=_source_argument(source), account=known)
        console.print(f"\n{hint}", soft_wrap=True)
    return sound


def _print_books(book: Book) -> None:
    _print_game(book)
    if not book.booked:
        book.console.print(book.said["nothing"])
        return
    for table in book.statements():
        book.console.print(table)
    book.console.print(Text(f"\n{book.said['flows']}", "bold"))
    for table in book.flows():
        book.console.print(table)
    book.console.print(book.trial_balance())
    book.console.print(f"  {book.said['zero' if book.sound else 'off']}")


def _print_game(book: Book) -> None:
    first, last, tell = book.events[0], book.events[-1], book.console.print
    tell(Text(f"{book.ruleset.title} · {book.said['game']} {first.game_id}", "bold"))
    for seat, name in enumerate(book.names):
        tell(Text.assemble(f"  seat:{seat}  ", (name or "-", f"bold {seat_colour(seat)}")))
    times = {"first": _time(first.recorded_at), "last": _time(last.recorded_at)}
    status = book.word(book.ruleset.status(book.state))
    tell(f"{book.said['events'].format(count=len(book.events), **times)}, {status}")
    tell(book.said["head"].format(seq=last.seq, hash=last.hash.hex()))
    if book.booked:
        tell(book.said["books"].format(seq=book.booked[-1].seq, turn=book.booked[-1].turn))


def _print_lines(book: Book, account: str) -> None:
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


def _print_proof(proof: Proof, language: Language, console: Console) -> None:
    said = AUDIT[language].said
    console.print(Text(f"\n{said['proof']}", "bold"))
    for claim in claims(proof):
        console.print(claim_line(claim))
    if proof.fault:
        console.print(Text(f"  {printable(proof.fault)}", "red"))
        console.print(f"  {said['cut']}")
    elif not proof.seed_revealed:
        console.print(f"  {said['seed']}")


def _source_argument(source: str) -> str:
    """The source as you would type it. Addresses that may contain a password are not repeated."""
    return "SOURCE" if "@" in source else printable(quote(source))


def _time(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S}"

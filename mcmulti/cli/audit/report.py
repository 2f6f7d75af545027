"""The report of an audit: the game, its books, and the proof."""

from datetime import UTC, datetime
from shlex import quote

from rich.console import Console
from rich.text import Text

from mcmulti.cli.audit.account import print_lines
from mcmulti.cli.audit.book import Book
from mcmulti.cli.audit.tables import flow_tables, statement_tables, trial_balance_table
from mcmulti.client.sources import NamedLog
from mcmulti.domain.core.wording.telling import Language
from mcmulti.projections.books.statements import BookSpan
from mcmulti.projections.labels import AUDIT
from mcmulti.projections.pictures.seats import printable, seat_colour
from mcmulti.projections.proof.proof import Proof, claims, verify


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
            print_lines(book, account)
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
    for table in statement_tables(book):
        book.console.print(table)
    book.heading(book.said["flows"])
    for table in flow_tables(book):
        book.console.print(table)
    book.console.print(trial_balance_table(book))
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


def _print_proof(proof: Proof, language: Language, console: Console) -> None:
    said = AUDIT[language].said
    console.print(Text(f"\n{said['proof']}", "bold"))
    for claim in claims(proof):
        open = proof.fault is None and not claim.holds
        mark = Text("✓", "green") if claim.holds else Text("·") if open else Text("✗", "red")
        console.print(Text.assemble("  ", mark, f" {claim.what}"))
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

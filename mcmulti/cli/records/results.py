"""The results of a finished game, and their proof, all from what the server publishes."""

from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD as LINED
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mcmulti.bots.strategies.own import strategy_name
from mcmulti.cli.proof.verdict import claim_line
from mcmulti.cli.records.book import Book
from mcmulti.client.client import Client
from mcmulti.client.json_object import Json
from mcmulti.client.sources import NamedLog, called_at, fetched
from mcmulti.projections.books.statements import WHOLE
from mcmulti.projections.pictures.seats import printable, seat_colour
from mcmulti.projections.proof.proof import Claim, claims, verify
from mcmulti.projections.reports.games import GameReport, game_report

MOST_UNITS = 4
"""The most units that standings have. If there are more, as with purses of many kinds of pieces, only the
first, money.
"""


async def report(client: Client, game: str, strategies: tuple[str, ...], console: Console) -> bool:
    """Print the standings, who won and why, the trial balance, and the proof. Returns whether all was proven."""
    shown = await client.view(game)
    events = await fetched(client, game)
    book = Book(NamedLog(events, await called_at(client, game, events)), WHOLE, "en", console)
    console.print()
    console.print(_standings(book, shown["view"], strategies))
    _print_why(game_report(events, called=book.called), console)
    console.print(book.trial_balance())
    return _proof(book, shown)


def _standings(book: Book, view: Json, strategies: tuple[str, ...]) -> Table:
    """Everybody's holdings: by rank if the rule set ranks its players, otherwise winners first, then by money."""
    ruleset = book.ruleset
    winners = ruleset.outcome(book.state).winners
    holdings = {holding.seat: holding.amounts for holding in ruleset.books.gauges(book.state).holdings}
    ranks = {standing["seat"]: standing["rank"] for standing in view.get("standings", ())}
    units = list(next(iter(holdings.values()), ()))
    units = units if len(units) <= MOST_UNITS else units[:1]
    table = Table(title="Standings", title_justify="left", title_style="bold", box=LINED, padding=(0, 1))
    table.add_column("rank", justify="right")
    table.add_column("player")
    table.add_column("strategy")
    for unit in units:
        table.add_column(unit.replace("_", " "), justify="right")
    for seat in sorted(
        holdings,
        key=lambda seat: (ranks.get(seat, 0), seat not in winners, -holdings[seat][ruleset.books.money]),
    ):
        table.add_row(
            str(ranks.get(seat, 1 if seat in winners else "")),
            Text.assemble((book.names[seat], f"bold {seat_colour(seat)}"), " ★" if seat in winners else ""),
            Text(strategy_name(strategies[seat])),
            *(str(holdings[seat][unit]) for unit in units),
        )
    return table


def _print_why(found: GameReport, console: Console) -> None:
    """Print who won, by which rule, and what made the difference."""
    console.print(Text("Who won, and why", "bold"))
    rules = " and ".join(entry.rule for section in found.sections[:1] for entry in section.entries)
    for sentence in (f"{found.headline} [{rules}]", *found.summary):
        console.print(Padding(Text(printable(sentence)), (0, 0, 0, 2)))
    console.print()


def _proof(book: Book, shown: Json) -> bool:
    proof, last = verify(book.events), book.events[-1]
    view: Any = msgspec.json.decode(msgspec.json.encode(book.ruleset.view(book.state, None)))
    balance = f"{len(book.balance.accounts)} accounts, zero in sum in every unit"
    head = f"head {last.hash.hex()[:16]}… at event {last.seq:,}"
    checks = (
        *claims(proof),
        Claim(book.sound, balance),
        Claim(view == shown["view"], "the game folded from its events is the one that the server shows"),
        Claim((last.seq, last.hash.hex()) == (shown["seq"], shown["hash"]), head),
    )
    book.console.print(Text("Proof", "bold"))
    for check in checks:
        # The seed is revealed at the end, so what is still open is wrong here.
        book.console.print(claim_line(check._replace(holds=bool(check.holds))))
    if proof.fault:
        book.console.print(Text(f"  {proof.fault}", "red"))
    return all(check.holds for check in checks)

"""The results of a finished game, and their proof, all from what the server publishes."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD as LINED
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from mcmulti.bots.strategies.own import called
from mcmulti.client.client import Client
from mcmulti.client.json_object import Json
from mcmulti.client.sources import called_at, fetched
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.table import presented
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.events.log.envelope import Recorded
from mcmulti.projections.books.ledger import JournalEntry, TrialBalance, balanced, entries
from mcmulti.projections.pictures.seats import names, printable, seat_colour
from mcmulti.projections.proof.proof import claims, verify
from mcmulti.projections.reports.games import GameReport, game_report

MOST_UNITS = 4
"""The most units that standings have. If there are more, as with purses of many kinds of pieces, only the
first, money.
"""


async def report(client: Client, game: str, strategies: tuple[str, ...], console: Console) -> bool:
    """Print the standings, who won and why, the trial balance, and the proof. Returns whether all was proven."""
    shown = await client.view(game)
    events = await fetched(client, game)
    called = await called_at(client, game, events)
    ruleset = opened_with(events[0])
    state = presented(fold(ruleset, events), called)
    console.print()
    console.print(_standings(ruleset, state, shown["view"], strategies))
    _print_why(game_report(events, called=called), console)
    booked = list(entries(events))
    balance = balanced(booked)
    console.print(_balance(balance, _in_order(booked), names(ruleset, state)))
    return _proof(events, state, shown, balance, console)


def _standings(ruleset: Ruleset[Any], state: Any, view: Json, strategies: tuple[str, ...]) -> Table:
    """Everybody's holdings: by rank if the rule set ranks its players, otherwise winners first, then by money."""
    outcome, players = ruleset.outcome(state), names(ruleset, state)
    holdings = {holding.seat: holding.amounts for holding in ruleset.books.gauges(state).holdings}
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
        key=lambda seat: (ranks.get(seat, 0), seat not in outcome.winners, -holdings[seat][ruleset.books.money]),
    ):
        table.add_row(
            str(ranks.get(seat, 1 if seat in outcome.winners else "")),
            f"[bold {seat_colour(seat)}]{players[seat]}[/]{' ★' if seat in outcome.winners else ''}",
            Text(called(strategies[seat])),
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


def _in_order(booked: Iterable[JournalEntry]) -> list[str]:
    """The units of the books in the order in which they first moved."""
    return list(dict.fromkeys(moved.unit for entry in booked for moved in entry.transfers))


def _balance(balance: TrialBalance, units: list[str], players: tuple[str, ...]) -> Table:
    """The accounts, with those of a seat, a market, or a stall combined. The sums at the bottom include all of them."""
    rows: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for account, balances in balance.accounts.items():
        owner, _, rest = account.partition(":")
        if owner == "seat":
            owner = players[int(rest.partition(":")[0])]
        for unit, amount in balances.items():
            rows[owner][unit] += amount
    table = Table(title="Trial balance", title_justify="left", title_style="bold", box=LINED, padding=(0, 0, 0, 1))
    table.add_column("")
    for unit in units:
        table.add_column(unit.replace("_", "\n"), justify="right", no_wrap=True)
    for owner, balances in rows.items():
        table.add_row(owner, *(f"{balances[unit]:,}" if unit in balances else "" for unit in units))
    sums = (f"[{'red' if balance.units[unit] else 'green'}]{balance.units[unit]:,}[/]" for unit in units)
    table.add_section()
    table.add_row("sum", *sums)
    return table


def _proof(events: Sequence[Recorded], state: Any, shown: Json, balance: TrialBalance, console: Console) -> bool:
    proof = verify(events)
    last = events[-1]
    ruleset = opened_with(events[0])
    view = msgspec.json.decode(msgspec.json.encode(ruleset.view(state, None)))
    checks = (
        *claims(proof),
        (not any(balance.units.values()), f"{len(balance.accounts)} accounts, zero in sum in every unit"),
        (view == shown["view"], "the game folded from its events is the one that the server shows"),
        (
            (last.seq, last.hash.hex()) == (shown["seq"], shown["hash"]),
            f"head {last.hash.hex()[:16]}… at event {last.seq:,}",
        ),
    )
    console.print("[b]Proof[/b]")
    for holds, what in checks:
        console.print(f"  [green]✓[/] {what}" if holds else f"  [red]✗[/] {what}", highlight=False)
    if proof.fault:
        console.print(f"  [red]{proof.fault}[/]", highlight=False)
    return all(holds for holds, _ in checks)

"""What a finished game came to, and the proof of it, all from what the server hands out."""

from collections import defaultdict

import msgspec
from rich.box import SIMPLE_HEAD as LINED
from rich.console import Console
from rich.table import Table

from mcmulti.client.client import Client, Json
from mcmulti.client.sources import fetched
from mcmulti.events.codec import fold, opened_with
from mcmulti.events.envelope import Recorded
from mcmulti.projections.ledger import TrialBalance, trial_balance
from mcmulti.projections.proof import claims, verify
from mcmulti.projections.seats import seat_colour

UNITS = ("dollars", "crude", "gasoline", "rig", "well", "station", "refinery")


async def report(client: Client, game: str, strategies: tuple[str, ...], console: Console) -> bool:
    """Print standings, trial balance and proof; whether all was proven."""
    shown = await client.view(game)
    events = await fetched(client, game)
    console.print()
    console.print(_standings(shown["view"], strategies))
    balance = trial_balance(events)
    console.print(_balance(balance, shown["view"]))
    return _proof(events, shown, balance, console)


def _standings(view: Json, strategies: tuple[str, ...]) -> Table:
    table = Table(title="Standings", title_justify="left", title_style="bold", box=LINED, padding=(0, 1))
    for heading in ("rank", "player", "strategy", "cash", "barrels"):
        table.add_column(heading, justify="right" if heading in ("rank", "cash", "barrels") else "left")
    for standing in view["standings"]:
        seat = standing["seat"]
        table.add_row(
            str(standing["rank"]),
            f"[bold {seat_colour(seat)}]{view['seats'][seat]['name']}[/]{' ★' if seat in view['winners'] else ''}",
            strategies[seat],
            str(standing["cash"]),
            str(standing["barrels"]),
        )
    return table


def _balance(balance: TrialBalance, view: Json) -> Table:
    """The accounts, those of a seat and those of the markets taken together; the sums of all below."""
    units = sorted(balance.units, key=UNITS.index)
    rows: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for account, balances in balance.accounts.items():
        owner, _, rest = account.partition(":")
        if owner == "seat":
            owner = view["seats"][int(rest.partition(":")[0])]["name"]
        for unit, amount in balances.items():
            rows[owner][unit] += amount
    table = Table(title="Trial balance", title_justify="left", title_style="bold", box=LINED, padding=(0, 1))
    table.add_column("")
    for unit in units:
        table.add_column(unit, justify="right")
    for owner, balances in rows.items():
        table.add_row(owner, *(f"{balances[unit]:,}" if unit in balances else "" for unit in units))
    sums = (f"[{'red' if balance.units[unit] else 'green'}]{balance.units[unit]:,}[/]" for unit in units)
    table.add_section()
    table.add_row("sum", *sums)
    return table


def _proof(events: list[Recorded], shown: Json, balance: TrialBalance, console: Console) -> bool:
    proof = verify(events)
    last = events[-1]
    ruleset = opened_with(events[0])
    view = msgspec.json.decode(msgspec.json.encode(ruleset.view(fold(ruleset, events), None)))
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

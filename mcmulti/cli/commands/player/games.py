"""List the games of a server: ``games``."""

from typing import TYPE_CHECKING, Any

import click

from mcmulti.cli.running import connected, console, say
from mcmulti.cli.seating import RULESET
from mcmulti.cli.servers import account_at, server_of, server_option, token_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table as Grid
    from rich.text import Text

    from mcmulti.api.telling.tables import TableSeat, TableView


@click.command()
@server_option
@click.option("--status", type=click.Choice(["open", "running", "finished"]), help="Only games with this status.")
@click.option("--ruleset", type=RULESET, help="Only games of this rule set.")
@click.option("--free", is_flag=True, help="Only tables with a free seat whose game has not started.")
@click.option("--left", is_flag=True, help="Only running games with a seat that anyone may take over.")
@click.option("--mine", is_flag=True, help="Only games in which you sit.")
@click.option("--my-turn", is_flag=True, help="Only running games that are waiting for you.")
@click.option("--invited", is_flag=True, help="Only tables to which you were invited by name.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, metavar="N", help="Maximum number of games.")
@click.option("--json", "as_json", is_flag=True, help="Print the API's response.")
def games(server: str | None, left: bool, limit: int, as_json: bool, **wanted: Any) -> None:
    """List the games of a server, most recent move first.

    Filters are combined with AND. Filters about you need a token: "mcmulti register".
    """
    from mcmulti.client.sources import games_in

    address = server_of(server)
    personal = wanted["mine"] or wanted["my_turn"] or wanted["invited"]
    token = account_at(server, address) if personal else token_for(server, address)
    asked = {name: "true" if value is True else value for name, value in wanted.items() if value}
    if left:
        asked["left"] = "substitute"
    with connected(address, token) as client:
        found = client.content("/v1/games", **asked, limit=limit, order="moved")
        if as_json:
            say(found)
            return
        content = games_in(address, found)
    if content.games:
        console().print(_grid(content.games))
    else:
        click.echo("No such game.")
    if content.incomplete:
        click.echo("Part of the server's database is unavailable: the list is incomplete.", err=True)


def _grid(tables: "Sequence[TableView]") -> "Grid":
    from rich import box
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=box.SIMPLE, pad_edge=False)
    for title in ("game", "rule set", "status", "turn", "seats"):
        grid.add_column(title, no_wrap=title != "seats", justify="right" if title == "turn" else "left")
    for table in tables:
        seats = Text(", ").join(_seat_text(table, seat) for seat in table.seats)
        status = f"{table.status}, practice" if table.practice else table.status
        grid.add_row(str(table.game), table.ruleset, status, str(table.turn), seats)
    return grid


def _seat_text(table: "TableView", seat: "TableSeat") -> "Text":
    """The player on a seat, marked if the game waits for them, or if they won."""
    from rich.text import Text

    from mcmulti.projections.pictures.fit import plain

    if seat.name is None and seat.state in ("taken", "companion"):
        return Text(f"seat {seat.seat + 1}")
    if seat.name is None:
        return Text(seat.state, style="dim")
    won = table.outcome is not None and seat.seat in table.outcome.winners
    mark = " ✓" if won else " ·" if table.status == "running" and seat.seat in table.to_move else ""
    return Text(plain(seat.name) + mark, style="bold" if mark else "")

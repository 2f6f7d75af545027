"""Your tokens on a server: ``tokens``."""

from typing import TYPE_CHECKING, Any

import click

from mcmulti.cli.running import connected
from mcmulti.cli.servers import account_at, server_of, server_option

if TYPE_CHECKING:
    from mcmulti.client.client import HeldToken


@click.command()
@server_option
@click.option("--revoke-others", is_flag=True, help="Revoke all other tokens first.")
def tokens(server: str | None, revoke_others: bool) -> None:
    """List your tokens on a server, and your pending actions.

    --revoke-others keeps the token that is used here, the tokens it comes from, and tokens that allow more or last
    longer.
    """
    address = server_of(server)
    with connected(address, account_at(server, address)) as client:
        held = client.revoke_other_tokens() if revoke_others else client.tokens()
        pending = client.me().get("pending")
    for token in held:
        click.echo(_token_line(token))
    if pending is not None:
        click.echo(f"Announced: {_plain_text(pending['action'])}, possible from {_plain_text(pending['due'])} on.")
        click.echo("If this was not you, cancel it on the account page, and revoke tokens you do not recognize.")


def _token_line(token: "HeldToken") -> str:
    until = f", until {_plain_text(token.expires)}" if token.expires else ""
    return f"{_plain_text(token.name)}: {', '.join(map(_plain_text, token.scopes))}{until}"


def _plain_text(text: Any) -> str:
    """Text from a server, without terminal control sequences."""
    from mcmulti.projections.pictures.fit import plain

    return plain(str(text))

"""Games for language models: ``mcp``."""

import click

from mcmulti.cli.running import run
from mcmulti.cli.servers import account_at, server_of, server_option


@click.command()
@server_option
def mcp(server: str | None) -> None:
    """Let a language model play on a server, with the Model Context Protocol over standard input and output.

    It plays with the account that you registered last on that server: "mcmulti register --bot NAME". This command needs
    "mcmulti[mcp]".
    """
    address = server_of(server)
    token = account_at(server, address)
    try:
        from mcmulti.cli.play.guest import Guest, serving
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("mcp"):
            raise
        raise click.ClickException('This command needs more packages: pip install "mcmulti[mcp]"') from error

    async def serve() -> None:
        from mcmulti.client.client import Client

        async with Client(address, token=token, patience=5.0) as client:
            await client.me()
            await serving(Guest(client)).run_stdio_async()

    run(serve())

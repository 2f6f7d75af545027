"""Accounts on a server: ``register``, ``login``, ``logout``."""

import sys

import click
from msgspec.structs import replace

from mcmulti.cli.running import connected
from mcmulti.cli.servers import KeptAccount, keep, kept, place, server_of, server_option


@click.command()
@click.argument("name")
@server_option
@click.option(
    "--bot", is_flag=True, help="Register as a bot: a program plays under this name, and others can see that."
)
def register(name: str, server: str | None, bot: bool) -> None:
    """Register as NAME on a server, and use this account from now on.

    The token is written to a file that only you can read. Anyone who has the token can play in your name. The server
    keeps only its hash, so a lost token cannot be recovered.
    """
    address, accounts = server_of(server), kept()
    if address in accounts.accounts:
        known = accounts.accounts[address].name
        raise click.ClickException(
            f'You are {known} at {address} already. To switch, keep a copy of the token and run "mcmulti logout".'
        )
    with connected(address) as client:
        told = client.register(name, "bot" if bot else "human")
    _save_account(address, told["name"], told["token"])


@click.command()
@server_option
def login(server: str | None) -> None:
    """Use an existing token on a server from now on, for example one from a browser.

    You are asked for the token, or it is read from standard input.
    """
    address = server_of(server)
    at_a_terminal = sys.stdin.isatty()
    token = (click.prompt("Token", hide_input=True, err=True) if at_a_terminal else sys.stdin.readline()).strip()
    with connected(address, token) as client:
        me = client.me()
    _save_account(address, me["name"], token)


@click.command()
@server_option
def logout(server: str | None) -> None:
    """Forget the token for a server. It stays valid. If somebody else may have it, revoke it over the API."""
    address, accounts = server_of(server), kept()
    if address not in accounts.accounts:
        raise click.ClickException(f"No token for {address}.")
    rest = {there: account for there, account in accounts.accounts.items() if there != address}
    keep(replace(accounts, accounts=rest))
    click.echo(f"Forgot the token for {address}.")


def _save_account(address: str, name: str, token: str) -> None:
    accounts = kept()
    known = {**accounts.accounts, address: KeptAccount(name, token)}
    keep(replace(accounts, server=address, accounts=known))
    click.echo(f"You are {name} at {address}. The token is in {place()}.")

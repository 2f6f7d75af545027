"""Your accounts: a file with the default server, and a token for each server."""

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import click
import msgspec
from msgspec import Struct

from mcmulti.client.private_file import NotReadable, read_private, write_private

HERE = "http://127.0.0.1:8000"
"""The default address of a server on this machine."""

_GAME = re.compile(r"(https?://[^/?#]+)(?:/v1)?/games/([0-9a-fA-F-]{36})(?:[/?#].*)?")


class KeptAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """An account on a server."""

    name: str
    token: str


class KeptAccounts(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of the file. `server`: the default one. `accounts`: by address of the server."""

    server: str = HERE
    accounts: dict[str, KeptAccount] = {}


class GameAddress(NamedTuple):
    """A game on a server, and the token to use there; None for a spectator."""

    server: str
    game: UUID
    token: str | None


def _registered(context: click.Context, option: click.Parameter, begun: str) -> list[str]:
    """The servers with an account, for completion."""
    with suppress(click.ClickException):
        return [address for address in kept().accounts if address.startswith(begun)]
    return []


server_option = click.option(
    "--server",
    shell_complete=_registered,
    envvar="MCMULTI_SERVER",
    metavar="URL",
    help="Address of the server.  [default: the one you registered with last, or http://127.0.0.1:8000]",
)


def place() -> Path:
    """The path of the file."""
    return Path(click.get_app_dir("mcmulti")) / "accounts.json"


def kept() -> KeptAccounts:
    """Read the file; empty if there is none. Raises `ClickException` if others can read it, or you cannot."""
    path = place()
    try:
        content = read_private(path)
        return KeptAccounts() if content is None else msgspec.json.decode(content, type=KeptAccounts)
    except NotReadable as error:
        raise click.ClickException(str(error)) from error
    except ValueError as error:
        raise click.ClickException(f"{path} cannot be read: {error}.") from error


def keep(accounts: KeptAccounts) -> None:
    """Replace the file, readable only by its owner."""
    write_private(place(), msgspec.json.format(msgspec.json.encode(accounts), indent=2) + b"\n")


def server_of(server: str | None) -> str:
    """The given server, or the one registered with last."""
    return (server or kept().server).rstrip("/")


def token_for(server: str | None, address: str) -> str | None:
    """The token for the server at `address`. MCMULTI_TOKEN applies only to the default server."""
    given = os.environ.get("MCMULTI_TOKEN")
    if given and address == server_of(server):
        return given
    account = kept().accounts.get(address)
    return None if account is None else account.token


def account_at(server: str | None, address: str) -> str:
    """Like `token_for`, but raises `ClickException` if there is no token."""
    token = token_for(server, address)
    if token is None:
        raise click.ClickException(f'You have no account at {address} yet. Run "mcmulti register NAME".')
    return token


def table_of(server: str | None, game: str) -> GameAddress:
    """The game with this id on the server, or at this address of the API or of a page in a browser."""
    if address := _GAME.fullmatch(game):
        server_there, id_ = address[1], address[2]
    else:
        server_there, id_ = server_of(server), game
    try:
        return GameAddress(server_there, UUID(id_), token_for(server, server_there))
    except ValueError:
        raise click.BadParameter(f"{game!r} is neither a game id nor the address of a game.") from None

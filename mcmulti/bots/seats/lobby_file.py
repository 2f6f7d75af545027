"""The identity and the games of a lobby bot, kept in a file, so that it can resume after any interruption."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from mcmulti.client.private_file import NotReadable, read_private, write_private


class BadLobbyFile(Exception):
    """The file cannot be used. The message says why."""


class LobbyPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """The player, its server, and its `games`: their rule sets, by id.

    A game is listed from before the seat is requested until it is over or the seat is lost.
    """

    server: str
    player: str
    name: str
    token: str
    games: dict[str, str] = {}
    format: Literal[1] = 1


def read_lobby_player(path: Path) -> LobbyPlayer | None:
    """The contents of the file; None if there is none. Raises `BadLobbyFile`."""
    try:
        content = read_private(path)
        return None if content is None else msgspec.json.decode(content, type=LobbyPlayer)
    except NotReadable as error:
        raise BadLobbyFile(str(error)) from error
    except (ValueError, RecursionError) as error:
        raise BadLobbyFile(f"{path} is not a bot file: {error}.") from error


def write_lobby_player(path: Path, player: LobbyPlayer) -> None:
    """Write the file, readable only by its owner. Raises `BadLobbyFile`."""
    try:
        write_private(path, msgspec.json.format(msgspec.json.encode(player), indent=2) + b"\n")
    except OSError as error:
        raise BadLobbyFile(f"{path} cannot be written: {error.strerror}.") from error


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Lock the file against other processes while the block runs. Raises `BadLobbyFile` if it is locked."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise BadLobbyFile(f"{path} cannot be written: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise BadLobbyFile(f"Another bot is using {path}. Give this one its own file with --keep.") from None
    finally:
        os.close(lock)

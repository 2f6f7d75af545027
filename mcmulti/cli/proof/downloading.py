"""Finished games of a server, as files in a folder."""

from contextlib import aclosing
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import msgspec
from msgspec import Struct

from mcmulti.cli.proof.exporting import SUFFIXES, write
from mcmulti.client.client import Client
from mcmulti.client.downloads import finished_games
from mcmulti.client.sources import SourceError

PLACE = "download.json"
_OFTEN = 20
"""The number of games after which the place is kept: after a kill, as many are downloaded again."""


class Selection(Struct, frozen=True):
    """What is downloaded: the games of a server, filtered like `downloadGames`."""

    server: str
    ruleset: str | None = None
    since: str | None = None
    until: str | None = None


class DownloadPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """How far the download in a folder is: it continues after `next`."""

    wanted: Selection
    next: str | None = None


class Downloaded(NamedTuple):
    """How many `games` were downloaded, and which ones are `damaged` on the server."""

    games: int
    damaged: tuple[UUID, ...]


async def download_all(wanted: Selection, token: str | None, folder: Path) -> Downloaded:
    """Download all games that the folder does not contain yet, each completely or not at all.

    Raises `SourceError` if the folder belongs to another download, or cannot be written to; and like the client.
    """
    place = _download_place(folder, wanted)
    games, damaged = 0, list[UUID]()
    filters = {name: value for name in ("ruleset", "since", "until") if (value := getattr(wanted, name)) is not None}
    try:
        folder.mkdir(parents=True, exist_ok=True)  # noqa: ASYNC240 - nothing else goes on
        async with Client(wanted.server, token=token) as client:
            try:
                async with aclosing(finished_games(client, place.next, **filters)) as found:
                    async for game, file, next_ in found:
                        if file is None:
                            damaged.append(game)
                        else:
                            write(folder / f"{game}{SUFFIXES['game']}", [file], force=True)
                            games += 1
                        place = DownloadPlace(wanted, next_)
                        if (games + len(damaged)) % _OFTEN == 0:
                            _keep(folder, place)
            finally:
                _keep(folder, place)
    except OSError as error:
        raise SourceError(f"Cannot write to {folder}: {error.strerror}.") from error
    return Downloaded(games, tuple(damaged))


def _download_place(folder: Path, wanted: Selection) -> DownloadPlace:
    file = folder / PLACE
    try:
        place = msgspec.json.decode(file.read_bytes(), type=DownloadPlace)
    except FileNotFoundError:
        return DownloadPlace(wanted)
    except OSError as error:
        raise SourceError(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{file} cannot be read: {error}.") from error
    if place.wanted != wanted:
        raise SourceError(f"{folder} belongs to another download. Choose another --folder, or see {file}.")
    return place


def _keep(folder: Path, place: DownloadPlace) -> None:
    write(folder / PLACE, [msgspec.json.format(msgspec.json.encode(place), indent=2), b"\n"], force=True)

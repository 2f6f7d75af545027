"""A folder with all games of an arena: what is played stands in `arena.json`, each game in a file of its own.

A game is in its place when it is over, and not before: who goes on with a folder plays what is missing, and what was
played counts once.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from mcmulti.arena.play import ArenaGame, result_in
from mcmulti.arena.schedule import ArenaPlan, Pairing
from mcmulti.events.store.game_file import GameRecord, NotAGameFile, lines, read

PLAN = "arena.json"
GAMES = "games"


class BadFolder(Exception):
    """A folder is not that of this arena, or what it holds is damaged; the text says what."""


def path_of(folder: Path, pairing: Pairing) -> Path:
    """Where a game is kept."""
    return folder / GAMES / f"{pairing.number:06}.mcmulti.jsonl"


def keep_plan(folder: Path, plan: ArenaPlan) -> None:
    """Make a folder that of this arena. Raises `BadFolder` if it is that of another one, and `OSError`."""
    path = folder / PLAN
    if path.exists():
        if read_plan(folder) != plan:
            raise BadFolder(f"{folder} has games of another arena: other strategies, another setup, or another seed.")
        return
    if not is_empty(folder):
        raise BadFolder(f"{folder} is not an arena folder.")
    (folder / GAMES).mkdir(parents=True, exist_ok=True)
    write_whole(path, msgspec.json.format(msgspec.json.encode(plan), indent=1) + b"\n")


def is_empty(folder: Path) -> bool:
    """Whether there is nothing in a folder but what is hidden, or no folder."""
    return not folder.exists() or all(path.name[0] == "." for path in folder.iterdir())


def read_plan(folder: Path) -> ArenaPlan:
    """What is played in the arena of a folder; raises `BadFolder`."""
    try:
        return msgspec.json.decode((folder / PLAN).read_bytes(), type=ArenaPlan)
    except OSError as error:
        raise BadFolder(f"{folder / PLAN} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise BadFolder(f"{folder / PLAN} is not an arena plan: {error}.") from None


def keep_game(folder: Path, pairing: Pairing, record: GameRecord) -> None:
    """Keep a game that is over."""
    (folder / GAMES).mkdir(parents=True, exist_ok=True)
    write_whole(path_of(folder, pairing), b"".join(lines(record)))


def kept(folder: Path, plan: ArenaPlan, wanted: Sequence[Pairing]) -> list[ArenaGame]:
    """How those of the games ended that are in the folder; raises `BadFolder` if one of them is damaged."""
    found = []
    for pairing in wanted:
        path = path_of(folder, pairing)
        if path.exists():
            found.append(result_in(plan, pairing, read_game(path)))
    return found


def read_game(path: Path) -> GameRecord:
    """The game in a file; raises `BadFolder`."""
    try:
        with path.open("rb") as file:
            return read(file)
    except OSError as error:
        raise BadFolder(f"{path} cannot be read: {error.strerror}.") from None
    except NotAGameFile as error:
        raise BadFolder(f"{path} is not a game file: {error}.") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is whole as soon as it is there."""
    begun = path.with_name(f".{path.name}.{os.getpid()}")
    begun.write_bytes(content)
    begun.replace(path)

"""A folder with all games of an arena: the plan is `arena.json`, and each game has its own file.

A game is there when it is over, and not before: to resume a folder, play what is missing. What was played counts once.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from mcmulti.arena.play import ArenaGame, result_in
from mcmulti.arena.schedule import ArenaPlan, Pairing
from mcmulti.events.store.game_file import GameRecord, lines, read

PLAN = "arena.json"
GAMES = "games"


class BadFolder(Exception):
    """A folder is not that of this arena, or its contents are damaged. The message says what."""


def path_of(folder: Path, pairing: Pairing) -> Path:
    """The path of a game."""
    return folder / GAMES / f"{pairing.number:06}.mcmulti.jsonl"


def keep_plan(folder: Path, plan: ArenaPlan) -> None:
    """Make a folder that of this arena. Raises `BadFolder` if it belongs to another one, and `OSError`."""
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
    """Whether a folder is missing, or contains only hidden files."""
    return not folder.exists() or all(path.name[0] == "." for path in folder.iterdir())


def read_plan(folder: Path) -> ArenaPlan:
    """The plan of an arena's folder. Raises `BadFolder`."""
    with reading(folder / PLAN, "an arena plan"):
        return msgspec.json.decode((folder / PLAN).read_bytes(), type=ArenaPlan)


@contextmanager
def reading(path: Path, what: str) -> Iterator[None]:
    """Raises `BadFolder` if a file cannot be read in the block, or is not what it must be."""
    try:
        yield
    except OSError as error:
        raise BadFolder(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise BadFolder(f"{path} is not {what}: {error}.") from None


def keep_game(folder: Path, pairing: Pairing, record: GameRecord) -> None:
    """Store a finished game."""
    (folder / GAMES).mkdir(parents=True, exist_ok=True)
    write_whole(path_of(folder, pairing), b"".join(lines(record)))


def kept(folder: Path, plan: ArenaPlan, wanted: Sequence[Pairing]) -> list[ArenaGame]:
    """The results of the games that are in the folder. Raises `BadFolder` if one of them is damaged."""
    return [
        result_kept(plan, pairing, read_game(path), path)
        for pairing in wanted
        if (path := path_of(folder, pairing)).exists()
    ]


def result_kept(plan: ArenaPlan, pairing: Pairing, record: GameRecord, path: Path) -> ArenaGame:
    """The result of the game in a file. Raises `BadFolder` if it is not this game of the arena, or is not over."""
    try:
        return result_in(plan, pairing, record)
    except ValueError as error:
        raise BadFolder(f"{path}: {error}.") from None


def read_game(path: Path) -> GameRecord:
    """The game in a file. Raises `BadFolder`."""
    with reading(path, "a game file"), path.open("rb") as file:
        return read(file)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    begun = path.with_name(f".{path.name}.{os.getpid()}")
    begun.write_bytes(content)
    begun.replace(path)

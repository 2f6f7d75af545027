"""A drill: restore a backup into a temporary database, check the result, and compare it with its source."""

import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from mcmulti.cli.doctor.examination import examine
from mcmulti.cli.doctor.observation import DoctorWords, Observation, contents_of
from mcmulti.cli.running import address_of, counted
from mcmulti.events.embedded.manifest import BackupError, examined
from mcmulti.events.embedded.restoring import restore
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.log import Log
from mcmulti.events.store.history import holds
from mcmulti.server.database import connected, embedded

PAGE = 1000
"""Games listed at a time."""
NAMED = 10
"""The most differing games that are named."""

_GAMES = "restored"


class BackupDifference(NamedTuple):
    """Games and events that only the source has, and games that the source lacks or that differ there."""

    games: int
    events: int
    other: tuple[UUID, ...]


async def drilled(
    place: Path, source: Path | str | None, scratch: Path, digest: str | None, tell: Callable[[str], object]
) -> bool:
    """Test a backup in the folder `scratch`. Returns whether nothing is wrong.

    `source`: what was backed up, if it exists. `tell` receives each line of the report. Raises `BackupError` and
    `ServerError`.
    """
    manifest = await examined(place, digest)
    tell(f"{place} holds {contents_of(manifest)}.")
    sound = True
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(_scratch(scratch))
        restored = await stack.enter_async_context(embedded(folder))
        began = time.monotonic()
        found = await restore(place, restored)
        tell(f"Restored in {time.monotonic() - began:.1f} s. {found.hashed.sentence}")
        async for observation in examine(restored, DoctorWords("en")):
            sound = sound and observation.sound is not False
            tell(observation.line)
        if source is not None:
            address = await stack.enter_async_context(address_of(source))
            async with connected(address, 1) as there, connected(restored, 1) as here:
                difference = await compared(here, there)
            sound = sound and not difference.other
            for observation in _observations(difference):
                tell(observation.line)
    tell("The backup is good." if sound else "Something is wrong with the backup or with its origin.")
    return sound


async def compared(backup: Log, source: Log) -> BackupDifference:
    """How the games of a backup and of its source differ. Both may change meanwhile."""
    kept, games, events, other = await _heads(backup), 0, 0, []
    now = await _heads(source)
    for game_id, head in now.items():
        if game_id not in kept:
            games, events = games + 1, events + head.seq
    for game_id, head in kept.items():
        if game_id not in now or not await holds(source, game_id, head):
            other.append(game_id)
        else:
            events += now[game_id].seq - head.seq
    return BackupDifference(games, events, tuple(other))


async def _heads(log: Log) -> dict[UUID, Head]:
    found, before = dict[UUID, Head](), None
    while page := await log.games(PAGE, before):
        found |= {game.game_id: game.head for game in page}
        before = page[-1].mark()
    return found


def _observations(difference: BackupDifference) -> list[Observation]:
    lost = f"{counted(difference.events, 'event')} ({counted(difference.games, 'game')} opened since)"
    found = [Observation(None, f"restoring now would lose {lost}")]
    if difference.other:
        named = ", ".join(map(str, difference.other[:NAMED]))
        what = (
            f"the database lost events that the backup has in {counted(len(difference.other), 'game')}, or "
            "has different ones"
        )
        found.append(Observation(False, f"{what}: {named}"))
    else:
        found.append(Observation(True, "the database has every game of the backup, unchanged or continued"))
    return found


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """A folder for a PostgreSQL, deleted at the end. First deletes what a killed drill left in it."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise BackupError(f"Cannot use the folder {folder}: {error.strerror}.") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if set(os.listdir(folder)) - {_GAMES}:
            raise BackupError(f"{folder} has other files in it. Choose another folder with --scratch.")
        shutil.rmtree(folder / _GAMES, ignore_errors=True)
        try:
            yield folder / _GAMES
        finally:
            shutil.rmtree(folder / _GAMES, ignore_errors=True)
            folder.rmdir()
    except BlockingIOError:
        raise BackupError(f"Another drill uses {folder}.") from None
    finally:
        os.close(lock)

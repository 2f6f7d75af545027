"""A folder that an older PostgreSQL made, `mcmulti upgrade` on it, and what the folder must hold afterward."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from mcmulti.events.embedded.server import EmbeddedPostgres, major
from mcmulti.events.ports.accounts import Holder
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.migrate import OLDEST
from tests.cli.command import running
from tests.events.old_folder import ADA, GAMES, TOKEN, TOKEN_HASH
from tests.needs import found


class Ended(NamedTuple):
    code: int
    printed: list[str]
    said: str


def old_programs() -> Path:
    """Programs of a PostgreSQL older than ours, for tests that need `postgres`."""
    oldest = Path(f"/usr/lib/postgresql/{OLDEST}/bin")
    place = oldest if oldest.is_dir() else Path(found("postgres")).parent
    if int(place.parent.name) >= major():
        pytest.skip(f"PostgreSQL {OLDEST}, an older one than ours: there is {place.parent.name} here")
    return place


@contextmanager
def open_place() -> Iterator[Path]:
    """A folder that every account may enter: programs this old cannot find the way back to another one."""
    with tempfile.TemporaryDirectory(prefix="mcmulti-upgrade-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def told(*arguments: str, temporary: Path) -> Ended:
    with running(*arguments, temporary=temporary) as command:
        code = command.code()
        assert "Traceback" not in command.said
        return Ended(code, command.printed.splitlines(), command.said)


def upgraded(folder: Path, *options: str, temporary: Path) -> Ended:
    return told("upgrade", "--folder", str(folder), *options, temporary=temporary)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.suffix not in (".lock", ".log"))


def version(pgdata: Path) -> int:
    return int((pgdata / "PG_VERSION").read_text())


def touched(folder: Path) -> dict[Path, int]:
    """When each file there was last changed."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


async def holds_all(folder: Path) -> None:
    """The folder holds the same data as the old one, on our PostgreSQL."""
    assert version(folder / "pgdata") == major()
    with EmbeddedPostgres(folder) as postgres:
        async with PostgresLog.open(postgres.url(), pool_size=1) as log:
            assert len(await log.games(10)) == len(GAMES)
            for events in GAMES:
                assert await log.read(events[0].game_id) == events
                assert await log.secret(events[0].game_id) == bytes(32)
            assert await log.holder(TOKEN_HASH) == Holder(ADA, TOKEN)
            assert (await log.signer(bytes(32))).seed == b"k" * 32

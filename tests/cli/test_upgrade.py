"""`mcmulti upgrade`: a folder that an older PostgreSQL made, and what may go wrong on the way."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest

from mcmulti.events import embedded_upgrade
from mcmulti.events.embedded import EmbeddedError, EmbeddedPostgres, major
from mcmulti.events.embedded_upgrade import upgrade
from mcmulti.events.migrate import OLDEST
from mcmulti.events.postgres import PostgresLog
from tests.api.owner import DAMAGES
from tests.cli.command import running
from tests.docs.transcript import as_printed, commands, run
from tests.events.old_folder import ADA, GAMES, TOKEN, TOKEN_HASH, old_folder
from tests.events.running import running_in, until
from tests.needs import found

pytestmark = pytest.mark.needs("postgres")


class Ended(NamedTuple):
    code: int
    printed: list[str]
    said: str


@pytest.fixture(scope="module")
def programs() -> Path:
    """Of an older version than ours."""
    oldest = Path(f"/usr/lib/postgresql/{OLDEST}/bin")
    place = oldest if oldest.is_dir() else Path(found("postgres")).parent
    if int(place.parent.name) >= major():
        pytest.skip(f"PostgreSQL {OLDEST}, an older one than ours: there is {place.parent.name} here")
    return place


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that every account may enter: programs as old as these could not find the way back to another one."""
    with tempfile.TemporaryDirectory(prefix="mcmulti-upgrade-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
async def kept(programs: Path, place: Path) -> Path:
    """What every test gets a copy of."""
    await old_folder(place / "kept", programs)
    return place / "kept"


@pytest.fixture
def folder(kept: Path, place: Path) -> Iterator[Path]:
    """A folder with two games that an older PostgreSQL made; no process may be left in it afterwards."""
    folder = place / "games of old"
    subprocess.run(["cp", "-a", kept, folder], check=True)
    yield folder
    until(lambda: not running_in(folder), 30)
    shutil.rmtree(folder)


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
    """When everything there was changed for the last time."""
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


async def holds_all(folder: Path) -> None:
    """The folder holds what the old one held, on our PostgreSQL."""
    assert version(folder / "pgdata") == major()
    with EmbeddedPostgres(folder) as postgres:
        async with PostgresLog.open(postgres.url(), pool_size=1) as log:
            assert len(await log.games(10)) == len(GAMES)
            for events in GAMES:
                assert await log.read(events[0].game_id) == events
                assert await log.secret(events[0].game_id) == bytes(32)
            assert await log.holder(TOKEN_HASH) == (ADA, TOKEN)
            assert await log.signing_key(bytes(32)) == b"k" * 32


async def test_a_folder_is_taken_over_and_the_old_data_are_kept(folder: Path, tmp_path: Path) -> None:
    first = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
    assert (first.code, first.said) == (0, "")
    events = sum(map(len, GAMES))
    assert first.printed[0].startswith(f"From PostgreSQL {OLDEST} (/")
    assert f"The {events:,} events of {len(GAMES)} games hang together." in first.printed
    assert first.printed[-1] == (
        f"{folder} is on PostgreSQL {major()}. The old data are kept in {folder}/pgdata.{OLDEST}."
    )
    assert names(folder) == ["pgdata", f"pgdata.{OLDEST}"]
    assert version(folder / f"pgdata.{OLDEST}") == OLDEST
    await holds_all(folder)
    again = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
    assert again == (0, [f"Nothing to do: {folder} is on PostgreSQL {major()}, as this installation is."], "")
    removed = await asyncio.to_thread(upgraded, folder, "--remove-old", temporary=tmp_path)
    assert removed == (0, [f"Removed {folder}/pgdata.{OLDEST}."], "")
    assert names(folder) == ["pgdata"]
    await holds_all(folder)


@pytest.mark.parametrize("command", ["serve", "doctor", "export", "verify", "bench", "demo"])
async def test_every_command_refuses_it_until_then_and_touches_nothing(
    command: str, folder: Path, tmp_path: Path
) -> None:
    arguments = [str(folder)] if command in ("export", "verify") else ["--folder", str(folder)]
    before = touched(folder)
    ended = await asyncio.to_thread(told, command, *arguments, temporary=tmp_path)
    assert ended.code == 1
    assert ended.said.splitlines()[-1] == (
        f"Error: {folder} holds data of PostgreSQL {OLDEST}, and this installation has PostgreSQL {major()}: "
        f"run mcmulti upgrade --folder '{folder}' first."
    )
    assert touched(folder) == before


@pytest.mark.parametrize("line", range(0, 7, 2))
async def test_killed_at_any_step_it_goes_on_from_there(line: int, folder: Path, tmp_path: Path) -> None:
    def killed() -> None:
        with running("upgrade", "--folder", str(folder), temporary=tmp_path) as command:
            until(lambda: len(command.printed.splitlines()) > line, 60)
            command.interrupt(signal.SIGKILL)

    await asyncio.to_thread(killed)
    again = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
    assert (again.code, again.said) == (0, "")
    assert names(folder) == ["pgdata", f"pgdata.{OLDEST}"]
    await holds_all(folder)


async def test_between_the_renames_nobody_can_begin_anew(folder: Path, tmp_path: Path) -> None:
    """As if it had been killed after each of the two."""
    assert (await asyncio.to_thread(upgraded, folder, temporary=tmp_path)).code == 0
    (folder / "upgrade" / "done").mkdir(parents=True)
    (folder / "pgdata").rename(folder / "upgrade" / "done" / "pgdata")
    ended = await asyncio.to_thread(told, "serve", "--folder", str(folder), temporary=tmp_path)
    assert ended.code == 1
    assert f"An upgrade of {folder} was interrupted: run mcmulti upgrade" in ended.said
    assert not (folder / "pgdata").exists()
    again = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
    assert (again.code, names(folder)) == (0, ["pgdata", f"pgdata.{OLDEST}"])
    (folder / "upgrade" / "done").mkdir(parents=True)
    again = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
    assert (again.code, names(folder)) == (0, ["pgdata", f"pgdata.{OLDEST}"])
    await holds_all(folder)


async def test_a_lost_copy_is_told_and_nothing_is_made_up(folder: Path, tmp_path: Path) -> None:
    (folder / "pgdata").rename(folder / f"pgdata.{OLDEST}")
    ended = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
    assert ended.code == 1
    assert f"give {folder}/pgdata.{OLDEST} its name pgdata again" in ended.said
    assert names(folder) == [f"pgdata.{OLDEST}"]
    kept = await asyncio.to_thread(upgraded, folder, "--remove-old", temporary=tmp_path)
    assert (kept.code, names(folder)) == (1, [f"pgdata.{OLDEST}"])


async def test_it_is_refused_while_a_server_is_at_work_there(folder: Path, programs: Path, tmp_path: Path) -> None:
    with EmbeddedPostgres(folder, programs):
        ended = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
    assert (ended.code, ended.printed) == (1, [])
    assert ended.said == f"Error: {folder} is in use: stop every server and every command that uses it first.\n"
    assert names(folder) == ["pgdata"]


async def test_a_server_of_the_old_installation_that_was_killed_is_recovered(folder: Path, programs: Path) -> None:
    with EmbeddedPostgres(folder, programs) as postgres:
        with psycopg.connect(postgres.url()) as owner:
            owner.execute("DELETE FROM snapshot")
        number = int((folder / "pgdata" / "postmaster.pid").read_text().split()[0])
        (watchdog,) = [pid for pid, name in running_in(folder).items() if not name.startswith("postgres")]
        for process in (watchdog, number):
            os.kill(process, signal.SIGKILL)
    await asyncio.to_thread(upgrade, folder, programs, lambda _: None)
    await holds_all(folder)


def test_without_room_nothing_is_begun(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(folder)._replace(free=50 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(EmbeddedError, match=r"\d+ MiB of data, 50 MiB free on the disk, and \d+ MiB are needed"):
        upgrade(folder, None, lambda _: None)
    assert names(folder) == ["pgdata"]


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("event", "DELETE FROM event WHERE seq = 9"),
        ("game", "UPDATE game SET head_seq = 1"),
        ("receipt", "DROP TABLE receipt"),
    ],
)
async def test_a_copy_that_differs_is_thrown_away(
    table: str, change: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = embedded_upgrade._restore

    def damaged(old: str, new: str) -> None:
        copied(old, new)
        with psycopg.connect(new) as owner:
            owner.execute(change.encode())

    monkeypatch.setattr(embedded_upgrade, "_restore", damaged)
    with pytest.raises(EmbeddedError, match=f"The copy is not what was copied: {change.rsplit(maxsplit=1)[-1][0:0]}"):
        await asyncio.to_thread(upgrade, folder, None, lambda _: None)
    assert names(folder) == ["pgdata"]
    assert version(folder / "pgdata") == OLDEST


async def test_games_that_were_damaged_before_are_told_and_kept_as_they_are(folder: Path, programs: Path) -> None:
    with EmbeddedPostgres(folder, programs) as postgres, psycopg.connect(postgres.url()) as owner:
        owner.execute(next(iter(DAMAGES.values())), {"game": GAMES[0][0].game_id})
    said: list[str] = []
    assert await asyncio.to_thread(upgrade, folder, None, said.append)
    assert f"The {len(GAMES[1]):,} events of 1 games hang together. 1 games are damaged" in said[-2]


async def test_what_is_not_copied_is_told(folder: Path, programs: Path) -> None:
    with EmbeddedPostgres(folder, programs) as postgres, psycopg.connect(postgres.url(), autocommit=True) as owner:
        owner.execute("CREATE DATABASE figures")
        owner.execute("CREATE ROLE reader")
        owner.execute("GRANT SELECT ON event TO reader")
        owner.execute("ALTER SYSTEM SET max_connections = 50")
    said: list[str] = []
    assert await asyncio.to_thread(upgrade, folder, None, said.append)
    assert [line for line in said if line.startswith("Not copied")] == [
        "Not copied are other databases: figures.",
        "Not copied are other roles: reader.",
        "Not copied are other settings: max_connections = 50.",
    ]


def test_data_of_a_newer_postgresql_are_refused(folder: Path) -> None:
    (folder / "pgdata" / "PG_VERSION").write_text("99\n")
    for begin in (EmbeddedPostgres(folder).start, lambda: upgrade(folder, None, lambda _: None)):
        with pytest.raises(EmbeddedError, match=f"PostgreSQL 99, and .* has PostgreSQL {major()}, which is older"):
            begin()
    assert names(folder) == ["pgdata"]


def test_programs_of_another_version_are_refused(folder: Path, programs: Path, tmp_path: Path) -> None:
    (folder / "pgdata" / "PG_VERSION").write_text("14\n")
    with pytest.raises(EmbeddedError, match=f"has postgres .PostgreSQL. {OLDEST}.* and the data are of PostgreSQL 14"):
        upgrade(folder, programs, lambda _: None)
    with pytest.raises(EmbeddedError, match="The programs of PostgreSQL 14 are not here"):
        upgrade(folder, None, lambda _: None)
    with pytest.raises(EmbeddedError, match=f"{tmp_path} has no program postgres"):
        upgrade(folder, tmp_path, lambda _: None)
    (folder / "pgdata" / "PG_VERSION").write_text(f"{OLDEST}\n")
    assert names(folder) == ["pgdata"]


def test_data_of_an_earlier_upgrade_are_not_written_over(folder: Path) -> None:
    (folder / f"pgdata.{OLDEST}").mkdir()
    with pytest.raises(EmbeddedError, match="The data of an earlier upgrade are in the way"):
        upgrade(folder, None, lambda _: None)


def test_a_folder_without_games(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedError, match="There are no games in"):
        upgrade(tmp_path, None, lambda _: None)


async def test_the_guide_shows_it_as_printed(folder: Path, tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "operations.md").read_text("utf-8")
    (section,) = re.findall(r"^## A newer PostgreSQL.*?(?=^## )", guide, re.DOTALL | re.MULTILINE)
    (command,) = commands(section)
    environment = {
        **os.environ,
        "OLD_FOLDER": str(folder),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    (printed,) = await asyncio.to_thread(run, [command], tmp_path, environment)
    assert as_printed(command.prints, printed), printed

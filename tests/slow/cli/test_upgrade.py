"""`mcmulti upgrade` on real data of an older PostgreSQL: killed, damaged, interrupted, and as the guide shows it."""

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from mcmulti.events.embedded import upgrade as embedded_upgrade
from mcmulti.events.embedded.server import EmbeddedError, EmbeddedPostgres
from mcmulti.events.embedded.upgrade import upgrade
from mcmulti.events.postgres.migrate import OLDEST
from tests.api.owner import DAMAGES
from tests.cli.command import running
from tests.cli.upgrading import holds_all, names, old_programs, open_place, told, upgraded, version
from tests.docs.manual import page
from tests.docs.transcript import as_printed, commands, run
from tests.events.old_folder import GAMES, old_folder
from tests.events.running import running_in, until

pytestmark = pytest.mark.needs("postgres")


@pytest.fixture(scope="module")
def programs() -> Path:
    """Programs of an older version than ours."""
    return old_programs()


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder that every account may enter."""
    with open_place() as place:
        yield place


@pytest.fixture(scope="module")
async def kept(programs: Path, place: Path) -> Path:
    """The folder that every test gets a copy of."""
    await old_folder(place / "kept", programs)
    return place / "kept"


@pytest.fixture
def folder(kept: Path, place: Path) -> Iterator[Path]:
    """A folder with two games that an older PostgreSQL made. No process may be left in it afterward."""
    folder = place / "games of old"
    subprocess.run(["cp", "-a", kept, folder], check=True)
    yield folder
    until(lambda: not running_in(folder), 30)
    shutil.rmtree(folder)


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
    ended = await asyncio.to_thread(told, "serve", "--folder", str(folder), "--port", "0", temporary=tmp_path)
    assert ended.code == 1
    assert f"An upgrade of {folder} was interrupted: run mcmulti upgrade" in ended.said
    assert not (folder / "pgdata").exists()
    again = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
    assert (again.code, names(folder)) == (0, ["pgdata", f"pgdata.{OLDEST}"])
    (folder / "upgrade" / "done").mkdir(parents=True)
    again = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
    assert (again.code, names(folder)) == (0, ["pgdata", f"pgdata.{OLDEST}"])
    await holds_all(folder)


async def test_it_is_refused_while_a_server_is_at_work_there(folder: Path, programs: Path, tmp_path: Path) -> None:
    with EmbeddedPostgres(folder, programs):
        ended = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
    assert (ended.code, ended.printed) == (1, [])
    assert ended.said == f"Error: {folder} is in use. Stop every server and command that uses it first.\n"
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
    with pytest.raises(
        EmbeddedError, match=f"The copy differs from the original: {change.rsplit(maxsplit=1)[-1][0:0]}"
    ):
        await asyncio.to_thread(upgrade, folder, None, lambda _: None)
    assert names(folder) == ["pgdata"]
    assert version(folder / "pgdata") == OLDEST


async def test_games_that_were_damaged_before_are_told_and_kept_as_they_are(folder: Path, programs: Path) -> None:
    with EmbeddedPostgres(folder, programs) as postgres, psycopg.connect(postgres.url()) as owner:
        owner.execute(next(iter(DAMAGES.values())), {"game": GAMES[0][0].game_id})
    said: list[str] = []
    assert await asyncio.to_thread(upgrade, folder, None, said.append)
    assert f"The {len(GAMES[1]):,} events of 1 games form intact chains. 1 games are damaged" in said[-2]


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


async def test_the_guide_shows_it_as_printed(folder: Path, tmp_path: Path) -> None:
    guide = page("how-to/choose-a-database")
    (section,) = re.findall(r"^## A newer PostgreSQL.*?(?=^## )", guide, re.DOTALL | re.MULTILINE)
    (command,) = commands(section)
    environment = {
        **os.environ,
        "OLD_FOLDER": str(folder),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    (printed,) = await asyncio.to_thread(run, [command], tmp_path, environment)
    assert as_printed(command.prints, printed), printed


def test_programs_of_another_version_are_refused(folder: Path, programs: Path) -> None:
    (folder / "pgdata" / "PG_VERSION").write_text("14\n")
    with pytest.raises(EmbeddedError, match=f"has postgres .PostgreSQL. {OLDEST}.* but the data are of PostgreSQL 14"):
        upgrade(folder, programs, lambda _: None)
    (folder / "pgdata" / "PG_VERSION").write_text(f"{OLDEST}\n")
    assert names(folder) == ["pgdata"]

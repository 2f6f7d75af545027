"""`mcmulti upgrade`: a folder that an older PostgreSQL made, and what is refused.

Refusals depend on the version that the data claim to have, so some of these data are made up.
"""

import asyncio
import shutil
from pathlib import Path

import pytest

from mcmulti.events.embedded.server import EmbeddedError, EmbeddedPostgres, major
from mcmulti.events.embedded.upgrade import upgrade
from mcmulti.events.postgres.migrate import OLDEST
from tests.cli.upgrading import holds_all, names, old_programs, open_place, told, touched, upgraded, version
from tests.events.old_folder import GAMES, old_folder
from tests.events.running import running_in, until


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that claims to hold data of an older PostgreSQL."""
    folder = tmp_path / "games of old"
    (folder / "pgdata").mkdir(parents=True)
    (folder / "pgdata" / "PG_VERSION").write_text(f"{OLDEST}\n")
    (folder / "holders.lock").touch()
    return folder


@pytest.mark.needs("postgres")
async def test_a_folder_is_taken_over_and_the_old_data_are_kept(tmp_path: Path) -> None:
    """Other cases with real data of an older PostgreSQL are in tests/slow/cli."""
    with open_place() as place:
        folder = place / "games of old"
        await old_folder(folder, old_programs())
        first = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
        assert (first.code, first.said) == (0, "")
        events = sum(map(len, GAMES))
        assert first.printed[0].startswith(f"From PostgreSQL {OLDEST} (/")
        assert f"The {events:,} events of {len(GAMES)} games form intact chains." in first.printed
        assert first.printed[-1] == (
            f"{folder} is on PostgreSQL {major()}. The old data are kept in {folder}/pgdata.{OLDEST}."
        )
        assert names(folder) == ["pgdata", f"pgdata.{OLDEST}"]
        assert version(folder / f"pgdata.{OLDEST}") == OLDEST
        await holds_all(folder)
        again = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
        assert again == (0, [f"Nothing to do: {folder} already uses PostgreSQL {major()}."], "")
        removed = await asyncio.to_thread(upgraded, folder, "--remove-old", temporary=tmp_path)
        assert removed == (0, [f"Removed {folder}/pgdata.{OLDEST}."], "")
        assert names(folder) == ["pgdata"]
        await holds_all(folder)
        until(lambda: not running_in(folder), 30)


@pytest.mark.parametrize("command", ["serve", "doctor", "export", "verify", "bench", "demo"])
async def test_every_command_refuses_it_until_then_and_touches_nothing(
    command: str, folder: Path, tmp_path: Path
) -> None:
    arguments = [str(folder)] if command in ("export", "verify") else ["--folder", str(folder)]
    arguments += ["--port", "0"] if command == "serve" else []
    before = touched(folder)
    ended = await asyncio.to_thread(told, command, *arguments, temporary=tmp_path)
    assert ended.code == 1
    assert ended.said.splitlines()[-1] == (
        f"Error: {folder} has data of PostgreSQL {OLDEST}, and this installation has PostgreSQL {major()}: "
        f"run mcmulti upgrade --folder '{folder}' first."
    )
    assert touched(folder) == before


async def test_a_lost_copy_is_told_and_nothing_is_made_up(folder: Path, tmp_path: Path) -> None:
    (folder / "pgdata").rename(folder / f"pgdata.{OLDEST}")
    ended = await asyncio.to_thread(upgraded, folder, temporary=tmp_path)
    assert ended.code == 1
    assert f"Rename {folder}/pgdata.{OLDEST} to pgdata" in ended.said
    assert names(folder) == [f"pgdata.{OLDEST}"]
    kept = await asyncio.to_thread(upgraded, folder, "--remove-old", temporary=tmp_path)
    assert (kept.code, names(folder)) == (1, [f"pgdata.{OLDEST}"])


def test_without_room_nothing_is_begun(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(folder)._replace(free=50 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(EmbeddedError, match=r"\d+ MiB of data, 50 MiB free on the disk, and \d+ MiB are needed"):
        upgrade(folder, None, lambda _: None)
    assert names(folder) == ["pgdata"]


def test_data_of_a_newer_postgresql_are_refused(folder: Path) -> None:
    (folder / "pgdata" / "PG_VERSION").write_text("99\n")
    for begin in (EmbeddedPostgres(folder).start, lambda: upgrade(folder, None, lambda _: None)):
        with pytest.raises(EmbeddedError, match=f"PostgreSQL 99, and .* has PostgreSQL {major()}, which is older"):
            begin()
    assert names(folder) == ["pgdata"]


def test_programs_that_are_not_there_are_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "pgdata" / "PG_VERSION").write_text("14\n")
    with pytest.raises(EmbeddedError, match="The programs of PostgreSQL 14 are not installed"):
        upgrade(folder, None, lambda _: None)
    with pytest.raises(EmbeddedError, match=f"{tmp_path} has no program postgres"):
        upgrade(folder, tmp_path, lambda _: None)
    (folder / "pgdata" / "PG_VERSION").write_text(f"{OLDEST}\n")
    assert names(folder) == ["pgdata"]


def test_data_of_an_earlier_upgrade_are_not_written_over(folder: Path) -> None:
    (folder / f"pgdata.{OLDEST}").mkdir()
    with pytest.raises(EmbeddedError, match="Data of an earlier upgrade are in the way"):
        upgrade(folder, None, lambda _: None)


def test_a_folder_without_games(tmp_path: Path) -> None:
    with pytest.raises(EmbeddedError, match="There are no games in"):
        upgrade(tmp_path, None, lambda _: None)

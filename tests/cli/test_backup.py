"""`mcmulti backup`, `restore`, and `drill`: restoring returns exactly what was there, now or at an earlier moment."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from mcmulti.events.embedded.manifest import DUMP, MANIFEST
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.notices import Notification
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.migrate import OLDEST, migrate
from tests.api.owner import Owner
from tests.cli.backing_up import ADA, OTHER, empty, filled, hold, holds_all, inside, ran
from tests.cli.proving import GAME, ID, address_of
from tests.events.other_postgres import other_postgres
from tests.needs import found

WITH_A_COMMAND = [event.seq for event in GAME if event.command is not None]


@pytest.fixture
def other_database(postgres: EmbeddedPostgres) -> Iterator[str]:
    """The address of an empty database."""
    with empty(postgres) as address:
        yield address


async def test_a_backup_is_restored_whole_and_sound(database: str, other_database: str, tmp_path: Path) -> None:
    source, place = await filled(database), tmp_path / "monday"
    made = await ran("backup", place, "--database-url", source, temporary=tmp_path)
    assert (made.code, made.said) == (0, "")
    events = len(GAME) + len(OTHER)
    assert made.printed[0].startswith(f"{place} holds 2 games with {events:,} events, as of ")
    assert inside(tmp_path) == ["monday"]
    assert place.stat().st_mode & 0o777 == 0o700
    assert {(place / name).stat().st_mode & 0o777 for name in (DUMP, MANIFEST)} == {0o600}
    digest = made.printed[1].removeprefix("Digest: ")
    options = ("--database-url", other_database, "--digest", digest)
    back = await ran("restore", place, *options, temporary=tmp_path)
    assert (back.code, back.said) == (0, ""), back.said
    assert back.printed[-1] == f"The {events:,} events of 2 games form intact chains."
    await holds_all(other_database)
    examined = await ran("doctor", "--database-url", other_database, temporary=tmp_path)
    assert examined.code == 0, examined.printed


async def test_a_folder_is_backed_up_and_restored_into_a_new_one(tmp_path: Path) -> None:
    with EmbeddedPostgres(tmp_path / "old") as postgres:
        await migrate(postgres.url())
        await filled(postgres.url())
    place = tmp_path / "monday"
    assert (await ran("backup", place, "--folder", tmp_path / "old", temporary=tmp_path)).code == 0
    assert (await ran("restore", place, "--folder", tmp_path / "new", temporary=tmp_path)).code == 0
    with EmbeddedPostgres(tmp_path / "new") as postgres:
        await holds_all(postgres.url())


def oldest() -> Path:
    """The programs of the oldest PostgreSQL that servers support, or of another version that is installed."""
    programs = Path(f"/usr/lib/postgresql/{OLDEST}/bin")
    return programs if programs.is_dir() else Path(found("postgres")).parent


@pytest.mark.needs("postgres")
async def test_a_backup_moves_between_versions_of_postgresql(
    database: str, other_database: str, tmp_path: Path
) -> None:
    """From our version to the oldest that servers support, and back."""
    source, there, back = await filled(database), tmp_path / "there", tmp_path / "back"
    with other_postgres(oldest()) as url:
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute("CREATE DATABASE games")
        older = address_of(make_conninfo(url, dbname="games"))
        assert (await ran("backup", there, "--database-url", source, temporary=tmp_path)).code == 0
        restored = await ran("restore", there, "--database-url", older, temporary=tmp_path)
        assert (restored.code, restored.said) == (0, "")
        await holds_all(older)
        assert (await ran("backup", back, "--database-url", older, temporary=tmp_path)).code == 0
    restored = await ran("restore", back, "--database-url", other_database, temporary=tmp_path)
    assert (restored.code, restored.said) == (0, "")
    await holds_all(other_database)


async def test_games_are_restored_as_they_stood_at_a_moment(database: str, other_database: str, tmp_path: Path) -> None:
    """The first game ends with the command before the moment. The second was opened later, so it is gone.

    The clock of the second game is moved forward a day, since it is unknown when the two were recorded.
    """
    last = WITH_A_COMMAND[len(WITH_A_COMMAND) // 2] - 1
    moment = GAME[last - 1].recorded_at
    source = await filled(database)
    assert GAME[last].recorded_at > moment
    with psycopg.connect(database) as owner:
        owner.execute(
            "UPDATE event SET recorded_at = %s WHERE game_id = %s",
            (GAME[-1].recorded_at + timedelta(days=1), OTHER[0].game_id),
        )
    at = moment.replace(microsecond=0) + timedelta(seconds=1)
    kept = [event for event in GAME if event.recorded_at <= at]
    gone = len(GAME) - len(kept)
    places = ((GAME[0].game_id, len(kept)), (GAME[0].game_id, len(kept) + 1), (OTHER[0].game_id, len(OTHER)))
    messages = [Notification(game, uuid4(), uuid4(), "game.turn", 1, uuid4(), moment, seq) for game, seq in places]
    async with PostgresLog.open(database, pool_size=1) as log:
        for message in messages:
            await log.post_notices(message.game_id, [message])
    place = tmp_path / "monday"
    assert (await ran("backup", place, "--database-url", source, temporary=tmp_path)).code == 0
    assert 1 < len(kept) < len(GAME)
    options = ("--database-url", other_database, "--until", f"{at:%Y-%m-%dT%H:%M:%SZ}")
    back = await ran("restore", place, *options, temporary=tmp_path)
    assert (back.code, back.said) == (0, ""), back.said
    assert back.printed[1:] == [
        f"{gone + len(OTHER):,} events of 2 games are left out; 1 game opened later.",
        f"The {len(kept):,} events of 1 games form intact chains.",
    ]
    async with PostgresLog.open(other_database, pool_size=1) as log:
        (game,) = await log.games(10)
        assert game.head == Head(kept[-1].seq, kept[-1].hash)
        assert game.standing.status == "running"
        assert await log.read(game.game_id) == kept
        assert await log.notices_due(at, 9, 9) == messages[:1], "what happens again is told again"
        assert (await log.receipt(game.game_id, ADA.player_id, "a key") is None) == (len(kept) < 30)
    examined = await ran("doctor", "--database-url", other_database, temporary=tmp_path)
    assert examined.code == 0, examined.printed


async def test_a_drill_says_how_good_a_backup_is_and_what_would_be_lost(database: str, tmp_path: Path) -> None:
    await hold(database, GAME)
    place, source = tmp_path / "monday", ("--database-url", address_of(database))
    assert (await ran("backup", place, *source, temporary=tmp_path)).code == 0
    await hold(database, OTHER)
    tried = await ran("drill", place, *source, temporary=tmp_path)
    assert (tried.code, tried.said) == (0, "")
    whole = f"The {len(GAME):,} events of 1 games form intact chains."
    assert [line for line in tried.printed if line.startswith("Restored in ") and line.endswith(whole)]
    assert f"✓ games whose {len(GAME):,} events form intact chains: 1 finished; damaged: 0" in tried.printed
    assert f"· restoring now would lose {len(OTHER):,} events (1 game opened since)" in tried.printed
    assert "✓ the database has every game of the backup, unchanged or continued" in tried.printed
    assert tried.printed[-1] == "The backup is good."
    assert inside(tmp_path) == ["monday"]


async def test_a_drill_finds_games_that_the_source_has_otherwise(database: str, tmp_path: Path) -> None:
    """After the backup, the source is set back to event 20."""
    place, source = tmp_path / "monday", ("--database-url", await filled(database))
    assert (await ran("backup", place, *source, temporary=tmp_path)).code == 0
    Owner(database).take_back(ID, 20)
    tried = await ran("drill", place, *source, temporary=tmp_path)
    assert tried.code == 1
    assert f"✗ the database lost events that the backup has in 1 game, or has different ones: {ID}" in tried.printed


async def test_a_drill_finds_games_that_were_damaged_when_they_were_backed_up(database: str, tmp_path: Path) -> None:
    place, source = tmp_path / "monday", ("--database-url", await filled(database))
    with psycopg.connect(database) as owner:
        owner.execute("UPDATE event SET rule = 'table/start' WHERE game_id = %s AND seq = 2", (ID,))
    assert (await ran("backup", place, *source, temporary=tmp_path)).code == 0
    tried = await ran("drill", place, temporary=tmp_path)
    assert tried.code == 1
    assert [line for line in tried.printed if line.startswith("✗ ") and ID in line]
    assert "1 games are damaged, as they were: mcmulti doctor names them." in tried.printed[1]

"""The oldest PostgreSQL that the guide promises, with everything a server needs. All other tests run on the newest."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from mcmulti.events.postgres.log import PostgresLog
from mcmulti.events.postgres.migrate import OLDEST, known_migrations, migrate
from tests.cli.command import running
from tests.conftest import SharedDatabase, new_database
from tests.docs.manual import page
from tests.events.log_contract import LogContract
from tests.events.logins import FORBIDDEN, login, play, refused, run
from tests.events.other_postgres import other_postgres
from tests.needs import found

pytestmark = pytest.mark.needs("postgres")

NAMES = [migration.name for migration in known_migrations()]


class Older(NamedTuple):
    """A server of the oldest installed version."""

    conninfo: str

    def url(self, *, database: str) -> str:
        """The connection string of a database, as its owner."""
        return make_conninfo(self.conninfo, dbname=database)


@pytest.fixture(scope="module")
def older() -> Iterator[Older]:
    """The server."""
    oldest = Path(f"/usr/lib/postgresql/{OLDEST}/bin")
    with other_postgres(oldest if oldest.is_dir() else Path(found("postgres")).parent) as url:
        yield Older(url)


@pytest.fixture
def database(older: Older) -> Iterator[str]:
    """The connection string of an empty database there."""
    with new_database(older) as name:
        yield older.url(database=name)


@pytest.fixture(scope="class")
def shared(older: Older) -> Iterator[SharedDatabase]:
    """A migrated database there, for the tests of a class. It ends with them, so that a test can drop the role."""
    with new_database(older) as name:
        with ThreadPoolExecutor(1) as beside:  # a loop runs in this thread
            beside.submit(asyncio.run, migrate(older.url(database=name))).result()
        with closing(SharedDatabase(older, name)) as shared:
            yield shared


class TestOldestPostgres(LogContract):
    @pytest.fixture
    async def log(self, shared: SharedDatabase) -> AsyncIterator[PostgresLog]:
        async with PostgresLog.open(shared.clean(), pool_size=4, patience=30.0) as log:
            yield log


def test_the_guide_promises_what_is_tested() -> None:
    guide = page("how-to/choose-a-database")
    assert re.findall(r"PostgreSQL (\d+) or newer", guide) == [str(OLDEST)]


async def test_it_is_as_old_as_the_guide_promises(older: Older) -> None:
    """Passing with a newer version proves less."""
    with psycopg.connect(older.conninfo) as connection:
        version = connection.info.server_version // 10_000
    if version != OLDEST:
        pytest.skip(f"PostgreSQL {OLDEST}, the oldest that the guide promises: there is {version} here")


async def test_a_database_is_prepared_once_and_put_right(database: str) -> None:
    assert await migrate(database) == NAMES
    assert await migrate(database) == []
    run(database, "GRANT UPDATE (data) ON event TO PUBLIC")
    assert await migrate(database) == ['revoke UPDATE on "event" from mcmulti_server']
    await play(database)
    for statement in FORBIDDEN:
        refused(database, statement)


async def test_a_login_that_may_create_roles_needs_no_administrator(database: str) -> None:
    run(database, "DROP ROLE IF EXISTS mcmulti_server")
    with login(database, "CREATEROLE") as restricted:
        run(database, f'GRANT CREATE ON SCHEMA public TO "{psycopg.conninfo.conninfo_to_dict(restricted)["user"]}"')
        assert await migrate(restricted) == NAMES
        await play(restricted)


async def test_a_game_is_played_and_proven(database: str, tmp_path: Path) -> None:
    await asyncio.to_thread(_played_and_proven, database, tmp_path)


def _played_and_proven(database: str, folder: Path) -> None:
    """With the commands, in processes of their own."""
    with running("serve", "--port", "0", temporary=folder, DATABASE_URL=database) as server:
        address = server.line("Serving at ")
        with running("bot", "--server", address, "--players", "2", "--name", "Ada", temporary=folder) as first:
            game = first.line("Ada sits on seat 1 of game ")
            with running("bot", "--server", address, "--game", game, temporary=folder) as second:
                assert (second.code(), second.said) == (0, "")
            assert first.code() == 0
        with running("verify", f"{address}/v1/games/{game}", temporary=folder) as verify:
            assert verify.code() == 0
            assert verify.printed.endswith("Proven.\n")

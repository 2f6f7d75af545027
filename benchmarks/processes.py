"""Child processes: servers and programs that end with the process that started them, however it ends."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple
from urllib.error import URLError

from mcmulti.cli.bench.load import UNLIMITED
from mcmulti.events.embedded.watchdog import dying_with_us

START_SECONDS = 300.0
STOP_SECONDS = 20.0
PROGRAM_SECONDS = 600.0
"""Maximum seconds of a program that does its work and ends."""
LOOK = 0.005
"""Seconds between two checks of whether a server is up."""
CONNECTIONS = 10_000
"""Connections that a server accepts from an address: all clients of a benchmark share one."""


class ProcessError(Exception):
    """A child process did not start, failed, or took too long."""


def mortal() -> Any:
    """What a child runs before it becomes its program (`preexec_fn`): the kernel kills it when its parent ends."""
    return dying_with_us(signal.SIGKILL)


@contextmanager
def started(
    command: Sequence[str | Path],
    stdout: IO[bytes] | int = subprocess.DEVNULL,
    death: signal.Signals = signal.SIGKILL,
    **options: Any,
) -> Iterator["subprocess.Popen[bytes]"]:
    """A process for the block. `death`: the signal that it gets when this process is killed."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=errors,
            preexec_fn=dying_with_us(death),  # noqa: PLW1509 - it calls nothing that takes a lock
            **options,
        )
        try:
            yield process
        except ProcessError as error:
            stop(process)
            errors.seek(0)
            raise ProcessError(f"{error}: {_end_of(errors.read())}") from error
        finally:
            stop(process)


def stop(process: "subprocess.Popen[bytes]") -> None:
    """Ask a process to end. Kill it if it takes too long."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(STOP_SECONDS)
        return
    process.kill()
    process.wait(STOP_SECONDS)


def output(command: Sequence[str | Path], seconds: float = PROGRAM_SECONDS, **options: Any) -> str:
    """The output of a program, once it has ended. Raises `ProcessError` if it fails or takes longer than `seconds`."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=seconds,
            preexec_fn=mortal(),
            **options,
        )
    except subprocess.TimeoutExpired:
        raise ProcessError(f"{_named(command)} did not end within {seconds:g} s") from None
    if done.returncode:
        raise ProcessError(f"{_named(command)} failed with exit code {done.returncode}: {_end_of(done.stderr)}")
    printed: bytes = done.stdout
    return printed.decode()


def module(name: str, *arguments: str) -> list[str]:
    """The command that runs a module with this interpreter."""
    return [sys.executable, "-m", name, *arguments]


def _named(command: Sequence[str | Path]) -> str:
    words = [str(word) for word in command]
    if words[0] == sys.executable and "-m" in words:
        words = words[words.index("-m") + 1 :]
    return " ".join(words[:3])


def _end_of(printed: bytes) -> str:
    return " | ".join(printed.decode(errors="replace").strip().splitlines()[-3:]) or "it printed nothing"


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def running(command: Sequence[str], port: int, path: str) -> Iterator[int]:
    """A process, once its server responds with 200 at the path. Yields its id."""
    with started(command) as process:
        wait_until_up(process, f"http://127.0.0.1:{port}{path}")
        yield process.pid


def wait_until_up(process: "subprocess.Popen[bytes]", url: str, seconds: float = START_SECONDS) -> None:
    """Return at the first 200. Raises `ProcessError` if the process ends before, or takes longer than `seconds`."""
    deadline = time.monotonic() + seconds
    command = _named(process.args)  # type: ignore[arg-type]
    while process.poll() is None:
        left = deadline - time.monotonic()
        if left <= 0:
            raise ProcessError(f"{command} does not answer within {seconds:g} s")
        try:
            with urllib.request.urlopen(url, timeout=left):
                return
        except (URLError, OSError):
            time.sleep(LOOK)
    raise ProcessError(f"{command} ended with exit code {process.returncode}")


@contextmanager
def bare_server(conninfo: str, answers: Path | None = None) -> Iterator[int]:
    """The bare server of `benchmarks.bare`. Yields its port."""
    port = free_port()
    command = module("benchmarks.bare", "--port", str(port), "--conninfo", conninfo)
    if answers is not None:
        command += ["--answers", str(answers)]
    with running(command, port, "/up"):
        yield port


class OurServer(NamedTuple):
    """A running `mcmulti serve`."""

    port: int
    process: int


@contextmanager
def our_server(database: Path | str, *options: str) -> Iterator[OurServer]:
    """`mcmulti serve` on a folder or a database, with limits that no benchmark reaches unless given in `options`.

    Nobody plays against house bots, so there are none.
    """
    port = free_port()
    with running(serve_command(database, port, "--house-bots", "0", *options), port, "/readyz") as process:
        yield OurServer(port, process)


def serve_command(database: Path | str, port: int, *options: str) -> list[str]:
    """The command of an operator, with an operator's log lines. The last of two equal options counts."""
    place = [
        "--folder" if isinstance(database, Path) else "--database-url",
        str(database),
        "--port",
        str(port),
        "--connections",
        str(CONNECTIONS),
    ]
    return module("mcmulti", "serve", *place, *UNLIMITED, "--log-format", "json", *options)


def memory(process: int) -> float:
    """MiB of memory that a process uses now."""
    resident = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return resident * os.sysconf("SC_PAGE_SIZE") / 2**20

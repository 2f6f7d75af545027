"""Servers as processes of their own, and which port they get."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError

START_SECONDS = 60.0
LOOK = 0.005
"""Seconds between two looks whether a server is up."""


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def running(command: Sequence[str], port: int, path: str) -> Iterator[int]:
    """A process, once its server answers 200 at the path; gives its id."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until_up(process, f"http://127.0.0.1:{port}{path}")
            yield process.pid
        finally:
            process.terminate()


def wait_until_up(process: "subprocess.Popen[bytes]", url: str) -> None:
    """Return at the first 200; raises AssertionError if the process ends before, or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=START_SECONDS):
                return
        except (URLError, ConnectionError):
            time.sleep(LOOK)
    raise AssertionError(f"{' '.join(map(str, process.args))} does not answer")  # type: ignore[arg-type]


@contextmanager
def bare_server(conninfo: str, answers: Path | None = None) -> Iterator[int]:
    """The bare server of `benchmarks.bare`; gives its port."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.bare", "--port", str(port), "--conninfo", conninfo]
    if answers is not None:
        command += ["--answers", str(answers)]
    with running(command, port, "/up"):
        yield port


class OurServer(NamedTuple):
    """A running `mcmulti serve`."""

    port: int
    process: int


@contextmanager
def our_server(folder: Path, *options: str) -> Iterator[OurServer]:
    """`mcmulti serve` on a folder, without limits of rates."""
    port = free_port()
    with running(serve_command(folder, port, *options), port, "/readyz") as process:
        yield OurServer(port, process)


def serve_command(folder: Path, port: int, *options: str) -> list[str]:
    """The command of an operator, with the log lines that operators have."""
    place = ["--folder", str(folder), "--port", str(port)]
    return [
        sys.executable,
        "-m",
        "mcmulti",
        "serve",
        *place,
        "--rate-limit",
        "off",
        "--registrations",
        "off",
        "--new-games",
        "off",
        "--open-games",
        "off",
        "--log-format",
        "json",
        *options,
    ]


def memory(process: int) -> float:
    """MiB that a process holds in memory now."""
    resident = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return resident * os.sysconf("SC_PAGE_SIZE") / 2**20

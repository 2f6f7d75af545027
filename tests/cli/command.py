"""The command line in a process of its own."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO

import httpx

from mcmulti.domain.rulesets import CURRENT, SHIPPED
from tests.cli.warm import Fork, warm

PROGRAM = "mcmulti" if CURRENT.keys() == SHIPPED.keys() else "tests.toy.mcmulti"
"""The module of the command line, with the games that are plugged in."""
TYPED = "-m mcmulti" if PROGRAM == "mcmulti" else "toy/mcmulti.py"
"""How printed commands begin, after the name of Python if they have it."""
PATIENCE = 90.0
"""Seconds, long enough for a busy machine."""


def until(happened: Callable[[], object], patience: float = PATIENCE) -> None:
    """Wait until it has happened, for at most `patience` seconds."""
    deadline = time.monotonic() + patience
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.05)


class Command:
    """A running module, usually `mcmulti`, with arguments and a session of its own."""

    def __init__(self, process: Fork, out: IO[str], err: IO[str]) -> None:
        self._process, self._out, self._err = process, out, err

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def printed(self) -> str:
        """Its standard output so far."""
        return _text(self._out)

    @property
    def said(self) -> str:
        """Its standard error so far."""
        return _text(self._err)

    def line(self, beginning: str) -> str:
        """Wait for the first line that begins with this text. Return the rest of the line."""
        deadline = time.monotonic() + PATIENCE
        while True:
            ended = self._process.poll() is not None
            for line in (*self.printed.splitlines(keepends=True), *self.said.splitlines(keepends=True)):
                text = _for_people(line[:-1]) if line.endswith("\n") else ""
                if text.startswith(beginning):
                    return text[len(beginning) :]
            assert not ended, f"it ended without saying {beginning!r}: {self.said}"
            assert time.monotonic() < deadline
            time.sleep(0.02)

    @property
    def stopped(self) -> bool:
        """Whether a server's last message was that it has stopped."""
        return _for_people(self.said.splitlines()[-1]) == "Stopped."

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> int:
        """Signal its whole process group, as a terminal does. Return the exit code."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)
        return self.code()

    def signal(self, number: signal.Signals) -> None:
        """Signal it without waiting."""
        self._process.send_signal(number)

    def code(self) -> int:
        """The exit code, once it has ended."""
        return self._process.wait(PATIENCE)

    def close(self) -> None:
        """End it if it is still running."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def _for_people(line: str) -> str:
    """A line that a server prints when it does not log JSON, such as those at its start and at its end."""
    if '"event":"serving"' in line:
        return f"Serving at {json.loads(line)['address']}"
    return "Stopped." if '"event":"stopped"' in line else line


def _text(file: IO[str]) -> str:
    """Everything printed so far, with line ends of text. Several threads may read while the process writes."""
    number = file.fileno()
    content = os.pread(number, os.fstat(number).st_size, 0)
    return content.decode().replace("\r\n", "\n").replace("\r", "\n")


def _started(
    module: str, arguments: tuple[str, ...], environment: dict[str, str], streams: tuple[int, int, int]
) -> Fork:
    """Start a module in a fork of a process that has imported it."""
    toy = environment.get("TOY", os.environ.get("TOY"))
    return warm(module, toy if module != "mcmulti" else None).fork(arguments, environment, streams)


@contextmanager
def running(
    *arguments: str,
    temporary: Path,
    out: str | None = None,
    module: str = PROGRAM,
    **environment: str,
) -> Iterator[Command]:
    """Run `mcmulti` with these arguments and `temporary` for its temporary files. It is killed at the end of the block.

    Standard output goes to the file `out`, or else to `Command.printed`.
    """
    clean = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    own = {"TMPDIR": str(temporary), "COLUMNS": "80", "PYTHONUNBUFFERED": "1", "MCMULTI_HOUSE_BOTS": "0"}
    with (
        open(os.devnull) as nothing,
        open(out, "w") if out else tempfile.TemporaryFile("a+") as printed,
        tempfile.TemporaryFile("a+") as said,
    ):
        streams = nothing.fileno(), printed.fileno(), said.fileno()
        process = _started(module, arguments, {**clean, **own, **environment}, streams)
        command = Command(process, printed, said)
        _FORKS[process.pid] = temporary
        try:
            yield command
        finally:
            command.close()
            _FORKS.pop(process.pid, None)


def done(
    *arguments: str, environment: dict[str, str], typed: str = "", module: str = PROGRAM
) -> subprocess.CompletedProcess[str]:
    """The result of `mcmulti` with these arguments and this text on standard input, which is not a terminal."""
    new = partial(tempfile.TemporaryFile, "w+")
    with new() as given, new() as printed, new() as said:
        given.write(typed)
        given.flush()
        given.seek(0)
        streams = given.fileno(), printed.fileno(), said.fileno()
        process = _started(module, arguments, environment, streams)
        try:
            code = process.wait(PATIENCE)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        return subprocess.CompletedProcess([module, *arguments], code, _text(printed), _text(said))


_FORKS = dict[int, Path]()
"""The folders for the temporary files of forks, whose environment in ``/proc`` does not show them."""


def polls(server: Command) -> int:
    """The number of requests that wait for news at a server. The server must run with the options in `COUNTED`."""
    (told,) = [line for line in server.said.splitlines() if '"serving metrics"' in line]
    counted = httpx.get(json.loads(told)["address"], timeout=PATIENCE, trust_env=False).text
    readers = re.findall(r'^mcmulti_readers\{[^}]*kind="poll"[^}]*\} (\S+)$', counted, re.MULTILINE)
    return sum(int(float(number)) for number in readers)


COUNTED = ("--log-format", "json", "--metrics-address", "127.0.0.1:0")
"""Options of a server for `polls`."""


def left_behind(folder: Path) -> list[str]:
    """Temporary files in the folder, and processes that run in it or use it for their temporary files."""
    found = [str(path) for path in folder.iterdir()]
    return found + processes(folder)


def processes(folder: Path) -> list[str]:
    """Processes that run in the folder, or use it for their temporary files."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            here = str(folder) in os.readlink(process / "cwd")
            forked = _FORKS.get(int(process.name)) == folder
            if here or forked or f"TMPDIR={folder}\0" in (process / "environ").read_text(errors="replace"):
                found.append(f"{process.name} {(process / 'comm').read_text().strip()}")
        except OSError:
            continue
    return found

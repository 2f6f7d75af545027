"""The command line as a process of its own."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

PATIENCE = 90.0
"""Seconds, on a machine that has much else to do."""


class Command:
    """A module, `mcmulti` as a rule, with some arguments, in a session of its own."""

    def __init__(
        self, module: str, arguments: tuple[str, ...], environment: dict[str, str], out: IO[str], err: IO[str]
    ) -> None:
        self._out, self._err = out, err
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self._out,
            stderr=self._err,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """Its process."""
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
        """The first line that begins so, as soon as it is there; without the beginning."""
        deadline = time.monotonic() + PATIENCE
        while True:
            ended = self._process.poll() is not None
            for line in (*self.printed.splitlines(keepends=True), *self.said.splitlines(keepends=True)):
                if line.startswith(beginning) and line.endswith("\n"):
                    return line[len(beginning) : -1]
            assert not ended, f"it ended without saying {beginning!r}: {self.said}"
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> int:
        """Signal its whole group, as a terminal does; the exit code."""
        os.killpg(self._process.pid, number)
        return self.code()

    def signal(self, number: signal.Signals) -> None:
        """Signal it, and look on."""
        self._process.send_signal(number)

    def code(self) -> int:
        """The exit code, once it has ended."""
        return self._process.wait(PATIENCE)

    def close(self) -> None:
        """End it if it runs still."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def _text(file: IO[str]) -> str:
    file.seek(0)  # the process appends, wherever we read
    return file.read()


@contextmanager
def running(
    *arguments: str, temporary: Path, out: str | None = None, module: str = "mcmulti", **environment: str
) -> Iterator[Command]:
    """Run `mcmulti` with these arguments, its temporary files in `temporary`; killed at the end of the block.

    `out` is a file for its standard output, which is otherwise `Command.printed`.
    """
    clean = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    own = {"TMPDIR": str(temporary), "COLUMNS": "80", "PYTHONUNBUFFERED": "1"}
    with open(out, "w") if out else tempfile.TemporaryFile("a+") as printed, tempfile.TemporaryFile("a+") as said:
        command = Command(module, arguments, {**clean, **own, **environment}, printed, said)
        try:
            yield command
        finally:
            command.close()


def left_behind(folder: Path) -> list[str]:
    """Temporary files in the folder, and processes that work below it or use it for their temporary files."""
    found = [str(path) for path in folder.iterdir()]
    return found + processes(folder)


def processes(folder: Path) -> list[str]:
    """Processes that work below the folder, or use it for their temporary files."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            here = str(folder) in os.readlink(process / "cwd")
            if here or f"TMPDIR={folder}\0" in (process / "environ").read_text(errors="replace"):
                found.append(f"{process.name} {(process / 'comm').read_text().strip()}")
        except OSError:
            continue
    return found

"""A strategy that is a program in any language, in its own process: a line of JSON in, a line of JSON out.

It reads (`docs/how-to/write-a-strategy.md` describes the protocol)::

    {"type": "hello", "version": 1, "ruleset": "mcmulti", "seed": 7}
    {"type": "choose", "seat": 0, "time_left": 9.9, "view": {...}, "offers": [...]}
    {"type": "end"}

It answers each of the first two with a line: ``{"version": 1}`` and ``{"commands": [...]}``.
"""

import json
import os
import signal
import subprocess
import tempfile
from contextlib import suppress
from typing import IO, Any

from mcmulti.bots.strategy import Command, Offer, View

VERSION = 1
"""The version of the protocol."""
LONGEST_LINE = 1_000_000
"""The most bytes of an answer."""
GRACE = 1.0
"""Seconds that a program has to end by itself after its game."""
_TOLD = 2000
"""How many bytes from the end of standard error are included in an error."""


class ProgramFailed(Exception):
    """The program ended, or (`nonsense`) gave an invalid answer; with its standard error."""

    def __init__(self, text: str, *, nonsense: bool = False) -> None:
        super().__init__(text)
        self.nonsense = nonsense


class Program:
    """A program that chooses: started on first use, ended by `close`, and by any failure.

    `time_left` is set by the caller: seconds for the next answer, None for no limit.
    """

    def __init__(self, command: str, ruleset: str, seed: int) -> None:
        self.time_left: float | None = None
        self._command = command
        self._hello = {"type": "hello", "version": VERSION, "ruleset": ruleset, "seed": seed}
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None

    def __call__(self, view: View, offers: list[Offer], /) -> list[Command]:
        try:
            if self._process is None:
                self._start()
                version = self._asked(self._hello).get("version")
                if version != VERSION:
                    said = f"{self._command} speaks version {version!r} of the protocol, not {VERSION}."
                    raise ProgramFailed(said, nonsense=True)
            asked = {"type": "choose", "seat": view["you"], "time_left": self.time_left, "view": view, "offers": offers}
            commands: list[Command] = self._asked(asked).get("commands")  # type: ignore[assignment]  # is checked later
            return commands
        except BaseException:
            self._kill()
            raise

    def close(self) -> None:
        """The game is over: notify the program, and make sure that it ends."""
        if self._process is not None:
            with suppress(OSError):
                self._tell({"type": "end"})
            with suppress(OSError):
                _pipe(self._process.stdin).close()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE)
        self._kill()

    def _start(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (it lives as long as the process)
        try:
            self._process = subprocess.Popen(
                [self._command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,  # so that its child processes end with it
            )
        except OSError as error:
            raise ProgramFailed(f"{self._command} cannot be run: {error.strerror}.") from None

    def _tell(self, message: dict[str, Any]) -> None:
        assert self._process is not None
        pipe = _pipe(self._process.stdin)
        pipe.write(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        pipe.flush()

    def _asked(self, message: dict[str, Any]) -> dict[str, Any]:
        """The program's answer to a message. Raises `ProgramFailed`."""
        assert self._process is not None
        try:
            self._tell(message)
        except OSError:
            raise ProgramFailed(self._ended()) from None
        answer = _pipe(self._process.stdout).readline(LONGEST_LINE + 1)
        if not answer:
            raise ProgramFailed(self._ended())
        if len(answer) > LONGEST_LINE:
            raise ProgramFailed(f"{self._command} answered with more than {LONGEST_LINE} bytes.", nonsense=True)
        try:
            members = json.loads(answer)
        except (ValueError, RecursionError):
            members = None
        if not isinstance(members, dict):
            said = answer[:200].decode(errors="replace").rstrip()
            what = f"{self._command} did not answer with a JSON object: {said!r}.{self._said()}"
            raise ProgramFailed(what, nonsense=True)
        return members

    def _ended(self) -> str:
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        return f"{self._command} ended with status {self._process.poll()}, and has not answered.{self._said()}"

    def _said(self) -> str:
        """The end of the program's standard error."""
        if self._errors is None:
            return ""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - _TOLD))
        said = self._errors.read().decode(errors="replace").strip()
        return f"\nIt wrote to standard error:\n{said}" if said else ""

    def _kill(self) -> None:
        """Kill the process and its children."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(OSError), process:  # which closes its pipes, and waits for its end
                os.killpg(process.pid, signal.SIGKILL)
        if self._errors is not None:
            self._errors.close()
            self._errors = None


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe

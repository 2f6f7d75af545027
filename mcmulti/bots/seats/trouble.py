"""Failures of strategies: detected, reported, and kept with the position."""

import json
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from types import FrameType
from typing import Any, Literal, Protocol

import msgspec
from msgspec import Struct

from mcmulti.bots.strategies.program import Program, ProgramFailed
from mcmulti.bots.strategy import Command, Offer, Strategy, Timed, View
from mcmulti.client.client import HttpProblem

Kind = Literal["raised", "late", "nonsense", "refused", "waits"]
"""What a strategy did: it raised an error or ended; took too long; did not return a list of commands; repeatedly sent
what is not offered; or waits though nobody else is to move.
"""
LONGEST_ERROR = 8000
"""The most characters of an error, from its end."""


class Trouble(Struct, frozen=True, kw_only=True):
    """A failure in a position, with everything needed to ask the strategy again.

    `seed`: its seed. `answer`: its answer, if it is JSON. `error`: for people.
    """

    format: Literal[1] = 1
    ruleset: str
    strategy: str
    seed: int
    kind: Kind
    error: str
    view: View
    offers: list[Offer]
    answer: Any = None


class StrategyFailed(Exception):
    """A strategy cannot go on; `trouble` says why, and where."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.error)
        self.trouble = trouble


class _TimeUp(BaseException):
    """Raised in the middle of a strategy. It is not an `Exception`, so that hardly any strategy catches it."""


class Noting(Protocol):
    """Called when a strategy begins to think, and when it has ended; `begin` may raise what a strategy might."""

    def begin(self) -> None: ...
    def end(self) -> None: ...


class Watched:
    """A watched strategy: its failures are raised as `StrategyFailed`, and nothing else is.

    `seconds`: the time for a decision, including all attempts, until `settled` is called or the view changes; None for
    no limit. Call it in the main thread, since timeouts use signals.
    """

    def __init__(
        self,
        strategy: Strategy,
        *,
        name: str,
        ruleset: str,
        seed: int,
        seconds: float | None,
        noting: Noting | None = None,
    ) -> None:
        self._strategy, self._noting = strategy, noting
        self._name, self._ruleset, self._seed = name, ruleset, seed
        self._seconds = seconds
        self._taken = 0.0
        self._view: View | None = None
        self._offers: list[Offer] = []
        self._answer: Any = None

    def __call__(self, view: View, offers: list[Offer], /) -> list[Command]:
        if view != self._view:
            self.settled()
        self._view, self._offers, self._answer = view, offers, None
        left = None if self._seconds is None else self._seconds - self._taken
        if isinstance(self._strategy, Timed):
            self._strategy.time_left = left
        began = time.monotonic()
        try:
            if self._noting is not None:
                self._noting.begin()
            with _alarm(left):
                self._answer = self._strategy(view, offers)
        except _TimeUp:
            raise self.failed("late", f"It did not respond within {self._seconds} seconds.") from None
        except KeyboardInterrupt:
            raise
        except ProgramFailed as error:
            raise self.failed("nonsense" if error.nonsense else "raised", str(error)) from None
        except BaseException as error:
            raise self.failed("raised", "".join(traceback.format_exception(error))) from None
        finally:
            if self._noting is not None:
                self._noting.end()
        self._taken += time.monotonic() - began
        if self._seconds is not None and self._taken > self._seconds:
            raise self.failed("late", f"It did not respond within {self._seconds} seconds.")
        if not isinstance(self._answer, list | tuple) or not all(isinstance(each, dict) for each in self._answer):
            raise self.failed("nonsense", f"Its response is not a list of commands: {repr(self._answer)[:200]}.")
        return list(self._answer)

    def settled(self) -> None:
        """Its answer was carried out: the next question is another one, with its own time."""
        self._taken, self._view = 0.0, None

    def refused(self, problem: HttpProblem) -> StrategyFailed | HttpProblem:
        """The error to raise if a server refused everything it sent: the problem itself, if it is not about
        a command.
        """
        if problem.status in (400, 409):
            return self.failed("refused", f"The server refused its command: {problem.detail}")
        return problem

    def failed(self, kind: Kind, error: str) -> StrategyFailed:
        """The error to raise if its last answer leads nowhere."""
        try:
            answer = json.loads(json.dumps(self._answer, allow_nan=False))
        except (TypeError, ValueError, RecursionError):
            answer = repr(self._answer)[:LONGEST_ERROR]
        trouble = Trouble(
            ruleset=self._ruleset,
            strategy=self._name,
            seed=self._seed,
            kind=kind,
            error=error[-LONGEST_ERROR:].strip(),
            view=self._view or {},
            offers=self._offers,
            answer=answer,
        )
        return StrategyFailed(trouble)

    def close(self) -> None:
        """The game is over: end a program."""
        if isinstance(self._strategy, Program):
            self._strategy.close()


@contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Raise `_TimeUp` in the block after this time, and again each second if it is caught there."""
    if seconds is None:
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(number: int, frame: FrameType | None) -> None:
    raise _TimeUp


def keep(trouble: Trouble, folder: Path) -> Path:
    """Write a trouble into a folder, which is created if necessary, once. Returns the path."""
    content = msgspec.json.format(msgspec.json.encode(trouble), indent=1) + b"\n"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{trouble.kind}-{sha256(content).hexdigest()[:12]}.json"
    path.write_bytes(content)
    return path


def read_trouble(path: Path) -> Trouble:
    """Read a trouble from a file. Raises `OSError`, and `ValueError` if it is not one."""
    return msgspec.json.decode(path.read_bytes(), type=Trouble)

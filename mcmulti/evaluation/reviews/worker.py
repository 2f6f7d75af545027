"""A review in a process of its own: ``python -m mcmulti.evaluation.reviews.worker``, started by a server.

The first line of standard input is its task. It reports on standard output, in lines of JSON: its progress with the
intermediate results, then the review. It knows neither the server nor its database, and sees the players as numbers. It
ends when standard input is closed, which the kernel ensures however the server ends.
"""

import os
import resource
import sys
import threading
import time
from base64 import b64decode, b64encode
from contextlib import suppress

import msgspec
from msgspec import Struct, structs

from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.evaluation.reviews.review import Reviewing
from mcmulti.events.store.game_file import players_in, read
from mcmulti.library.record import Record
from mcmulti.projections.reviews import FinishedReview, placeholder

KEEP = 2.0
"""Seconds between two reports."""
MOST = 2.0
"""How many times the seconds of the job, and `STARTING`, the kernel lets it use of the processor."""
STARTING = 60


class ReviewTask(Struct, frozen=True):
    """A game file, the `seconds` of processor time for its review, and stored results to continue (`work`, base 64)."""

    file: str
    seconds: int
    work: str = ""


def main() -> None:
    """Review a game."""
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=ReviewTask)
    bounded(STARTING + int(MOST * task.seconds))
    try:
        finished = _reviewed(task)
    except ValueError as error:
        finished = FinishedReview((), {}, str(error))
    _say(finished=msgspec.json.encode(finished).decode())
    os._exit(0)  # the thread holds standard input, which an orderly end would wait for


def _reviewed(task: ReviewTask) -> FinishedReview:
    """The review, reporting on the way. Raises `ValueError`."""
    content = read(task.file.encode().splitlines(keepends=True))
    players = tuple(sorted(players_in(content.events)))
    called = {player: placeholder(number) for number, player in enumerate(players)}
    record = Record(content._replace(file=structs.replace(content.file, names=called)))
    if (fault := record.verify().fault) is not None:
        raise ValueError(fault)
    try:
        reviewing = Reviewing(record, kept=b64decode(task.work))
    except ValueError:
        if not task.work:
            raise
        reviewing = Reviewing(record)  # the stored work is unusable: start again
    told = time.monotonic()
    for _ in reviewing.until(task.seconds):
        if time.monotonic() - told >= KEEP:
            told = time.monotonic()
            _say(done=min(1.0, reviewing.used / task.seconds), work=b64encode(reviewing.save()).decode())
    _say(done=1.0, work=b64encode(reviewing.save()).decode())
    return FinishedReview(players, {language: reviewing.result(language) for language in LANGUAGES})


def _say(**of: object) -> None:
    of["spent"] = time.process_time()
    with suppress(BrokenPipeError):  # the server is gone, and standard input will end too
        sys.stdout.buffer.write(msgspec.json.encode(of) + b"\n")
        sys.stdout.buffer.flush()


def bounded(seconds: int) -> None:
    """Let this process end after this much processor time, or when standard input is closed."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    threading.Thread(target=_watched, daemon=True).start()


def _watched() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()

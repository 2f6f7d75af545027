"""Plays many games in parallel processes. A game does not depend on which process plays it."""

import asyncio
import ctypes
import os
import signal
import traceback
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from mcmulti.arena.crashes import Asking, ending
from mcmulti.arena.play import ArenaTask, Contest, Finished, play_game
from mcmulti.arena.remote import NotPlayed, play_at
from mcmulti.arena.schedule import Pairing
from mcmulti.arena.store import keep_game
from mcmulti.bots.strategies.own import maker_of
from mcmulti.bots.strategy import Maker

AHEAD = 3
"""Games queued per process, so that none of them waits."""


def usable_processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0))


def played(contest: Contest, wanted: Sequence[Pairing], processes: int) -> Generator[Finished, None, None]:
    """Play these games. Yields each when it is over, in any order.

    A strategy that ends its process has failed in that game, which is played once more without it; all other games are
    unaffected. Raises `ProcessEnded` if a process ended otherwise, and `NotPlayed` for a server.
    """
    coming = deque(map(ArenaTask, wanted))
    workers = [_Worker(contest) for _ in range(processes)]
    try:
        for worker in workers:
            worker.feed(coming)
        while busy := [place for place, worker in enumerate(workers) if worker.jobs]:
            ready = wait([each for place in busy for each in (workers[place].pipe, workers[place].process.sentinel)])
            for place in busy:
                worker = workers[place]
                if worker.pipe in ready or worker.process.sentinel in ready:
                    yield from worker.finished()
                    if worker.gone:
                        coming.extendleft(reversed(worker.left()))
                        workers[place] = _Worker(contest)
                    workers[place].feed(coming)
    finally:
        for worker in workers:
            worker.stop()
        for worker in workers:
            worker.join()


class ProcessEnded(RuntimeError):
    """A process ended while no strategy was being asked. The message says how."""


class _Worker:
    """A process that plays games, seen from its parent. `jobs`: its games, the current one first."""

    def __init__(self, contest: Contest) -> None:
        context = get_context("fork")
        self.pipe, inner = context.Pipe()
        self.jobs: deque[ArenaTask] = deque()
        self.gone = False
        self._asking, self._stopped = Asking(), context.RawValue("b", 0)
        self.process = context.Process(target=_work, args=(contest, inner, self._asking, self._stopped))
        self.process.start()
        inner.close()

    def feed(self, coming: deque[ArenaTask]) -> None:
        """Queue games, so that it need not wait for one."""
        while coming and len(self.jobs) < AHEAD:
            self.jobs.append(coming.popleft())
            with suppress(BrokenPipeError):  # it is gone, which will be noticed soon
                self.pipe.send(self.jobs[-1])

    def finished(self) -> Iterator[Finished]:
        """The games that it has finished meanwhile."""
        ended = not self.process.is_alive()  # whatever it sent before is in the pipe by now
        while (told := self._told()) is not None:
            self.jobs.popleft()
            if isinstance(told, Exception):
                raise told
            yield told
        self.gone = ended or self.process.exitcode is not None

    def _told(self) -> Finished | Exception | None:
        """Its next message; None if there is none now."""
        try:
            told: Finished | Exception | None = self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, ConnectionError):
            self.process.join()
            return None
        return told

    def left(self) -> list[ArenaTask]:
        """The unplayed games of a dead process. The strategy that ended it will not be asked in that game again."""
        exit_code = self.process.exitcode or 0
        if not self.jobs:
            return []
        first, *others = self.jobs
        self.jobs.clear()
        crash = self._asking.crashed(exit_code, first.crashes)
        if crash is None:
            game = first.pairing.number
            raise ProcessEnded(f"A process ended in game {game} while it asked no strategy, {ending(exit_code)}.")
        return [ArenaTask(first.pairing, (*first.crashes, crash)), *others]

    def stop(self) -> None:
        """Let it end after its current game."""
        self._stopped.value = 1
        with suppress(BrokenPipeError):
            self.pipe.send(None)

    def join(self) -> None:
        """Wait until it has ended, reading its remaining messages, since it could not end with a full pipe."""
        while self.process.is_alive():
            with suppress(EOFError, ConnectionError):
                if self.pipe.poll(0.1):
                    self.pipe.recv()
        self.process.join()


def _work(contest: Contest, pipe: "Connection[Any, Any]", asking: Asking, stopped: ctypes.c_byte) -> None:
    """Play games for the parent process: it ends with the parent, and prints nothing itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # PR_SET_PDEATHSIG, only on Linux
    os.dup2(2, 1)  # output of strategies must not mix with the results
    makers = [maker_of(contest.plan.ruleset, strategy) for strategy in contest.strategies]
    while (job := pipe.recv()) is not None and not stopped.value:
        told: Finished | Exception
        try:
            told = _play_task(contest, makers, job, asking)
        except NotPlayed as error:
            told = error
        except Exception as error:
            told = RuntimeError("".join(traceback.format_exception(error)))
        pipe.send(told)


def _play_task(contest: Contest, makers: Sequence[Maker], job: ArenaTask, asking: Asking) -> Finished:
    if contest.server is None:
        finished, recorded = play_game(contest, job, makers, asking)
        if contest.folder is not None:
            keep_game(contest.folder, job.pairing, recorded())
    else:
        finished, record = asyncio.run(play_at(contest.server, contest, job, makers, asking))
        if contest.folder is not None:
            keep_game(contest.folder, job.pairing, record)
    return finished

"""Many games at once, in as many processes: which of them plays a game makes no difference to it."""

import ctypes
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from mcmulti.arena.play import ArenaGame, Entrant, Failure, play, result_in
from mcmulti.arena.remote import BotTokens, play_at
from mcmulti.arena.schedule import ArenaPlan, Pairing
from mcmulti.arena.store import keep_game
from mcmulti.bots.strategies.own import maker_of

AHEAD = 3
"""Games that are waiting for each process, so that none of them waits for a game."""


class Contest(NamedTuple):
    """What processes are told: what is played, by which strategies, their seconds for a decision, where games go.

    `server`: where they are played, by the players that have these `tokens`; here unless told.
    """

    plan: ArenaPlan
    strategies: tuple[str, ...]
    seconds: float
    folder: Path | None
    server: str | None = None
    tokens: BotTokens = MappingProxyType({})


class Finished(NamedTuple):
    """A game that was played by one of the processes; and how often a strategy was asked in it."""

    result: ArenaGame
    failures: tuple[Failure, ...]
    decisions: int


def usable_processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0))


def played(contest: Contest, wanted: Sequence[Pairing], processes: int) -> Iterator[Finished]:
    """Play these games, and hand each out when it is over, in no order.

    Raises `BrokenProcessPool` where a strategy ends the process that it runs in, and `NotPlayed` of a server.
    """
    context = get_context("fork")
    with ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(contest,)) as pool:
        coming = iter(wanted)
        running: set[Future[Finished]] = {pool.submit(_play, each) for each in islice(coming, AHEAD * processes)}
        try:
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(_play, each) for each in islice(coming, len(done))}
                for future in done:
                    yield future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


class _Process(NamedTuple):
    contest: Contest
    entrants: tuple[Entrant, ...]


_here: list[_Process] = []
"""What this process plays, once it was told."""


def _begin(contest: Contest) -> None:
    """Make this process one that plays games: it ends with the one that started it, and prints nothing of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(1, int(signal.SIGKILL))  # PR_SET_PDEATHSIG, which Linux has
    os.dup2(2, 1)  # what strategies print is no result
    plan = contest.plan
    makers = [maker_of(plan.ruleset, strategy) for strategy in contest.strategies]
    entrants = zip(plan.entrants, contest.strategies, makers, strict=True)
    _here[:] = [_Process(contest, tuple(Entrant(*entrant) for entrant in entrants))]


def _play(pairing: Pairing) -> Finished:
    [(contest, entrants)] = _here
    plan, seconds, folder = contest.plan, contest.seconds, contest.folder
    if contest.server is not None:
        there = play_at(contest.server, contest.tokens, plan, pairing, entrants, seconds)
        if folder is not None:
            keep_game(folder, pairing, there.record)
        return Finished(result_in(plan, pairing, there.record), there.failures, there.decisions)
    here = play(plan, pairing, entrants, seconds)
    if folder is not None:
        keep_game(folder, pairing, here.game.record())
    return Finished(here.result, here.failures, here.decisions)

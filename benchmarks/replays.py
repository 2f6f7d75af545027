"""How fast games are replayed: from the log to frames, and to any moment over HTTP."""

import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from uuid import UUID

import httpx

from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.scale import Scale
from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.setup import Setup
from mcmulti.events.log.envelope import Recorded
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.ports.log import Log
from mcmulti.library.steps import set_up
from mcmulti.projections.proof.proof import verify
from mcmulti.projections.reports.replay import frames
from mcmulti.server.database import embedded, opened_log
from mcmulti.server.process import answering, bound
from mcmulti.simulation import any_offer, carry_on, play
from tests.games import record

LONG = 5000
"""Events of the long game."""
ASKED = 50
"""Requests per round."""


def long_game() -> list[Recorded]:
    """A game in which nobody ever declares victory, cut off after its event `LONG`."""
    random = Random(1)
    game_id = "00000000-0000-4000-8000-00000000abcd"
    chance = SeededChance(bytes(32), game_id)
    steps = list(set_up(RULESET, Setup(seats=4), game_id, chance))
    steps += carry_on(RULESET, steps[-1].state, chance, random, _without_end, most_steps=LONG)
    events = record(UUID(game_id), steps)
    if len(events) < LONG:
        raise AssertionError(f"the long game has {len(events)} events only")
    return events[:LONG]


def _without_end(random: Random, offers: tuple[Offer, ...]) -> Offer:
    undeclared = tuple(offer for offer in offers if offer.command != "DeclareVictory")
    return any_offer(random, undeclared, RULESET.commands.weights)


READ = Figure("a finished game: read it from PostgreSQL", "events/s")
VERIFIED = Figure("a finished game: verify it", "events/s")
FRAMES = Figure("a finished game: frames", "events/s")
ALL_OF_IT = Figure("a finished game: all of it", "events/s")
MOMENTS = {seq: Figure(f"?at={seq} of {LONG:,} events", "ms") for seq in (100, LONG - 1)}
AIMS = (
    Aim("a finished game: verify it", VERIFIED, value=60_000),
    Aim("a finished game: frames", FRAMES, value=20_000),
    Aim(f"?at={LONG - 1} / ?at=100", MOMENTS[LONG - 1], (MOMENTS[100],), "under", 1.5),
)


async def _prepared(_: Scale, exits: AsyncExitStack) -> list[Measure]:
    folder = Path(exits.enter_context(tempfile.TemporaryDirectory(prefix="mcmulti-benchmark-"))) / "data"
    log = await exits.enter_async_context(opened_log(await exits.enter_async_context(embedded(folder))))
    listener = exits.enter_context(bound("127.0.0.1", 0))
    address = await exits.enter_async_context(answering(log, listener))
    client = await exits.enter_async_context(httpx.AsyncClient(base_url=address, trust_env=False))
    return [await _replayed(log), await _moments(log, client)]


async def _replayed(log: Log) -> Measure:
    """A whole finished game from Postgres: read, verify, fold, and describe."""
    steps = list(play(RULESET, Setup(seats=4), 7))
    events = record(UUID(steps[0].state.game_id), steps)
    game = events[0].game_id
    await log.create(game, RULESET.name, RULESET.version, TableRow("finished"), bytes(32), events)

    async def measure() -> Taken:
        start = time.perf_counter()
        read = await log.read(game)
        after_read = time.perf_counter()
        if verify(read).fault is not None:
            raise AssertionError("the game is not proven")
        after_verify = time.perf_counter()
        told = sum(1 for _ in frames(RULESET, None, read))
        end = time.perf_counter()
        return {
            READ: told / (after_read - start),
            VERIFIED: told / (after_verify - after_read),
            FRAMES: told / (end - after_verify),
            ALL_OF_IT: told / (end - start),
        }

    return measure


async def _moments(log: Log, client: httpx.AsyncClient) -> Measure:
    """``?at=`` near the beginning and at the end of a long game."""
    events = long_game()
    game = events[0].game_id
    await log.create(game, RULESET.name, RULESET.version, TableRow("running"), bytes(32), events)

    async def asked(seq: int) -> float:
        start = time.perf_counter()
        for _ in range(ASKED):
            (await client.get(f"/v1/games/{game}?at={seq}")).raise_for_status()
        return 1000 * (time.perf_counter() - start) / ASKED

    async def measure() -> Taken:
        return {figure: await asked(seq) for seq, figure in MOMENTS.items()}

    await measure()  # makes the snapshots
    return measure


ITEMS = (Item("replays", _prepared, (READ, VERIFIED, FRAMES, ALL_OF_IT, *MOMENTS.values())),)

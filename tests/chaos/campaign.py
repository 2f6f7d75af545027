"""A campaign: two servers on one database, clients that play, one fault after the other, and the verdict."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import httpx

from mcmulti.events.envelope import Recorded
from mcmulti.events.postgres import PostgresLog
from tests.chaos.checker import Verdict, check
from tests.chaos.faults import FAULTS, VOLUMES, Planned, schedule
from tests.chaos.history import History, Seen, Told
from tests.chaos.player import Player, digest, moment
from tests.chaos.stage import PATIENCE, Stage, staged, until

RULESETS = ("mcmulti", "marracash", "millionenspiel", "postal", "mcmulti")
"""What is played, each by players of its own."""
LOOKED_AT_AGAIN = 100
"""How many reads are compared with what a server shows that knows nothing yet."""


class Outcome(NamedTuple):
    """What came of a campaign. `faults`: how many of each kind; `slowest` and `recovered`: seconds, at most."""

    faults: Mapping[str, int]
    games: int
    tries: int
    acknowledged: int
    refused: int
    unknown: int
    slowest: float
    recovered: float
    verdict: Verdict


async def campaign(
    folder: Path, kinds: Sequence[str], seed: int, seconds: float = 0.0, tell: Callable[[str], None] = print
) -> Outcome:
    """Play for so many seconds, and until each kind of fault was there once, in an order that the seed chooses."""
    history = History()
    async with staged(folder, history, volumes=bool(VOLUMES & set(kinds))) as stage:
        players = [
            Player([server.address for server in stage.servers], history, number + seed * 1000, ruleset, stage.manners)
            for number, ruleset in enumerate(RULESETS)
        ]
        stop = asyncio.Event()
        async with _playing(stage, players, stop):
            done, recovered = await _faults(stage, kinds, seed, seconds, tell)
            await _told(stage, players)
            stop.set()
        logs = await _logs(stage.url, history.games())
        views = await _views(stage, history, logs, random.Random(seed))
    for server in stage.servers:
        if "Traceback" in server.log.read_text(errors="replace"):
            stage.complain(f"{server.log.stem} wrote a traceback")
    return Outcome(
        done,
        len(logs),
        history.tries(),
        history.number("ok"),
        history.number("fail"),
        history.number("info"),
        max(player.slowest for player in players),
        recovered,
        check(history, logs, views),
    )


@asynccontextmanager
async def _playing(stage: Stage, players: Sequence[Player], stop: asyncio.Event) -> AsyncIterator[None]:
    """Clients play as long as the block, and then until the end of each request under way is known."""
    tasks = [asyncio.create_task(player.play(stop)) for player in players]
    try:
        yield
        _, waiting = await asyncio.wait(tasks, timeout=PATIENCE)
        if waiting:
            stage.complain(f"{len(waiting)} clients still waited for answers after {PATIENCE:g} s")
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):
            raise error


async def _faults(
    stage: Stage, kinds: Sequence[str], seed: int, seconds: float, tell: Callable[[str], None]
) -> tuple[Mapping[str, int], float]:
    """Do what is planned; how often what was done, and the seconds until all was well again, at most."""
    done, recovered = Counter[str](), 0.0
    end = moment() + seconds
    plan = schedule(kinds, seed)
    while moment() < end or len(done) < len(set(kinds)):
        planned = next(plan)
        await asyncio.sleep(planned.pause)
        await FAULTS[planned.kind](stage, random.Random(planned.seed))
        took = await _recovered(stage, planned)
        tell(f"{planned.kind}: well again after {took:.1f} s")
        done[planned.kind] += 1
        recovered = max(recovered, took)
    return done, recovered


async def _recovered(stage: Stage, planned: Planned) -> float:
    """Seconds until all servers are ready, and a command was acknowledged. A server that ended is started again."""
    began, acknowledged = moment(), stage.history.number("ok")
    for server in stage.servers:
        if (status := server.ended) is not None:
            stage.complain(f"{planned.kind}: {server.log.stem} ended by itself with status {status}")
            await server.start()
    try:
        async with asyncio.timeout(PATIENCE), httpx.AsyncClient(trust_env=False, timeout=15) as client:
            for server in stage.servers:
                await _ready(client, server.address)
            await until(lambda: stage.history.number("ok") > acknowledged)
    except TimeoutError:
        stage.complain(f"{planned.kind}: not well again after {PATIENCE:g} s")
    return moment() - began


async def _ready(client: httpx.AsyncClient, address: str) -> None:
    while True:
        with suppress(httpx.TransportError):
            if (await client.get(f"{address}/readyz")).is_success:
                return
        await asyncio.sleep(0.05)


async def _told(stage: Stage, players: Sequence[Player]) -> None:
    """Wait until no stream stands at an event that is gone; the checker finds those that stay there."""
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE / 4):
            while True:
                streams = [player.following for player in players if player.following and player.following.last.seq]
                logs = await _logs(stage.url, [stream.game for stream in streams])
                if all(stream.last in places(logs[stream.game]) for stream in streams):
                    return
                await asyncio.sleep(0.2)


def places(events: Sequence[Recorded]) -> set[Told]:
    """Where a game stood, after each of its events."""
    return {Told(event.seq, event.hash.hex()) for event in events}


async def _logs(database: str, games: Sequence[str]) -> dict[str, list[Recorded]]:
    async with PostgresLog.open(database) as log:
        return {game: await log.read(UUID(game)) for game in games}


async def _views(
    stage: Stage, history: History, logs: Mapping[str, Sequence[Recorded]], dice: random.Random
) -> dict[Seen, str]:
    """Some of the reads that the log still holds, as a server shows them that was just started."""
    await stage.guest.end(9)
    await stage.guest.start()
    known = {game: places(events) for game, events in logs.items()}
    held = [seen for seen in history.seen if seen.told in known[seen.game]]
    views = {}
    async with httpx.AsyncClient(base_url=stage.guest.address, trust_env=False, timeout=PATIENCE) as client:
        for seen in dice.sample(held, min(LOOKED_AT_AGAIN, len(held))):
            headers = {"Authorization": f"Bearer {seen.token}"}
            shown = await client.get(f"/v1/games/{seen.game}?at={seen.told.seq}", headers=headers)
            views[seen] = digest(shown.json()["view"]) if shown.is_success else shown.text
    return views

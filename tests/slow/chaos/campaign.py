"""A campaign: two servers on one database, clients that play, one fault after another, and the verdict."""

import asyncio
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import httpx

from mcmulti.events.log.envelope import Recorded
from mcmulti.events.postgres.log import PostgresLog
from tests.slow.chaos import deadlines
from tests.slow.chaos.asker import bearer, moment
from tests.slow.chaos.checker import Verdict, check, taken_back, timed_out
from tests.slow.chaos.faults import FAULTS, VOLUMES, Planned, schedule
from tests.slow.chaos.history import History, Request, Seen, Sent, Span, Told, Use
from tests.slow.chaos.lender import Lender
from tests.slow.chaos.player import KINDS, Player, digest, tried_once
from tests.slow.chaos.stage import PATIENCE, Stage, staged, until

LOOKED_AT_AGAIN = 100
"""The number of reads to compare with a server that has nothing cached yet."""
AS_MUCH = 6000
"""Characters of a traceback to print."""
SENT_AGAIN = 40
"""The number of requests to repeat at the end, of those that were taken back, and of the others."""


class Outcome(NamedTuple):
    """The result of a campaign. `faults`: the number of each kind. `slowest` and `recovered`: maximum seconds.

    `timed_out`: how often a seat's time ran out. `taken_back`: the number of such moves. `revoked`: the number of
    tokens.
    """

    faults: Mapping[str, int]
    games: int
    tries: int
    acknowledged: int
    refused: int
    unknown: int
    timed_out: int
    taken_back: int
    revoked: int
    slowest: float
    recovered: float
    verdict: Verdict


async def campaign(
    folder: Path, kinds: Sequence[str], seed: int, seconds: float = 0.0, tell: Callable[[str], None] = print
) -> Outcome:
    """Play for this many seconds, and until each kind of fault has occurred, in an order that the seed determines."""
    history = History()
    async with staged(folder, history, volumes=bool(VOLUMES & set(kinds))) as stage:
        servers = [server.address for server in stage.servers]
        players = [
            Player(servers, history, number + seed * 1000, kind, stage.manners) for number, kind in enumerate(KINDS)
        ]
        lender = Lender(servers, history, seed, stage.manners)
        stop = asyncio.Event()
        async with _playing(stage, [*(player.play(stop) for player in players), lender.lend(stop)]):
            done, recovered = await _faults(stage, kinds, seed, seconds, tell)
            await _told(stage, players)
            await _deadlines_kept(stage)
            stop.set()
        logs = await _logs(stage.url, history.games())
        dice = random.Random(seed)
        await _begin_anew(stage)
        await _send_tokens(stage, history)
        await _send_again(stage, history, logs, dice)
        views = await _views(stage, history, logs, dice)
        history.outages, history.moved = await asyncio.to_thread(deadlines.noted, stage.url)
    for server in stage.servers:
        _, found, traceback = server.log.read_text(errors="replace").partition("Traceback")
        if found:
            stage.complain(f"{server.log.stem} wrote a traceback: {traceback[:AS_MUCH]}")
    return Outcome(
        done,
        len(logs),
        history.tries(),
        history.number("ok"),
        history.number("fail"),
        history.number("info"),
        sum(len(timed_out(events)) for events in logs.values()),
        sum(len(taken_back(events)) for events in logs.values()),
        sum(spare.revoked is not None for spare in history.spares),
        max(client.slowest for client in (*players, lender)),
        recovered,
        check(history, logs, views),
    )


@asynccontextmanager
async def _playing(stage: Stage, clients: Sequence[Coroutine[None, None, None]]) -> AsyncIterator[None]:
    """Clients work during the block, and then until the end of each of their requests is known."""
    tasks = [asyncio.create_task(client) for client in clients]
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
    """Cause the planned faults.

    Return how often each occurred, and the maximum seconds until everything worked again.
    """
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
    """Seconds until all servers are ready, and a command was acknowledged. A server that ended is restarted."""
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
    """Wait until no stream is at an event that is gone. The checker finds those that stay there."""
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


async def _deadlines_kept(stage: Stage) -> None:
    """Wait until a clock has run out again in a game without moves, no deadline is overdue, and moves were taken back.

    Few faults are over sooner.
    """
    for done, missing in (
        (deadlines.kept, "deadlines that have come were not acted on"),
        (deadlines.led_back, "no moves were taken back"),
    ):
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    if await asyncio.to_thread(done, stage.url):
                        break
                    await asyncio.sleep(0.2)
        except TimeoutError:
            stage.complain(f"{missing} within {PATIENCE:g} s")


async def _begin_anew(stage: Stage) -> None:
    """Kill all servers and restart them: nothing is cached."""
    for server in stage.servers:
        await server.end(signal.SIGKILL)
    await asyncio.gather(*(server.start() for server in stage.servers))
    async with httpx.AsyncClient(trust_env=False, timeout=15) as client, asyncio.timeout(PATIENCE):
        for server in stage.servers:
            await _ready(client, server.address)


async def _send_tokens(stage: Stage, history: History) -> None:
    """Send every token that was created to each server."""
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        for server in stage.servers:
            for spare in history.spares:
                began = moment()
                answer = await client.get(f"{server.address}/v1/players/me", headers=bearer(spare.token))
                if answer.status_code in (200, 401):
                    spare.uses.append(Use(Span(began, moment()), answer.is_success, anew=True))
                else:
                    stage.complain(f"{server.log.stem} answered a token with {answer.status_code} {answer.text}")


async def _send_again(
    stage: Stage, history: History, logs: Mapping[str, Sequence[Recorded]], dice: random.Random
) -> None:
    """Repeat some requests that the log still contains under their keys, especially those that were taken back."""
    back = {(game, seq) for game, events in logs.items() for seq in taken_back(events)}
    known = {game: places(events) for game, events in logs.items()}
    undone: list[tuple[Request, Sent]] = []
    standing: list[tuple[Request, Sent]] = []
    for request in history.requests:
        ends = [told for told in (tried.told for tried in request.tries) if told and told in known[request.game]]
        if ends and request.sent is not None:
            (undone if (request.game, ends[0].seq) in back else standing).append((request, request.sent))
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        for those in (undone, standing):
            for request, sent in dice.sample(those, min(SENT_AGAIN, len(those))):
                began = moment()
                url = dice.choice(stage.servers).address + sent.path
                answer = await client.post(url, json=sent.body, headers={**sent.headers, **bearer(sent.token)})
                history.repeated.append((request, tried_once(answer, Span(began, moment()))))


async def _views(
    stage: Stage, history: History, logs: Mapping[str, Sequence[Recorded]], dice: random.Random
) -> dict[Seen, str]:
    """Some of the reads that the log still contains, as a restarted server returns them."""
    known = {game: places(events) for game, events in logs.items()}
    held = [seen for seen in history.seen if seen.told in known[seen.game]]
    views = {}
    async with httpx.AsyncClient(base_url=stage.guest.address, trust_env=False, timeout=PATIENCE) as client:
        for seen in dice.sample(held, min(LOOKED_AT_AGAIN, len(held))):
            shown = await client.get(f"/v1/games/{seen.game}?at={seen.told.seq}", headers=bearer(seen.token))
            views[seen] = digest(shown.json()["view"]) if shown.is_success else shown.text
    return views

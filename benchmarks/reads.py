"""Reads over HTTP compared with a bare handler of the same bytes, and loading a game compared with decoding it."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import repeat
from pathlib import Path
from time import perf_counter
from uuid import UUID

import httpx
import msgspec

from benchmarks.commands import HOST, WARM_UP, Games, advance
from benchmarks.figures import Aim, Figure, Measure, Taken
from benchmarks.processes import bare_server
from benchmarks.scale import Scale
from mcmulti.cli.bench.games import PreparedGame
from mcmulti.cli.bench.load import load, reading
from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.codec import event_decoder
from mcmulti.events.log.envelope import START
from mcmulti.events.log.positions import Position
from mcmulti.events.ports.log import Log
from mcmulti.events.store.history import followed, pages
from mcmulti.referee.referee import Referee

LENGTH = Scale().read
"""Events of the game that is read."""
CLIENTS = 16


def _paths(length: int) -> dict[str, str]:
    """What is read of a game of this many events."""
    return {"state": "", "offers": "/offers", "at": f"?at={length // 2 + 7}", "page": f"/events?after={length // 2}"}


_PATHS = _paths(LENGTH)
_OURS = {
    name: Figure(f"GET {path or 'state'} of a game of {LENGTH:,} events", "reads/s") for name, path in _PATHS.items()
}
_BARE = {name: Figure(f"bare handler, the bytes of {path or 'state'}", "reads/s") for name, path in _PATHS.items()}

LOADED = Figure(f"load, check and fold a game of {LENGTH:,} events from Postgres", "events/s")
_DECODED = Figure("bare decoding: msgspec.json.decode of the same bytes to dicts, event by event", "events/s")
_TYPED = Figure("the same to events, with the rule set's decoder", "events/s")
FIGURES = (*(each for name in _PATHS for each in (_OURS[name], _BARE[name])), LOADED, _DECODED, _TYPED)
AIMS = (
    *(Aim(f"read {path or 'state'} / bare handler", _OURS[n], (_BARE[n],), value=0.75) for n, path in _PATHS.items()),
    Aim("load, check and fold / bare decoding", LOADED, (_DECODED,), value=0.12),
    Aim("load, check and fold / decoding to events", LOADED, (_TYPED,)),
)


async def long_game(log: Log, games: Games, length: int) -> PreparedGame:
    """A game that has just over this many events in the log."""
    (game,) = await games.fresh(1, length)
    await advance(Referee(log), game, iter(game.moves), length)
    return game


def over_http(
    conninfo: str, port: int, game: PreparedGame, length: int, folder: Path, seconds: float, exits: AsyncExitStack
) -> list[Measure]:
    """Reads per second by 16 clients, ours and the same bytes from a bare server, for each kind of read."""
    paths = {name: f"/v1/games/{game.game_id}{path}" for name, path in _paths(length).items()}
    token = game.tokens[0]
    for name, path in paths.items():
        found = httpx.get(f"http://{HOST}:{port}{path}", headers={"Authorization": f"Bearer {token}"}, trust_env=False)
        found.raise_for_status()
        (folder / name).write_bytes(found.content)
    bare = exits.enter_context(bare_server(conninfo, folder))
    measures = []
    for name, path in paths.items():
        measures.append(_reads(port, reading(path, token), _OURS[name], seconds))
        measures.append(_reads(bare, reading(f"/{name}", token), _BARE[name], seconds))
    return measures


def _reads(port: int, request: bytes, figure: Figure, seconds: float) -> Measure:
    async def measure() -> Taken:
        await load(HOST, port, [repeat(request)] * CLIENTS, WARM_UP)
        return {figure: (await load(HOST, port, [repeat(request)] * CLIENTS, seconds)).rate}

    return measure


async def loading(log: Log, game: UUID, length: int, seconds: float) -> Taken:
    """Events per second: from the log to a state, and bytes to dicts or events."""
    data = [event.data for event in await log.read(game, 0, length)]
    decode = event_decoder(RULESET.name, RULESET.version)

    async def load_and_fold() -> None:
        position = Position(game, RULESET, None, START)
        async for events in pages(log, game, 0, length):
            position = followed(position, events)

    def bare() -> None:
        for one in data:
            msgspec.json.decode(one)

    def typed() -> None:
        for one in data:
            decode(one)

    start, done = perf_counter(), 0
    while perf_counter() - start < seconds:
        await load_and_fold()
        done += length
    loaded = done / (perf_counter() - start)
    return {
        LOADED: loaded,
        _DECODED: _events_a_second(bare, length, seconds),
        _TYPED: _events_a_second(typed, length, seconds),
    }


def _events_a_second(work: Callable[[], object], length: int, seconds: float) -> float:
    start, done = perf_counter(), 0
    while perf_counter() - start < seconds:
        work()
        done += length
    return done / (perf_counter() - start)

"""One demo from the first process to the last."""

import asyncio
import shlex
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from mcmulti.bots.client import Client, Problem
from mcmulti.bots.player import play
from mcmulti.bots.strategies import STRATEGIES
from mcmulti.bots.strategy import Strategy
from mcmulti.demo.display import Display
from mcmulti.demo.onlooker import Onlooker
from mcmulti.demo.report import report
from mcmulti.server import answering, bound, embedded, opened_log

HOST = "127.0.0.1"
NAMES = ("Amber", "Basalt", "Cobalt", "Dune")


@dataclass(frozen=True)
class Options:
    """What to play: a strategy for each seat, the cash it takes to declare victory, where to keep the game.

    `folder` None: a temporary one, removed at the end. `port` 0: any that is free.
    """

    strategies: tuple[str, ...] = ("tycoon",) * 4
    seed: int = 0
    target: int = 750
    folder: Path | None = None
    port: int = 0


async def demo(options: Options, console: Console) -> bool:
    """Play a game and prove it; whether all was proven. Raises `ServerError`, `Problem` and `ServerAway`."""
    started = time.monotonic()
    async with AsyncExitStack() as stack:
        with console.status("Starting PostgreSQL and the server …"):
            address = await stack.enter_async_context(_server(options))
        place = options.folder or "a temporary folder"
        seconds = f"{time.monotonic() - started:.1f} s"
        console.print(f"Server at [b]{address}[/b] ({seconds}), PostgreSQL in {place}", soft_wrap=True)
        game = await _play(address, options, console)
        async with Client(address) as client:
            proven = await report(client, game, options.strategies, console)
    _look_further(console, options, game)
    return proven


@asynccontextmanager
async def _server(options: Options) -> AsyncIterator[str]:
    """A server of our own; gives its address."""
    async with AsyncExitStack() as stack:
        listener = stack.enter_context(bound(HOST, options.port))
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mcmulti-demo-")))
        database = await stack.enter_async_context(embedded(folder))
        log = await stack.enter_async_context(opened_log(database))
        yield await stack.enter_async_context(answering(log, listener))


async def _play(address: str, options: Options, console: Console) -> str:
    """Let the bots play a game to its end, in sight of an onlooker; gives its id."""
    async with AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(Client(address)) for _ in options.strategies]
        onlooker = await stack.enter_async_context(Client(address))
        game: str | None = None
        for seat, client in enumerate(bots):
            await _register(client, NAMES[seat])
            if game is None:
                opened = await client.open_game(seats=len(bots), target=options.target)
                game = str(opened["game"])
            await client.take_seat(game, seat, entropy=f"{options.seed}-{seat}")
        assert game is not None
        console.print(f"Game [b]{game}[/b] of {len(bots)} bots to {options.target} million dollars", soft_wrap=True)
        with Display(console) as display:
            work = [
                *(play(client, game, strategy) for client, strategy in zip(bots, _minds(options), strict=True)),
                Onlooker(onlooker, game).watch(display),
            ]
            await _together(work)
        return game


def _minds(options: Options) -> list[Strategy]:
    return [STRATEGIES[name](options.seed * 10 + seat) for seat, name in enumerate(options.strategies)]


async def _together(work: list[Coroutine[Any, Any, Any]]) -> None:
    """All of it at once; when one fails, the others are cancelled and its error is raised."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _register(client: Client, name: str) -> None:
    """Register under the name, or the name with a number where it is taken by an earlier demo."""
    number = 1
    while True:
        try:
            await client.register(name if number == 1 else f"{name} {number}")
        except Problem as problem:
            if problem.code != "name_taken":
                raise
            number += 1
        else:
            return


def _look_further(console: Console, options: Options, game: str) -> None:
    """How to go on from here: with the game itself if it is kept, else with another one."""
    folder = shlex.quote(str(options.folder or "demo-game"))
    lines = [
        f"mcmulti replay {folder}   # step through it, and see why each thing happened",
        f"mcmulti audit {folder}    # follow every dollar and barrel",
        f"mcmulti verify {folder}   # prove that nobody tampered with it",
        f"mcmulti export {folder}   # take it elsewhere in a file",
        f"mcmulti serve --folder {folder}",
    ]
    if options.folder is None:
        advice = "To look further, keep a game in a folder:"
        lines.insert(0, f"mcmulti demo --folder {folder}")
    else:
        advice = "To look further:"
        lines.append(f"  http://{HOST}:8000/v1/games/{game}/board.svg")
    console.print(f"\n[b]{advice}[/b]")
    for line in lines:
        console.print(f"  {line}", highlight=False, markup=False, soft_wrap=True)

"""One demo from the first process to the last."""

import asyncio
import os
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from mcmulti.bots.seats.player import WAIT, play
from mcmulti.bots.seats.trouble import Watched
from mcmulti.bots.strategies.own import maker_of
from mcmulti.cli.records.onlooker import Onlooker
from mcmulti.cli.records.results import report
from mcmulti.client.client import Client, HttpProblem
from mcmulti.client.sources import fetched
from mcmulti.domain.rulesets import CURRENT, DEFAULT
from mcmulti.events.log.envelope import Recorded
from mcmulti.server.database import embedded, opened_log
from mcmulti.server.process import answering, bound

HOST = "127.0.0.1"
NAMES = ("Amber", "Basalt", "Cobalt", "Dune", "Ember", "Flint")
"""Names of the bots. From the seventh bot on the names repeat, and registration appends numbers."""
SUBSTITUTE = "Garnet"
"""The player who takes over for a bot that leaves."""


class Options(NamedTuple):
    """What to play: the rule set, a strategy for each seat, the setup, and where to keep the game.

    `folder` None: a temporary one, removed at the end. `port` 0: any free one. `leave`: the turn in which the bot on
    the last seat leaves and another takes over; None if all stay. `seconds`: how long a strategy may take to decide.
    """

    ruleset: str
    strategies: tuple[str, ...]
    seed: int
    setup: Mapping[str, Any]
    folder: Path | None
    port: int
    leave: int | None
    seconds: float


async def demo(options: Options, console: Console) -> bool:
    """Play a game and verify it. Returns whether all was proven.

    Raises `ServerError`, `HttpProblem`, and `ServerAway`, and `StrategyFailed` if a strategy cannot go on.
    """
    started = time.monotonic()
    async with AsyncExitStack() as stack:
        with console.status("Starting PostgreSQL and the server …"):
            address = await stack.enter_async_context(_server(options))
        place = options.folder or "a temporary folder"
        seconds = f"{time.monotonic() - started:.1f} s"
        console.print(f"Server at [b]{address}[/b] ({seconds}), PostgreSQL in {place}", soft_wrap=True)
        game = await _play_demo(address, options, console)
        async with Client(address) as client:
            proven = await report(client, game, options.strategies, console)
            position = last_position(await fetched(client, game))
    _look_further(console, options, game, position)
    return proven


@asynccontextmanager
async def _server(options: Options) -> AsyncIterator[str]:
    """Run a server of our own. Yields its address."""
    async with AsyncExitStack() as stack:
        listener = stack.enter_context(bound(HOST, options.port))
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mcmulti-demo-")))
        database = await stack.enter_async_context(embedded(folder))
        log = await stack.enter_async_context(opened_log(database))
        yield await stack.enter_async_context(answering(log, listener))


async def _play_demo(address: str, options: Options, console: Console) -> str:
    """Let the bots play a game to its end, shown by a spectator. Returns its id."""
    async with AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(Client(address)) for _ in options.strategies]
        onlooker = await stack.enter_async_context(Client(address))
        game: str | None = None
        for seat, client in enumerate(bots):
            await _register(client, NAMES[seat % len(NAMES)])
            if game is None:
                opened = await client.open_game(options.ruleset, **options.setup)
                game = str(opened["game"])
            await client.take_seat(game, seat, entropy=f"{options.seed}-{seat}")
        assert game is not None
        console.print(f"Game [b]{game}[/b] of {len(bots)} bots", soft_wrap=True)
        minds = _minds(options)
        for mind in minds:
            stack.callback(mind.close)
        playing = [partial(_played, client, game, mind) for client, mind in zip(bots, minds, strict=True)]
        if options.leave is not None:
            substitute = await stack.enter_async_context(Client(address))
            playing[-1] = partial(_play_and_leave, bots[-1], substitute, game, minds[-1], options.leave)
        await _together([*(part() for part in playing), Onlooker(onlooker, game, console).watch()])
        return game


async def _played(client: Client, game: str, mind: Watched) -> Any:
    """Play to the end. If the rules keep refusing a strategy's commands, the strategy has failed."""
    try:
        return await play(client, game, mind)
    except HttpProblem as problem:
        raise mind.refused(problem) from None


async def _play_and_leave(client: Client, substitute: Client, game: str, mind: Watched, turn: int) -> Any:
    """Play until this turn, leave, and let a substitute play on."""
    playing = asyncio.ensure_future(_played(client, game, mind))
    try:
        table = (await client.view(game))["table"]
        while table["turn"] < turn and table["status"] != "finished":
            await client.events(game, table["seq"], limit=1, wait=WAIT)
            table = (await client.view(game))["table"]
        if table["status"] == "finished":
            return await playing
        left = await client.send(game, [{"type": "Resign"}])
    finally:
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    await _register(substitute, SUBSTITUTE)
    await substitute.take_seat(game, left["seat"])
    return await _played(substitute, game, mind)


def _minds(options: Options) -> list[Watched]:
    minds = []
    for seat, name in enumerate(options.strategies):
        seed = options.seed * 10 + seat
        made = maker_of(options.ruleset, name)(seed)
        minds.append(Watched(made, name=name, ruleset=options.ruleset, seed=seed, seconds=options.seconds))
    return minds


async def _together(work: list[Coroutine[Any, Any, Any]]) -> None:
    """Run all of it at once. If one fails, cancel the others and raise its error."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _register(client: Client, name: str) -> None:
    """Register under the name. If an earlier demo took it, append a number."""
    number = 1
    while True:
        try:
            await client.register(name if number == 1 else f"{name} {number}", "bot")
        except HttpProblem as problem:
            if problem.code != "name_taken":
                raise
            number += 1
        else:
            return


def _look_further(console: Console, options: Options, game: str, position: int) -> None:
    """Print how to go on from here: with the game itself if it is kept, otherwise with another one.

    `position`: the event after which the board is worth a look.
    """
    ruleset = CURRENT[options.ruleset]
    folder = shlex.quote(str(options.folder or "demo-game"))
    rounds = "read it round by round, as the referee writes it"
    lines = [
        f"replay {folder}   # step through it, and see why each thing happened",
        *([] if ruleset.report is None else [f"report --round all {folder}   # {rounds}"]),
        f"report --whole {folder}   # who won, by which rule, and why",
        f"statistics {folder}   # whether it was luck",
        f"audit {folder}    # follow all that is counted",
        f"verify {folder}   # prove that nobody tampered with it",
        f"export {folder}   # take it elsewhere in a file",
        f"serve --folder {folder}",
    ]
    if options.folder is None:
        advice = "To look further, keep a game in a folder:"
        other = "" if options.ruleset == DEFAULT else f" --ruleset {options.ruleset}"
        lines.insert(0, f"demo{other} --folder {folder}")
    else:
        advice = "To look further:"
    console.print(f"\n[b]{advice}[/b]")
    shown = [f"{program()} {line}" for line in lines]
    if options.folder is not None and ruleset.picture is not None:
        shown.append(f"  http://{HOST}:8000/v1/games/{game}/board.svg?at={position}")
    for line in shown:
        console.print(f"  {line}", highlight=False, markup=False, soft_wrap=True)


def program() -> str:
    """What to type to run this installation of mcmulti, from the reader's current folder."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{_typed(Path(sys.executable))} -m mcmulti"
    return _typed(called)


def _typed(called: Path) -> str:
    """The name of a program if the path finds it, otherwise its location, relative if it is below the
    current folder.
    """
    place = Path(os.path.abspath(called))  # not resolved, since the programs of a virtual environment may be links
    if shutil.which(place.name) == str(place):
        return place.name
    return shlex.quote(str(place.relative_to(Path.cwd()) if place.is_relative_to(Path.cwd()) else place))


def last_position(events: Sequence[Recorded]) -> int:
    """The number of the event at the last decision. After the end of a game, the board shows little."""
    return next(event.seq for event in reversed(events) if event.command is not None) - 1

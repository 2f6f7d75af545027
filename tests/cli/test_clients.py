"""Both clients of the API at a real server: a whole game while the server is killed, and lists of several pages."""

import asyncio
import inspect
import re
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest

from mcmulti.bots.seats.player import play
from mcmulti.bots.seats.seat import Invitation, take_part
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.client.client import Client
from mcmulti.client.sync_client import SyncClient
from mcmulti.server.process import bound
from tests.cli.command import Command, running
from tests.docs.manual import page

EXAMPLES = Path(__file__).parents[2] / "examples"
GUIDE = "how-to/use-the-python-client"
KILLED_AFTER = 40
"""Events; the shortest game has many more."""


def _seen(server: str, game: str, noticed: list[int]) -> list[int]:
    """The numbers of all events that a stream without asyncio brings; also added to `noticed` as they come."""
    with SyncClient(server, patience=120) as client:
        noticed.extend(item["seq"] for item in client.follow(game) if "rule" in item)
    return noticed


async def _followed(server: str, game: str) -> list[int]:
    async with Client(server, patience=120) as client:
        return [item["seq"] async for item in client.follow(game) if "rule" in item]


async def test_each_plays_a_whole_game_although_the_server_is_killed(
    empty_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    bot = import_module("client_bot")
    with bound("127.0.0.1", 0) as free:
        port = free.getsockname()[1]
    options = ("serve", "--port", str(port))
    noticed: list[int] = []

    def opened(server: str) -> tuple[SyncClient, str]:
        client = SyncClient(server, patience=120)
        client.register("Sync", "bot")
        game = str(client.open_game("mcmulti", seats=2)["game"])
        client.take_seat(game)
        return client, game

    def server(command: Command) -> str:
        return command.line("Serving at ")

    with running(*options, temporary=tmp_path, DATABASE_URL=empty_database) as first:
        address = await asyncio.to_thread(server, first)
        own, game = await asyncio.to_thread(opened, address)
        async with Client(address, patience=120) as other:
            await other.register("Async", "bot")
            await other.take_seat(game)
            work = (
                asyncio.to_thread(bot.play, own, game),
                play(other, game, tycoon),
                asyncio.to_thread(_seen, address, game, noticed),
                _followed(address, game),
            )
            playing = asyncio.gather(*work)
            while len(noticed) < KILLED_AFTER:
                assert not playing.done()
                await asyncio.sleep(0.01)
            assert await asyncio.to_thread(first.interrupt, signal.SIGKILL) == -signal.SIGKILL
            with running(*options, temporary=tmp_path, DATABASE_URL=empty_database):
                winners, view, *followed = await playing
                shown = await other.view(game)
        own.close()
    assert (shown["view"]["status"], view["winners"]) == ("finished", winners)
    every_event = list(range(1, shown["seq"] + 1))
    assert shown["seq"] > 2 * KILLED_AFTER
    assert followed == [every_event, every_event]


async def test_the_example_opens_a_game_and_plays_it(empty_database: str, tmp_path: Path) -> None:
    with running("serve", "--port", "0", temporary=tmp_path, DATABASE_URL=empty_database) as command:
        address = await asyncio.to_thread(command.line, "Serving at ")
        arguments = (sys.executable, EXAMPLES / "client_bot.py", address, "Example")
        bot = await asyncio.create_subprocess_exec(*arguments, stdout=asyncio.subprocess.PIPE)
        assert bot.stdout is not None
        game = (await bot.stdout.readline()).decode().strip()
        await take_part(address, Invitation(game), "Tycoon", "tycoon", 0, lambda _: None)
        printed, _ = await bot.communicate()
        async with Client(address) as client:
            view = (await client.view(game))["view"]
    assert (bot.returncode, view["status"]) == (0, "finished")
    assert printed.decode() == f"Winners: {' '.join(map(str, view['winners']))}\n"


async def test_the_lists_of_the_guide_are_read_as_printed(empty_database: str, tmp_path: Path) -> None:
    """Here with small pages: the third of five tables is on the second one. No player is rated yet."""
    [lists] = [block for block in re.findall(r"```python\n(.*?)```", page(GUIDE), re.DOTALL) if "islice" in block]
    with running("serve", "--port", "0", temporary=tmp_path, DATABASE_URL=empty_database) as command:
        address = await asyncio.to_thread(command.line, "Serving at ")
        await asyncio.to_thread(_tabled, address)
        asked = lists.replace("http://127.0.0.1:8000", address).replace(
            '"finished", limit=100), 250', '"open", limit=2), 3'
        )
        program = await asyncio.create_subprocess_exec(sys.executable, "-c", asked, stdout=asyncio.subprocess.PIPE)
        printed, _ = await program.communicate()
    assert printed == b"3 0\n"


def test_the_guide_names_every_method() -> None:
    """Except the ones for programs that need the exact bytes, and `close`, which the context manager calls."""
    named = set(re.findall(r"`(\w+)\(", page(GUIDE).split("## Methods")[1])) - {"SyncClient"}
    methods = {name for name, member in vars(SyncClient).items() if inspect.isfunction(member) and name[0] != "_"}
    assert named == methods - {"lines", "pieces", "close"}


async def test_lists_are_read_to_the_last_page(empty_database: str, tmp_path: Path) -> None:
    with running("serve", "--port", "0", temporary=tmp_path, DATABASE_URL=empty_database) as command:
        address = await asyncio.to_thread(command.line, "Serving at ")
        tables, named = await asyncio.to_thread(_tabled, address)
        async with Client(address) as client:
            assert [table["game"] async for table in client.games(limit=2, order="moved")] == tables
            pages = [page async for page in client.pages(f"/v1/games/{tables[0]}/events", limit=1)]
    assert named == tables
    assert [[event["seq"] for event in page["events"]] for page in pages] == [[1], [2]]


def _tabled(server: str) -> tuple[Sequence[str], Sequence[str]]:
    """Five tables, the one that moved last first; and what the list without asyncio says."""
    with SyncClient(server) as client:
        client.register("Host", "bot")
        games = [str(client.open_game("mcmulti", seats=2)["game"]) for _ in range(5)]
        client.take_seat(games[-1])
        return games[::-1], [table["game"] for table in client.games(limit=2, order="moved")]

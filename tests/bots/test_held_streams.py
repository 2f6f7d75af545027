"""Both clients behind a proxy that holds streams back until they end, which they never do: the clients poll."""

import asyncio
from contextlib import aclosing
from importlib import import_module
from pathlib import Path

import pytest

from mcmulti.bots.seats.player import play
from mcmulti.bots.strategies.tycoon import tycoon
from mcmulti.client.client import Client
from mcmulti.client.sync_client import SyncClient
from tests.deploy.holding import holding

EXAMPLES = Path(__file__).parents[2] / "examples"


def _opened(server: str) -> tuple[SyncClient, str]:
    client = SyncClient(server)
    client.register("Sync", "bot")
    game = str(client.open_game("mcmulti", seats=2)["game"])
    client.take_seat(game)
    return client, game


async def _followed(server: str, game: str) -> tuple[list[int], int]:
    """The numbers of the events that a stream brings, and how often it was said to be lost."""
    async with Client(server) as client:
        lines = [line async for line in client.lines(game)]
        items = [item["seq"] async for item in client.follow(game) if "rule" in item]
    return items, lines.count(None)


@pytest.mark.parametrize("passes_heads", [False, True])
async def test_a_game_is_played_and_followed_to_its_end(
    server: str, passes_heads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    bot = import_module("client_bot")
    async with holding(server, passes_heads) as (address, _), Client(server) as other:
        own, game = await asyncio.to_thread(_opened, address)
        await other.register("Async", "bot")
        await other.take_seat(game)
        winners, view, (seen, lost) = await asyncio.gather(
            asyncio.to_thread(bot.play, own, game), play(other, game, tycoon), _followed(address, game)
        )
        last = (await other.view(game))["seq"]
        own.close()
    assert (view["status"], view["winners"]) == ("finished", winners)
    assert (seen, lost) == (list(range(1, last + 1)), 0)


async def test_the_lobby_brings_what_changes(server: str) -> None:
    async with (
        holding(server, passes_heads=True) as (address, _),
        Client(address) as client,
        Client(server) as host,
        Client(server) as guest,
    ):
        await host.register("Host")
        await guest.register("Guest")
        first = (await host.open_game("mcmulti", seats=2))["game"]
        async with aclosing(client.lobby(status="open")) as items:
            assert await anext(items) == {"type": "LobbyHead", "rows": 1}
            assert (await anext(items))["table"]["game"] == first
            second = (await host.open_game("mcmulti", seats=2))["game"]
            assert (await anext(items))["table"]["game"] == second
            await host.take_seat(second)
            moved = await anext(items)
            assert (moved["type"], moved["table"]["game"], moved["table"]["seq"]) == ("TableListed", second, 2)
            await guest.take_seat(second)
            await host.send(second, [{"type": "StartGame"}])
            news = [await anext(items)]
            while news[-1]["type"] == "TableListed":
                news.append(await anext(items))
    assert news[-1] == {"type": "TableGone", "game": second}

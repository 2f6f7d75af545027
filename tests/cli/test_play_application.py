"""The applications to play and to watch: what keys do, and how the moves of others appear."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any
from uuid import UUID, uuid4

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, RichLog

from mcmulti.cli.play.application import PlayApp
from mcmulti.cli.play.hand import Hand
from mcmulti.cli.replay.application import WatchApp
from mcmulti.cli.replay.live import LiveStory
from mcmulti.client.client import Client, HttpProblem
from mcmulti.client.following import Moved
from mcmulti.client.json_object import Json
from mcmulti.client.sources import fetched
from mcmulti.server.database import opened_log
from mcmulti.server.process import answering, bound

PATIENCE = 40.0
"""Seconds, long enough for a busy machine."""


@pytest.fixture
async def server(database: str) -> AsyncIterator[str]:
    """The address of a server."""
    with bound("127.0.0.1", 0) as listener:
        async with opened_log(database) as log, answering(log, listener) as address:
            yield address


class Sitting:
    """A game of two. One player is at the terminal, and the other sends what the test wants."""

    def __init__(self, ada: Client, ben: Client, game: str) -> None:
        self.ada, self.ben, self.game = ada, ben, game

    async def send(self, client: Client, *commands: Json) -> None:
        """Send a move."""
        await client.send(self.game, list(commands))


@asynccontextmanager
async def sitting(server: str, **setup: Any) -> AsyncIterator[Sitting]:
    """A game of two that has begun, with Ada to move."""
    async with Client(server) as ada, Client(server) as ben:
        for client, name in ((ada, "Ada"), (ben, "Ben [bold]x[/bold]")):
            await client.register(f"{name} {uuid4().hex[:6]}")
        game = str((await ada.open_game("mcmulti", seats=2, first_seat=0, **setup))["game"])
        await ada.take_seat(game)
        await ben.take_seat(game)
        await ada.send(game, [{"type": "StartGame"}])
        yield Sitting(ada, ben, game)


@asynccontextmanager
async def playing(table: Sitting, size: tuple[int, int] = (150, 50)) -> AsyncIterator[Pilot[None]]:
    """Ada's application."""
    hand = Hand(table.ada, UUID(table.game), "en")
    await hand.receive(Moved(tuple(await fetched(table.ada, table.game))))
    async with PlayApp(hand).run_test(size=size) as pilot:
        yield pilot


def _news(pilot: Pilot[None]) -> str:
    """The news, on one line."""
    return " ".join(" ".join(line.text for line in pilot.app.query_one("#news", RichLog).lines).split())


def _menu(pilot: Pilot[None]) -> list[str]:
    menu = pilot.app.query_one("#menu", OptionList)
    return [str(menu.get_option_at_index(number).prompt) for number in range(menu.option_count)]


async def _until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait until something is on the screen."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await pilot.pause(0.02)


async def _types(pilot: Pilot[None], line: str) -> None:
    pilot.app.query_one("#line", Input).value = line
    await pilot.press("enter")


async def test_a_move_is_typed_completed_or_chosen_and_others_moves_are_told(server: str) -> None:
    async with sitting(server) as table, playing(table) as pilot:
        await _until(pilot, lambda: any(row.startswith("buy asset rig") for row in _menu(pilot)))
        await pilot.press(*"buy ri")
        assert _menu(pilot) == ["rig"]
        await pilot.press("tab")
        assert pilot.app.query_one("#line", Input).value == "buy rig "
        assert "2,5" in _menu(pilot)
        await pilot.press(*"2,5", "enter")
        await _until(pilot, lambda: "places it at row 2, column 5" in _news(pilot))
        await pilot.press("tab")
        end = [row.split("  ")[0] for row in _menu(pilot)].index("end purchases")
        await pilot.press(*["down"] * (end + 1), "enter")
        await _until(pilot, lambda: "buys nothing more for the north-west" in _news(pilot))
        await table.send(table.ben, {"type": "EndPurchases"})
        await _until(
            pilot, lambda: "[bold]x[/bold]" in _news(pilot) and "buys nothing more for the north-east" in _news(pilot)
        )


async def test_what_chance_decides_is_confirmed_and_a_lost_race_changes_nothing(server: str) -> None:
    async with sitting(server, undo="own") as table:
        for client in (table.ada, table.ben, table.ada, table.ben):
            await table.send(client, {"type": "EndPurchases"})
        async with playing(table) as pilot:
            await _types(pilot, "roll")
            await _until(pilot, lambda: "Are you sure? yes or no" in _news(pilot))
            await _types(pilot, "no")
            await _until(pilot, lambda: "Not done." in _news(pilot))
            await _types(pilot, "sell crude domestic 1")
            await _until(pilot, lambda: "sells 1 barrel of crude" in _news(pilot))
            await pilot.press("ctrl+z")
            await _until(pilot, lambda: "taken back" in _news(pilot))
            assert "has moved." not in _news(pilot)  # which says only that moves can be taken back
            await _types(pilot, "roll")
            await _until(pilot, lambda: _news(pilot).count("Are you sure? yes or no") == 2)
            sale = {"type": "SellBarrels", "market": "domestic", "good": "crude", "quantity": 1}
            await table.send(table.ada, sale)  # from another client, while yes or no is asked
            await _types(pilot, "yes")
            await _until(pilot, lambda: "> yes" in _news(pilot))
            await pilot.pause(0.5)
            assert " rolls " not in _news(pilot)


async def test_resigning_is_asked_twice_and_hostile_lines_end_nothing(server: str) -> None:
    async with sitting(server) as table, playing(table, size=(80, 24)) as pilot:
        for line in ("[red", ":rule [/]", ":sheet /", "resign", "x" * 3000):
            await _types(pilot, line)
            await _until(pilot, lambda line=line: f"> {line}"[:20] in _news(pilot))  # type: ignore[misc]
        assert pilot.app.is_running
        assert (await table.ada.view(table.game))["table"]["seats"][0]["state"] == "taken"


async def test_who_watches_goes_along_unless_they_look_back(server: str) -> None:
    async with sitting(server) as table, Client(server) as onlooker:
        live = LiveStory(onlooker, UUID(table.game))
        await live.receive(Moved(tuple(await fetched(onlooker, table.game))))
        application = WatchApp(onlooker, UUID(table.game), live, "en")
        async with application.run_test(size=(140, 50)) as pilot:
            at = application.seq
            await table.send(table.ada, {"type": "EndPurchases"})
            await _until(pilot, lambda: application.seq > at)
            await pilot.press("home")
            await table.send(table.ben, {"type": "EndPurchases"})
            await _until(pilot, lambda: live.story.last > at + 1)
            assert application.seq == 1
            await pilot.press("end")
            assert application.seq == live.story.last
            told = json.loads(await onlooker.content(f"/v1/games/{table.game}"))
            assert live.table["hash"] == told["hash"]


async def test_a_bid_that_a_sealed_ceiling_may_answer_is_not_said_to_be_up_to_chance_alone(server: str) -> None:
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(Client(server)) for _ in range(3)]
        for client, name in zip(clients, ("Ada", "Ben", "Cleo"), strict=True):
            await client.register(f"{name} {uuid4().hex[:6]}")
        game = str((await clients[0].open_game("marracash", seats=3))["game"])
        for client in clients:
            await client.take_seat(game)
        await clients[0].send(game, [{"type": "StartGame"}])
        for client in clients:
            with suppress(HttpProblem):  # it is not the first player
                await client.send(game, [{"type": "PutUp", "shop": "R1", "bid": 100}])
        asked = (await clients[0].view(game))["view"]["auction"]["asked"]
        hand = Hand(clients[asked], UUID(game), "en")
        await hand.receive(Moved(tuple(await fetched(clients[asked], game))))
        await clients[(asked + 1) % 3].send(game, [{"type": "BidUpTo", "most": 400}])
        await hand.look()
        assert (await hand.enter(":try bid 125")).lines[-1] == "The rest is up to chance or to sealed ceilings."
        told = (await hand.enter("bid 125")).lines[-1]
        assert told == "bid 125: chance or sealed ceilings decide, and you cannot take it back. Are you sure? yes or no"
        assert (await hand.enter("no")).lines == ("Not done.",)


async def test_yes_to_a_move_that_is_out_of_date_says_so(server: str) -> None:
    """The other player moved between the question and its answer, so nothing is sent."""
    async with sitting(server) as table:
        hand = Hand(table.ada, UUID(table.game), "en")
        await hand.receive(Moved(tuple(await fetched(table.ada, table.game))))
        assert (await hand.enter("resign")).lines[-1].endswith("Are you sure? yes or no")
        await table.send(table.ben, {"type": "ProposeEnd", "how": "call_off"})
        await hand.look()
        answered = await hand.enter("yes")
        assert answered.lines == ("The game has moved on. Check your moves, and enter yours again.",)
        assert (await hand.enter("yes")).lines[0].startswith("'yes' does not fit here.")
        assert (await table.ada.view(table.game))["table"]["status"] == "running"


async def test_who_shares_a_terminal_leaves_it_to_the_next_one(server: str) -> None:
    async with sitting(server) as table:
        hand = Hand(table.ada, UUID(table.game), "en")
        await hand.receive(Moved(tuple(await fetched(table.ada, table.game))))
        application = PlayApp(hand, lambda: not hand.is_waited_for)
        async with application.run_test() as pilot:
            assert not application.passed
            await _types(pilot, "end")
            await _until(pilot, lambda: application.passed)
        assert application.failure is None

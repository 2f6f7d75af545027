"""A whole game, from the first move to the last, played on pages by typing alone: no mouse, nothing sent beside.

What is typed is what the bots would send, said in the grammar. In the middle the server is started anew. A third looks
on all the time; afterwards the game is replayed by keyboard and proven in the browser.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, cast

import pytest
from httpx import URL, AsyncClient
from playwright.async_api import Browser, Page, expect

from mcmulti.bots.strategies import strategies_of, strategy_for
from mcmulti.client.phrases import say
from mcmulti.events.memory import MemoryLog
from mcmulti.events.postgres import PostgresLog
from mcmulti.server.process import answering, bound
from tests.api.guests import Json, Table
from tests.web.browsing import Visit, visiting
from tests.web.people import account
from tests.web.playing import line

pytestmark = pytest.mark.needs("chromium")
UNASKED = "localStorage.setItem('mcmulti.asking', '{\"chance\": false, \"passing\": false}')"
LONGEST = 840
"""Seconds that a game may take."""
REST = 600
"""Milliseconds after which controls do what they say again when somebody else moved."""
PATIENCE = 40
"""Looks, one every 50 ms, by which what was typed has to be in the log."""


class House:
    """A server that can be started anew at the same address, on the same log."""

    def __init__(self) -> None:
        self.log = cast(PostgresLog, MemoryLog())
        self.port = 0
        self._running = AsyncExitStack()

    async def open(self) -> str:
        listener = self._running.enter_context(bound("127.0.0.1", self.port))
        self.port = listener.getsockname()[1]
        return await self._running.enter_async_context(answering(self.log, listener))

    async def close(self) -> None:
        await self._running.aclose()


@asynccontextmanager
async def evening(browser: Browser, ruleset: str, seats: int) -> AsyncIterator[tuple[House, Table, str, list[Visit]]]:
    """A game that has begun, and the visits of all who play it and of somebody who looks on, the last."""
    house = House()
    address = await house.open()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(house.close)
        client = await stack.enter_async_context(AsyncClient(base_url=URL(address), timeout=30))
        table = Table(client, house.log)
        game = await table.start(seats, ruleset)
        visits = []
        for who in [*[await account(guest) for guest in table.guests[:seats]], None]:
            visit = await stack.enter_async_context(visiting(browser, address, who))
            await visit.page.add_init_script(UNASKED)
            await visit.go(f"/games/{game}")
            await visit.page.locator(".story li").first.wait_for()
            visits.append(visit)
        yield house, table, game, visits


@pytest.mark.timeout(900)
async def test_a_whole_game_is_played_by_typing(browser: Browser) -> None:
    ruleset, seats = "millionenspiel", 3
    strategy = strategy_for(ruleset, strategies_of(ruleset)[0])(0)
    async with asyncio.timeout(LONGEST), evening(browser, ruleset, seats) as (house, table, game, visits):
        pages, onlooker = [visit.page for visit in visits[:-1]], visits[-1].page
        moves, before = 0, -1
        while (now := await shown(table, 0, game))["table"]["status"] != "finished":
            seat = now["table"]["to_move"][0]
            if seat != before:
                await pages[seat].wait_for_timeout(REST)
            before = seat
            mine = await shown(table, seat, game)
            offers = (await table.guests[seat].get(f"/v1/games/{game}/offers")).json()["offers"]
            command = strategy(mine["view"], offers)[0]
            await typed(pages[seat], say(command, offers), table, game, now["seq"])
            moves += 1
            if moves == 10:
                await house.close()
                await onlooker.get_by_text("The connection is lost").wait_for()
                await house.open()
                await expect(onlooker.get_by_text("The connection is lost")).to_have_count(0)
        last = now["seq"]
        for page in (*pages, onlooker):
            await expect(page.get_by_label("Moment", exact=True)).to_have_value(str(last))
            await expect(page.locator(".whose")).to_contain_text("won")
        await onlooker.keyboard.press("Home")
        await expect(onlooker.get_by_label("Moment", exact=True)).to_have_value("1")
        await visits[-1].go(f"/games/{game}/proof")
        await onlooker.locator("main").get_by_text("Proven, as far as it can be without the rules.").wait_for()


async def shown(table: Table, seat: int, game: str) -> Json:
    """The game as this seat sees it."""
    found: Any = (await table.guests[seat].get(f"/v1/games/{game}")).json()
    return cast(Json, found)


async def typed(page: Page, phrase: str, table: Table, game: str, seq: int) -> None:
    """Type a phrase, and again if the controls rested, until the game has moved on."""
    for _ in range(5):
        if not await line(page).evaluate("(line) => line === document.activeElement"):
            await page.keyboard.press("Escape")
            await page.keyboard.press("c")
            await expect(line(page)).to_be_focused()
        await line(page).press("Control+a")
        await page.keyboard.type(phrase)
        await page.keyboard.press("Enter")
        for _ in range(PATIENCE):
            if (await shown(table, 0, game))["seq"] != seq:
                return
            await page.wait_for_timeout(50)
    raise AssertionError(f"{phrase!r} moved nothing: {await page.get_by_role('log').inner_text()}")

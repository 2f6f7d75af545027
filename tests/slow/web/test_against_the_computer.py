"""Whole games against bots of the server, from the first page to the results, by clicks on what is visible."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from httpx import URL, AsyncClient
from playwright.async_api import Browser, Page, expect

from mcmulti.bots.strategies.registry import STRATEGIES
from mcmulti.bots.strategy import Command, Offer
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.children.house import HouseCounts, house_bots
from mcmulti.server.process import answering, bound
from tests.api.guests import Table
from tests.web.browsing import Visit, barriers, overflow, visiting
from tests.web.hands import by_clicks
from tests.web.short_games import ShortGame, settle

pytestmark = pytest.mark.needs("chromium")
LONGEST = 1200
"""Maximum seconds of a game, even on a busy machine."""
ACCOUNT = "JSON.parse(localStorage.getItem('mcmulti.account')).token"
GAMES = {
    "mcmulti": ("McMulti", "Tycoon", "desktop", ShortGame("mcmulti", 4, STRATEGIES["mcmulti"]["tycoon"](5), 121)),
    "marracash": (
        "MarraCash",
        "Merchant",
        "phone",
        ShortGame("marracash", 4, STRATEGIES["marracash"]["merchant"](5), 213),
    ),
}
"""By rule set: its title, the level of the bots, the window, and dice with which these players finish early."""


@asynccontextmanager
async def _house() -> AsyncIterator[Table]:
    """A server with house bots."""
    log = MemoryLog()
    with bound("127.0.0.1", 0) as listener:
        async with (
            answering(log, listener, house_bots=True) as address,
            AsyncClient(base_url=URL(address), timeout=60) as client,
            house_bots(log, address, HouseCounts(1)),
        ):
            yield Table(client, cast(PostgresLog, log))


@pytest.mark.timeout(LONGEST + 60)
@pytest.mark.parametrize("ruleset", [*GAMES])
async def test_a_visitor_plays_the_computer_to_the_end(
    browser: Browser, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    title, level, size, short = GAMES[ruleset]
    settle(monkeypatch, short)
    async with (
        asyncio.timeout(LONGEST),
        _house() as house,
        visiting(browser, str(house.client.base_url), size=size) as visit,  # type: ignore[arg-type]
    ):
        page = await visit.go("/")
        await page.get_by_role("button", name="Play the computer").click()
        await page.get_by_role("group", name=title, exact=True).get_by_role("button", name=level).click()
        await page.locator(".play[data-ready]").wait_for()  # two clicks, and the third one is a move
        token = await page.evaluate(ACCOUNT)
        house.client.headers["Authorization"] = f"Bearer {token}"
        moves, kinds = 0, set[str]()
        while (now := await _now(house, visit))["table"]["status"] == "running":
            if now["view"]["you"] not in now["table"]["to_move"]:
                await house.client.get(f"/v1/games/{now['game']}/events?after={now['seq']}&limit=1&wait=20")
                continue
            path = f"/v1/games/{now['game']}/offers"
            told: Any = (await house.client.get(path)).json()
            if told["seq"] != now["seq"]:
                continue
            [command, *_] = short.play(now["view"], told["offers"])
            await page.locator(f'.play[data-ready="{now["seq"]}"]').wait_for()
            if command["type"] not in kinds:
                kinds.add(command["type"])
                assert await barriers(page) == [], command
                assert await overflow(page) == 0, command
            await _made(house, visit, now["seq"], command, told["offers"])
            moves += 1
        assert moves > 10
        await _over(page)


async def _now(house: Table, visit: Visit) -> Any:
    """The game that the page shows, as its player sees it."""
    return (await house.client.get(f"/v1/games/{visit.page.url.rpartition('/')[2]}")).json()


async def _made(house: Table, visit: Visit, seq: int, command: Command, offers: list[Offer]) -> None:
    """Click, answer yes if the page asks for confirmation, and wait until the game has moved on.

    If the page says that the position has just changed, click again, as people do.
    """
    await by_clicks(visit.page, command, offers)
    async with asyncio.timeout(60):
        while (await _now(house, visit))["seq"] == seq:
            yes = visit.page.locator("dialog.question button").first
            if await yes.count():
                await yes.click()
            elif await visit.page.get_by_text("Look again, then choose.").count():
                await visit.page.wait_for_timeout(500)
                await by_clicks(visit.page, command, offers)
            await visit.page.wait_for_timeout(100)


async def _over(page: Page) -> None:
    """The results, and the way to the next game."""
    ending = page.locator(".ending")
    await expect(ending.get_by_role("button", name="Play again")).to_be_visible()
    await expect(ending.locator("tbody tr")).to_have_count(4)
    assert await barriers(page) == []
    await ending.get_by_role("button", name="Play again").click()
    await page.locator(".title .seats li").nth(3).wait_for()

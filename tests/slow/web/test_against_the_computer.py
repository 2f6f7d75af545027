"""Whole games against bots of the server, from the first page to the results, by clicks on what is visible."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from httpx import URL, AsyncClient
from playwright.async_api import Browser, Locator, Page, expect

from mcmulti.bots.strategy import Command, Offer
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.server.children.house import HouseCounts, house_bots
from mcmulti.server.process import answering, bound
from tests.api.guests import Table
from tests.profiles import profile_of
from tests.web.browsing import Visit, barriers, overflow, visiting
from tests.web.hands import by_clicks
from tests.web.short_games import settle

pytestmark = pytest.mark.needs("chromium")
LONGEST = 1200
"""Maximum seconds of a game, even on a busy machine."""
CONTROL = re.compile(r"\s*- (button|checkbox|combobox|link|radio|spinbutton|textbox)\b")
"""A line of the accessibility tree about something to use."""
PATIENCE = 120
"""Maximum seconds until all sheets of a round are in."""
ACCOUNT = "JSON.parse(localStorage.getItem('mcmulti.account')).token"
GAMES = {name: game for name in CURRENT if (game := profile_of(name).computer)}
"""By rule set, with dice with which these players finish early."""


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
@pytest.mark.parametrize("ruleset", GAMES)
async def test_a_visitor_plays_the_computer_to_the_end(
    browser: Browser, ruleset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    level, size, short = GAMES[ruleset]
    title = CURRENT[ruleset].called("en")
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
                assert await unnamed(page.locator(".play")) == [], command
            await _made(house, visit, now["seq"], command, told["offers"])
            moves += 1
        assert moves > 10
        await _over(page)


@pytest.mark.timeout(LONGEST + 60)
async def test_a_visitor_plays_the_computer_by_post_to_the_end(browser: Browser) -> None:
    """With a sheet in which nothing is ordered, until a bot has reached the goal."""
    async with (
        asyncio.timeout(LONGEST),
        _house() as house,
        visiting(browser, str(house.client.base_url), size="phone") as visit,
    ):
        page = await visit.go("/")
        await page.get_by_role("button", name="Play the computer").click()
        level = page.get_by_role("group", name="McMulti by post", exact=True).get_by_role("button", name="Tycoon")
        await level.click()
        await page.locator(".post").wait_for()
        token = await page.evaluate(ACCOUNT)
        house.client.headers["Authorization"] = f"Bearer {token}"
        rounds = 0
        while (now := await _now(house, visit))["table"]["status"] == "running":
            if now["view"]["you"] not in now["table"]["to_move"]:
                await house.client.get(f"/v1/games/{now['game']}/events?after={now['seq']}&limit=1&wait=20")
                continue
            number = now["view"]["round"]
            await page.get_by_role("heading", name=f"Order sheet for round {number}", exact=True).wait_for()
            if rounds in (0, 5):
                assert await barriers(page) == [], number
                assert await overflow(page) == 0, number
                assert await unnamed(page.locator(".post")) == [], number
            await page.get_by_role("button", name="Send the sheet").click()
            await page.locator("dialog.question button").first.click()
            await expect(page.get_by_role("dialog")).to_have_count(0)
            async with asyncio.timeout(PATIENCE):
                while (after := await _now(house, visit))["view"]["round"] == number:
                    if after["table"]["status"] != "running":
                        break
                    await page.wait_for_timeout(100)
            rounds += 1
        assert rounds > 5
        await _over(page)


async def unnamed(question: Locator) -> list[str]:
    """The controls of the question without a name, as lines of its accessibility tree."""
    tree = await question.aria_snapshot()
    controls = [each for each in tree.splitlines() if CONTROL.match(each)]
    assert controls, tree
    return [each for each in controls if '"' not in each]


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
    over = page.url
    await ending.get_by_role("button", name="Play again").click()
    await page.wait_for_url(lambda url: url != over)  # the seats of the old game remain in the page until then
    await page.locator(".title .seats li").nth(3).wait_for()

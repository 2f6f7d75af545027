"""The lobby in a browser with a thousand tables: when the first rows are there and all are counted, when a table opened
elsewhere is seen, and when the rows are narrowed by a name that is typed."""

import re
import time
from contextlib import AsyncExitStack
from itertools import count
from shutil import which
from typing import Any

import httpx
from playwright.async_api import Browser, async_playwright

from benchmarks.figures import Aim, Figure, Item, Measure, Taken
from benchmarks.scale import Scale
from mcmulti.api.streams.lobby import ROWS
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.memory.log import MemoryLog
from mcmulti.referee.referee import Referee
from mcmulti.server.process import answering, bound

TABLE: dict[str, Any] = {"ruleset": "mcmulti", "setup": {"seats": 2}}
FIRST = Figure("cold load, until the first tables are there", "ms")
COUNTED = Figure("cold load, until all are counted", "ms")
SEEN = Figure("a table opened elsewhere is shown, after at most 350 ms of gathering changes", "ms")
NARROWED = Figure("a name is typed, until the rows are narrowed", "ms")
AIMS: tuple[Aim, ...] = ()


async def _prepared(scale: Scale, exits: AsyncExitStack) -> list[Measure]:
    log = MemoryLog()
    referee, ruleset = Referee(log), CURRENT["mcmulti"]
    for _ in range(scale.tables):
        await referee.open(ruleset, ruleset.setup())
    listener = exits.enter_context(bound("127.0.0.1", 0))
    address = await exits.enter_async_context(answering(log, listener))
    client = await exits.enter_async_context(httpx.AsyncClient(base_url=address, trust_env=False))
    playwright = await exits.enter_async_context(async_playwright())
    browser = await playwright.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
    exits.push_async_callback(browser.close)
    token = (await client.post("/v1/players", json={"name": "Zoe"})).json()["token"]
    client.headers["Authorization"] = f"Bearer {token}"
    numbers = count(1)

    async def measure() -> Taken:
        number = next(numbers)
        return await _looked(browser, client, address, number, min(ROWS, scale.tables + number - 1))

    return [measure]


ITEMS = (Item("lobby", _prepared, (FIRST, COUNTED, SEEN, NARROWED), ("chromium",)),)


async def _looked(browser: Browser, client: httpx.AsyncClient, address: str, number: int, tables: int) -> Taken:
    """One look at this many tables, of which the client will have opened `number`."""
    page = await browser.new_page()
    start = time.perf_counter()
    await page.goto(address)
    await page.locator("li[data-game]").first.wait_for()
    first = time.perf_counter()
    await page.locator("#games-open .tag", has_text=str(tables)).wait_for()
    counted = time.perf_counter()
    asked = time.perf_counter()
    game = (await client.post("/v1/games", json=TABLE)).json()["game"]
    await client.post(f"/v1/games/{game}/seats", json={})
    await page.locator(f'li[data-game="{game}"]', has_text="Zoe").wait_for()
    seen = time.perf_counter()
    await page.get_by_label("Player, game, or id").fill("zoe")  # which no id begins with
    await page.locator("#games-open .tag", has_text=re.compile(f"^{number}$")).wait_for()
    narrowed = time.perf_counter()
    await page.context.close()
    taken = {FIRST: first - start, COUNTED: counted - start, SEEN: seen - asked, NARROWED: narrowed - seen}
    return {figure: 1000 * seconds for figure, seconds in taken.items()}

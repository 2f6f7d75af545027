"""The lobby in a browser with a thousand tables: how soon the first rows are there and all are counted, how large the
page is, how soon a table opened elsewhere is seen, and how soon the rows are narrowed by a name that is typed."""

import re
import time
from statistics import median
from typing import Any

import httpx
import uvloop
from playwright.async_api import Browser, async_playwright

from benchmarks.pages import CHROMIUM
from mcmulti.api.lobby import ROWS
from mcmulti.api.logging import configure
from mcmulti.domain.rulesets import CURRENT
from mcmulti.events.memory import MemoryLog
from mcmulti.referee.referee import Referee
from mcmulti.server.process import answering, bound

TIMES = 5
TABLE: dict[str, Any] = {"ruleset": "mcmulti", "setup": {"seats": 2}}


async def measure() -> None:
    """Look at the lobby, and print what that took."""
    configure(json=False, level="error")
    log = MemoryLog()
    referee, ruleset = Referee(log), CURRENT["mcmulti"]
    for _ in range(ROWS):
        await referee.open(ruleset, ruleset.setup())
    with bound("127.0.0.1", 0) as listener:
        async with (
            answering(log, listener) as address,
            httpx.AsyncClient(base_url=address, trust_env=False) as client,
            async_playwright() as playwright,
        ):
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            token = (await client.post("/v1/players", json={"name": "Ada"})).json()["token"]
            client.headers["Authorization"] = f"Bearer {token}"
            taken = [await _looked(browser, client, address, number) for number in range(1, TIMES + 1)]
            await browser.close()
    for what, *figures in zip(("first rows", "all counted", "opened elsewhere", "narrowed"), *taken, strict=True):
        print(f"{what}: median {median(figures):.0f} ms (of {TIMES}: {min(figures):.0f} to {max(figures):.0f})")


async def _looked(browser: Browser, client: httpx.AsyncClient, address: str, number: int) -> tuple[float, ...]:
    """One look: milliseconds until the first rows, until all, until a new table is there, until so many are left."""
    page = await browser.new_page()
    start = time.perf_counter()
    await page.goto(address)
    await page.locator("li[data-game]").first.wait_for()
    first = time.perf_counter()
    await page.locator("#games-open .tag", has_text=str(ROWS)).wait_for()
    counted = time.perf_counter()
    print(f"{await page.locator('*').count()} elements")
    asked = time.perf_counter()
    game = (await client.post("/v1/games", json=TABLE)).json()["game"]
    await client.post(f"/v1/games/{game}/seats", json={})
    await page.locator(f'li[data-game="{game}"]', has_text="Ada").wait_for()
    seen = time.perf_counter()
    await page.get_by_label("Player, game or id").fill("ada")
    await page.locator("#games-open .tag", has_text=re.compile(f"^{number}$")).wait_for()
    narrowed = time.perf_counter()
    await page.context.close()
    return tuple(1000 * each for each in (first - start, counted - start, seen - asked, narrowed - seen))


if __name__ == "__main__":
    uvloop.run(measure())

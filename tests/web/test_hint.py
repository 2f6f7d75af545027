"""Hints on the page of a practice game."""

from typing import Any

import pytest
from httpx import AsyncClient
from playwright.async_api import Browser, expect

from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering, bound
from tests.api.guests import Table
from tests.web.browsing import barriers, overflow, visiting

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.parametrize("gives", [True, False])
async def test_the_player_to_move_sees_moves_until_the_game_goes_on(browser: Browser, gives: bool) -> None:
    log: Any = MemoryLog()
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener, makes_reviews=gives) as address, AsyncClient(base_url=address) as client:
            table = Table(client, log)
            game, serious = await table.start(practice=True), await table.start()
            ada = table.guests[0]
            account = {**(await ada.get("/v1/players/me")).json(), "name": ada.name, "token": ada.token}
            async with visiting(browser, address, account, size="phone") as visit:
                page = await visit.go(f"/games/{game}")
                ask = page.get_by_role("button", name="What would you do?")
                await ask.press("Enter")
                hint = page.locator(".advice")
                if not gives:
                    await expect(hint).to_contain_text("No hint is available now.")
                    return
                await expect(hint.locator("li").first).to_contain_text("Chance to win: ")
                assert await overflow(page) == 0
                assert await barriers(page) == []
                assert (await ada.send(game, {"type": "EndPurchases"})).status_code == 200
                await expect(hint.locator("li")).to_have_count(0)
                await expect(ask).to_be_hidden()
                page = await visit.go(f"/games/{serious}")
                await expect(page.get_by_role("heading", name="Your moves")).to_be_visible()
                assert await page.get_by_role("button", name="What would you do?").count() == 0

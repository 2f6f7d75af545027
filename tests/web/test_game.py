"""The page of a game, as people watch it."""

import pytest
from playwright.async_api import Browser

from tests.api.guests import Table
from tests.web.browsing import barriers, overflow, visiting

pytestmark = pytest.mark.needs("chromium")


async def test_a_move_made_elsewhere_is_on_the_page_without_a_reload(browser: Browser, table: Table) -> None:
    game = await table.start(2)
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go(f"/games/{game}")
        await page.get_by_text("Ada to move").wait_for()
        assert (await table.guests[0].send(game, {"type": "EndPurchases"})).status_code == 200
        await page.get_by_text("Ben to move").wait_for(timeout=3000)
        assert await barriers(page) == []
        assert await overflow(page) == 0

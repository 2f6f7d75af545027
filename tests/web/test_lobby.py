"""The lobby as people see it."""

import pytest
from playwright.async_api import Browser

from tests.api.guests import Table
from tests.web.browsing import barriers, overflow, visiting

pytestmark = pytest.mark.needs("chromium")


async def test_whoever_opens_the_address_of_the_server_sees_the_games(browser: Browser, table: Table) -> None:
    game = await table.start(2)
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/")
        await page.get_by_role("heading", name="Games").wait_for()
        await page.locator(f'a[href="/games/{game}"]').first.wait_for()
        assert await barriers(page) == []
        assert await overflow(page) == 0

"""Several windows of one browser, all of them visible: a browser has six connections to a server for all of them."""

import pytest
from playwright.async_api import Browser, expect

from tests.api.guests import Table
from tests.web.browsing import visiting
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")


async def test_four_windows_follow_a_game_and_none_is_kept_waiting(browser: Browser, table: Table) -> None:
    game = await table.start(2)
    ada, ben = table.guests[:2]
    async with visiting(browser, str(table.client.base_url), await account(ada), own_window=True) as visit:
        first = await visit.go(f"/games/{game}")
        windows = [first, *[await visit.context.new_page() for _ in range(3)]]
        for page in windows[1:]:
            await page.goto(f"{visit.address}/games/{game}")
        for page in windows:
            assert not await page.evaluate("document.hidden")
            await expect(page.get_by_role("heading", level=1)).to_be_visible()
        resigned = await ben.send(game, {"type": "Resign"})
        assert resigned.status_code == 200, resigned.text
        for page in windows:
            await expect(page.get_by_role("button", name="Play again")).to_be_visible()

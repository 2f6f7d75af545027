"""Ratings as people see them: opening a rated table, the ladder, beside names, and what a game changed."""

from typing import Literal

import pytest
from playwright.async_api import Browser, expect

from tests.api.guests import Table
from tests.api.rated_games import come, lost
from tests.web.browsing import barriers, overflow, visiting
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")

HOSTILE = "<img src=x onerror=alert(1)>"


async def test_a_table_is_opened_as_rated_and_says_so_to_who_may_sit_down(browser: Browser, table: Table) -> None:
    (ann,) = await come(table, "Ann")
    async with visiting(browser, str(table.client.base_url), await account(ann)) as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Open a table").click()
        await page.get_by_label("List the table for everyone").uncheck()
        await expect(page.get_by_label("Rate the game")).to_be_disabled()
        await page.get_by_label("List the table for everyone").check()
        await page.get_by_label("Rate the game").check()
        await expect(page.get_by_label("With a clock")).to_be_checked()
        await page.get_by_role("button", name="Open the table").click()
        await expect(page.get_by_text("The game counts for ratings")).to_be_visible()
        listed = (await ann.get("/v1/games?mine=true")).json()["games"]
        assert [game["rated"] for game in listed] == [True]
        await visit.go("/")
        await expect(page.get_by_role("region", name="My games").get_by_text("rated", exact=True)).to_be_visible()


@pytest.mark.parametrize("size", ["desktop", "phone"])
async def test_who_is_how_strong_is_shown_on_the_ladder_and_beside_names(
    browser: Browser, table: Table, size: Literal["desktop", "phone"]
) -> None:
    ann, ben = await come(table, "Ann", HOSTILE)
    game = await lost(ann, ben)
    async with visiting(browser, str(table.client.base_url), await account(ann), size=size) as visit:
        page = await visit.go("/")
        await page.get_by_role("link", name="Ratings").click()
        first, second = page.get_by_role("row", name=HOSTILE), page.get_by_role("row", name="Ann")
        await expect(first).to_contain_text("1. ")
        await expect(first).to_contain_text("1,502")
        await expect(second).to_contain_text("1,498?")
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await page.get_by_label("Of").select_option("bots")
        await expect(page.get_by_text("Nobody has a rated game yet.")).to_be_visible()
        await page.reload()
        await expect(page.get_by_label("Of")).to_have_value("bots")
        await page.get_by_label("Of").select_option("people")
        await first.get_by_role("button", name=HOSTILE).click()
        await expect(page.get_by_role("dialog").get_by_role("row", name="McMulti 1,502")).to_be_visible()

        page = await visit.go(f"/games/{game}")
        await expect(page.get_by_text("Ann 1,500 → 1,498")).to_be_visible()
        page = await visit.go("/account")
        await expect(page.get_by_role("row", name="McMulti 1,498")).to_be_visible()
        page = await visit.go("/")
        row = page.locator(f'[data-game="{game}"]')
        await expect(row).to_contain_text("1,502")
        assert await barriers(page) == []
        assert await page.locator("img[src=x]").count() == 0

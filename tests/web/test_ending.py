"""The end of a game in small windows: the results and the board have room, one after the other."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.api.guests import Table
from tests.web.browsing import barriers, overflow
from tests.web.layouts import settled
from tests.web.looking_back import at, at_on_phone, looking

pytestmark = pytest.mark.needs("chromium")


async def share(page: Page) -> float:
    """The part of the window's height that the board has."""
    box, window = await page.locator(".room").bounding_box(), page.viewport_size
    assert box
    assert window
    return box["height"] / window["height"]


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 844)])
async def test_on_a_phone_the_results_fold_to_make_room_for_the_board(
    browser: Browser, table: Table, width: int, height: int
) -> None:
    async with looking(browser, table, "three-players", size="narrow") as (_, page):
        await page.set_viewport_size({"width": width, "height": height})
        results, title = page.locator(".ending tbody"), page.locator(".ending h2 button")
        await expect(title).to_have_attribute("aria-expanded", "true")
        await expect(page.get_by_role("link", name="Picture to share")).to_be_in_viewport(ratio=1)
        await expect(results.locator("tr").first).to_be_in_viewport(ratio=0.9)
        await title.click()
        await expect(results).to_be_hidden()
        assert await share(page) > 0.6
        await title.click()
        await expect(results).to_be_visible()
        assert await overflow(page) == 0
        assert await barriers(page) == []


async def test_on_a_phone_a_replay_leaves_the_room_to_the_board_until_the_results_are_asked_for(
    browser: Browser, table: Table
) -> None:
    async with looking(browser, table, "three-players", "?at=300", size="narrow") as (_, page):
        await at_on_phone(page, 300)
        results, title = page.locator(".ending tbody"), page.locator(".ending h2 button")
        await expect(title).to_have_attribute("aria-expanded", "false")
        await expect(page.get_by_role("button", name="Try another move from here")).to_be_in_viewport(ratio=1)
        await page.locator(".board svg").wait_for()
        await settled(page)
        assert await share(page) > 0.55
        await title.click()
        await expect(results).to_be_visible()
        await page.get_by_role("button", name="Forward one event").click()
        await at_on_phone(page, 301)
        await expect(results).to_be_visible()  # what was asked for stays
        await page.get_by_role("button", name="End", exact=True).click()
        await page.get_by_role("button", name="Back one event").click()
        await expect(results).to_be_hidden()
        assert await barriers(page) == []


async def test_beside_the_board_the_results_stay_open(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "three-players", "?at=300") as (_, page):
        await at(page, 300)
        await expect(page.locator(".ending tbody")).to_be_visible()


async def test_on_a_phone_that_lies_on_its_side_the_board_fills_the_window(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "three-players", "?at=300", size="narrow") as (_, page):
        await page.set_viewport_size({"width": 844, "height": 390})
        await at_on_phone(page, 300)
        await settled(page)
        assert await share(page) > 0.6

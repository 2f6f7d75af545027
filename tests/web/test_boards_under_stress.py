"""Boards while the connection is lost, on slow machines, in two windows, and in another language."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from tests.api.guests import Table
from tests.web.browsing import visiting
from tests.web.looking_back import SAME, at, looking, scrubbed
from tests.web.people import account
from tests.web.playing import moves

pytestmark = pytest.mark.needs("chromium")


async def drawn(page: Page, seq: int, language: str = "en") -> None:
    """Wait until the board is the one that the server draws for this moment."""
    await page.wait_for_function(f"async (given) => await ({SAME})(given)", arg=[seq, language])


async def test_playback_pauses_without_a_connection_and_the_board_comes_with_it(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "three-players", "?at=20", own_window=True) as (_, page):
        await at(page, 20)
        await page.get_by_role("button", name="Try another move from here").wait_for()  # by then, all modules are there
        await page.context.set_offline(True)
        await page.get_by_label("Events per second").select_option("20")
        await page.get_by_role("button", name="Play", exact=True).click()
        await expect(page.locator(".caption")).to_contain_text("does not answer")
        await expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        reached = int(await page.get_by_label("Moment", exact=True).input_value())
        await scrubbed(page, 400)
        await expect(page.locator(".caption")).to_contain_text("does not answer")
        await page.context.set_offline(False)
        await at(page, 400)
        await drawn(page, 400)
        await expect(page.locator(".caption")).not_to_contain_text("does not answer")
        await scrubbed(page, reached)
        await drawn(page, reached)


async def test_a_window_that_was_offline_shows_what_the_other_one_shows(browser: Browser, table: Table) -> None:
    game = await table.start(2)
    ada, ben = table.guests
    rig = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 1, "column": 1}}
    address = str(table.client.base_url)
    async with (
        visiting(browser, address, await account(ada), own_window=True) as one,
        visiting(browser, address, await account(ben), own_window=True, language="de") as other,
    ):
        pages = [await each.go(f"/games/{game}") for each in (one, other)]
        for page in pages:
            await moves(page).wait_for()
        await other.context.set_offline(True)
        await ada.send(game, rig)
        last = (await ada.send(game, {"type": "EndPurchases"})).json()["seq"]
        await drawn(pages[0], last)
        await expect(pages[1].locator(".lost")).to_be_visible()
        await other.context.set_offline(False)
        await expect(pages[1].locator(".lost")).to_be_hidden()
        await drawn(pages[1], last, "de")
        await expect(pages[1].locator(".play .asks").or_(pages[1].locator(".play ol.moves"))).not_to_have_count(0)


async def test_the_moment_stays_when_the_language_changes(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "three-players", "?at=200", own_window=True) as (visit, page):
        await at(page, 200)
        second = await visit.context.new_page()
        await second.goto(page.url)
        await at(second, 200)
        await scrubbed(page, 230)
        await page.get_by_label("Language").select_option("de")
        await expect(page.locator(".scrubber")).to_have_value("230")
        await expect(page.locator(".story [aria-current]")).to_have_attribute("data-seq", "230")
        await drawn(page, 230, "de")
        await scrubbed(second, 231)  # the other window goes on in its own
        await drawn(second, 231)


@pytest.mark.parametrize("calm", [True, False])
async def test_on_a_slow_machine_the_last_moment_wins(browser: Browser, table: Table, calm: bool) -> None:
    async with looking(browser, table, "mcmulti-undo", "?at=300", calm=calm, own_window=True) as (_, page):
        await at(page, 300)
        session = await page.context.new_cdp_session(page)
        await session.send("Emulation.setCPUThrottlingRate", {"rate": 6})
        for seq in (*range(300, 420, 3), *range(420, 340, -5), 1802, 5, 1800):
            await scrubbed(page, seq)
        await at(page, 1800)
        await drawn(page, 1800)
        await page.get_by_label("Events per second").select_option("20")
        await page.get_by_role("button", name="Play", exact=True).click()
        await page.wait_for_function("() => Number(document.querySelector('.scrubber').value) > 1830")
        await page.get_by_role("button", name="Pause").click()
        paused = int(await page.get_by_label("Moment", exact=True).input_value())
        await at_last_told(page, paused)
        await drawn(page, paused)
        animated = await page.evaluate("document.querySelector('.board').getAnimations({ subtree: true }).length")
        assert not (calm and animated)


async def at_last_told(page: Page, seq: int) -> None:
    """Wait until the count shows this moment."""
    await expect(page.locator(".count")).to_have_text(re.compile(f"^{seq} /"))

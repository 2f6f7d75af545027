"""Trying another move: a practice game continues on this device from a moment of a finished game."""

import pytest
from playwright.async_api import Browser, expect

from tests.api.guests import Table
from tests.web.browsing import barriers, overflow, visiting
from tests.web.people import account
from tests.web.playing import moves

pytestmark = pytest.mark.needs("chromium")


async def test_another_move_is_tried_from_a_moment_that_is_shown(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    ada, ben = table.guests
    at = (await ada.get(f"/v1/games/{game}")).json()["seq"]
    assert (await ben.send(game, {"type": "Resign"})).status_code == 200
    server = str(table.client.base_url)
    async with visiting(browser, server, await account(ada), size="phone") as visit:
        page = await visit.go(f"/games/{game}")
        panel = page.locator(".panel.branch")
        await expect(panel).to_contain_text("Go back to any moment")
        await expect(panel.get_by_role("button")).to_be_hidden()
        page = await visit.go(f"/games/{game}?at={at}")
        await panel.get_by_role("button", name="Try another move from here").click()
        await expect(panel.get_by_label("You play").locator("option:checked")).to_have_text("Ada")
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await panel.get_by_label("You play").select_option("1")
        await panel.get_by_role("button", name="Start here").click()
        await page.wait_for_url(lambda url: game not in url)
        branch = page.url.rpartition("/")[2]
        told = (await ada.get(f"/v1/games/{branch}")).json()
        assert told["branch_of"]["seq"] == at
        assert [seat["name"] for seat in told["table"]["seats"]] == ["Person 1", "Ada"]
        assert (told["table"]["practice"], told["table"]["status"]) == (True, "running")
        await page.get_by_role("button", name="I am ").click()
        await moves(page).wait_for()

    async with visiting(browser, server, language="de") as visit:  # not signed in yet, and gets an account on the way
        page = await visit.go(f"/games/{game}?at={at}")
        await page.get_by_role("button", name="Von hier anders weiterspielen").click()
        await page.get_by_role("button", name="Abbrechen").click()
        await page.get_by_role("button", name="Von hier anders weiterspielen").click()
        await page.get_by_role("button", name="Hier beginnen").click()
        await page.wait_for_url(lambda url: game not in url)
        await page.get_by_role("button", name="Ich bin ").click()
        await moves(page).wait_for()

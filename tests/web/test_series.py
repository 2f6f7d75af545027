"""Series on their page: open one, hand out its address, sit down, and see in the end who made more of the same dice."""

import pytest
from playwright.async_api import Browser, expect

from tests.api.guests import Guest, Table
from tests.api.rated_games import Contender, come
from tests.web.browsing import barriers, overflow, visiting

pytestmark = pytest.mark.needs("chromium")


def account(guest: Contender) -> dict[str, str]:
    return {"player": guest.player, "name": guest.name, "token": guest.token}


async def sit(game: str, *guests: Guest) -> None:
    for guest in guests:
        assert (await guest.post(f"/v1/games/{game}/seats", json={})).status_code == 201


async def begin(game: str, *guests: Guest) -> None:
    await sit(game, *guests)
    assert (await guests[0].send(game, {"type": "StartGame"})).status_code == 200


async def test_from_the_form_to_the_standings(browser: Browser, table: Table) -> None:
    ada, ben, cleo, dan = await come(table, "Ada", "Ben", "Cleo", "Dan")
    address = str(table.client.base_url)
    async with visiting(browser, address, account(ada)) as visit:
        page = await visit.go("/")
        await page.get_by_role("link", name="Same dice at several tables").click()
        await expect(page.get_by_label("Players", exact=True)).to_have_value("4")
        await page.get_by_label("Players", exact=True).select_option("2")
        assert await barriers(page) == []
        await page.get_by_role("button", name="Open the series").press("Enter")
        await expect(page.get_by_role("heading", name="Series of McMulti")).to_be_visible()
        assert await barriers(page) == []
        series = page.url.rpartition("/")[2]
        one, other = (each["game"] for each in (await ada.get(f"/v1/series/{series}")).json()["tables"])
        await page.get_by_role("link", name="Sit down: Table 1").press("Enter")
        await page.get_by_role("button", name="Sit down").first.click()
        await expect(page.get_by_role("button", name="Leave the table")).to_be_visible()
        await expect(page.get_by_text("Your own randomness")).to_be_hidden()
        await page.get_by_role("link", name="Table 1 of 2 with the same dice").click()
        await expect(page.get_by_role("link", name="View: Table 2")).to_be_visible()

        assert (await ben.post(f"/v1/games/{one}/seats", json={})).status_code == 201
        assert (await ada.send(one, {"type": "StartGame"})).status_code == 200
        await begin(other, cleo, dan)
        assert (await ben.send(one, {"type": "Resign"})).status_code == 200
        assert (await cleo.send(other, {"type": "Resign"})).status_code == 200
        await visit.go(f"/series/{series}")
        best = page.locator(".standings tbody tr").first
        await expect(best).to_contain_text("1 of 1")
        await expect(page.get_by_role("heading", name="Seed")).to_be_visible()
        assert await barriers(page) == []
        await page.get_by_role("link", name="Proof of table 2").click()
        await expect(page.get_by_text("drawn again from the revealed seed")).to_be_visible()
        await expect(page.locator(".verdict")).to_have_attribute("data-verdict", "proven")


async def test_others_see_on_a_phone_who_plays_but_not_the_tables(browser: Browser, table: Table) -> None:
    ada, ben = await come(table, "Ada", "Ben")
    body = {"ruleset": "mcmulti", "tables": 2, "setup": {"seats": 2}}
    series = (await ada.post("/v1/series", json=body)).json()
    game = series["tables"][0]["game"]
    await begin(game, ada, ben)
    async with visiting(browser, str(table.client.base_url), size="phone", language="de") as visit:
        page = await visit.go(f"/series/{series['series']}")
        first = page.locator(".tables li.panel").first
        await expect(first).to_contain_text("verborgen, bis alle Tische fertig sind")
        await expect(first.get_by_role("button", name="Ada")).to_be_visible()
        assert await overflow(page) == 0
        assert await barriers(page) == []
        await visit.go(f"/games/{game}")
        await expect(page.get_by_role("heading", name="Dieser Tisch ist noch verborgen")).to_be_visible()
        await visit.go("/series/none")
        await expect(page.get_by_role("heading", name="Diese Serie gibt es nicht.")).to_be_visible()

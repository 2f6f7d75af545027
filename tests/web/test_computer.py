"""Playing the computer: two clicks from the first page to a running game."""

from typing import cast

import pytest
from playwright.async_api import Browser, Page, expect

from mcmulti.api.admission.house import LEVELS
from mcmulti.domain.rulesets import CURRENT
from tests.api.guests import Table
from tests.profiles import profile_of
from tests.web.browsing import barriers, overflow, visiting
from tests.web.people import account
from tests.web.playing import moves

pytestmark = pytest.mark.needs("chromium")


async def table_of(page: Page, house: Table) -> dict[str, object]:
    """The table that a page shows."""
    await page.wait_for_url("**/games/*")
    told: dict[str, object] = (await house.client.get(f"/v1/games/{page.url.rpartition('/')[2]}")).json()["table"]
    return told


@pytest.mark.parametrize("ruleset", [*LEVELS])
async def test_two_clicks_lead_a_visitor_to_a_game_that_goes_on(ruleset: str, browser: Browser, house: Table) -> None:
    async with visiting(browser, str(house.client.base_url)) as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Play the computer").click()
        title = CURRENT[ruleset].called("en")
        strongest = profile_of(ruleset).levels[-1].removeprefix(f"{ruleset}-").capitalize()
        game = page.get_by_role("group", name=title, exact=True)
        await game.get_by_role("button", name=strongest).click()
        await page.wait_for_url("**/games/*")
        await moves(page).wait_for()
        shown = await table_of(page, house)
        names = [seat["name"] for seat in cast(list[dict[str, str]], shown["seats"])]
        bots = [name for name in names if strongest.lower() in name.lower()]
        [me] = {*names} - {*bots}
        assert (shown["status"], shown["ruleset"], shown["listed"], len(bots)) == ("running", ruleset, False, 3)
        assert me.startswith("Guest ")
        await visit.go("/")
        await expect(page.get_by_role("region", name="My games").get_by_role("link").first).to_be_visible()


async def test_every_game_has_all_its_levels_and_a_button_can_be_reached_by_keyboard(
    browser: Browser, house: Table
) -> None:
    async with visiting(browser, str(house.client.base_url)) as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Play the computer").focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("region", name="Play the computer")).to_be_focused()
        for ruleset, levels in LEVELS.items():
            game = page.get_by_role("group", name=CURRENT[ruleset].called("en"), exact=True)
            assert await game.get_by_role("button").count() == len(levels)
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await page.keyboard.press("Tab")
        await page.keyboard.type("Zoe")
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("checkbox", name="This is my first game")).to_be_focused()
        await page.keyboard.press("Tab")
        await expect(page.get_by_role("group", name="McMulti", exact=True).get_by_role("button").first).to_be_focused()
        await page.keyboard.press("Enter")
        shown = await table_of(page, house)
        assert cast(list[dict[str, str]], shown["seats"])[0]["name"] == "Zoe"


async def test_a_name_that_is_taken_is_refused_and_another_one_will_do(browser: Browser, house: Table) -> None:
    await house.guest("Ada")
    async with visiting(browser, str(house.client.base_url)) as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Play the computer").click()
        await page.get_by_label("Your name").fill("Ada")
        random = page.get_by_role("group", name="MarraCash").get_by_role("button", name="Random")
        await random.click()
        await expect(page.get_by_role("alert")).to_contain_text("Ada")
        await page.get_by_label("Your name").fill("Ada of the hill")
        await random.click()
        await page.wait_for_url("**/games/*")


async def test_whoever_has_an_account_keeps_it_and_reads_german(browser: Browser, house: Table) -> None:
    who = await account(await house.guest("Änne"))
    async with visiting(browser, str(house.client.base_url), who, language="de") as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Gegen den Computer spielen").click()
        await expect(page.get_by_label("Dein Name")).to_have_count(0)
        await page.get_by_role("group", name="Millionenspiel").get_by_role("button", name="Zocker").click()
        shown = await table_of(page, house)
        assert cast(list[dict[str, str]], shown["seats"])[0]["name"] == "Änne"


async def test_a_server_without_bots_says_so(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Play the computer").click()
        panel = page.get_by_role("region", name="Play the computer")
        await expect(panel).to_contain_text("This server runs no bots")
        assert await panel.get_by_role("button").all_inner_texts() == ["Cancel"]


async def test_seats_of_any_table_are_filled_each_at_its_level(browser: Browser, house: Table) -> None:
    who = await account(await house.guest("Ada"))
    async with visiting(browser, str(house.client.base_url), who) as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Open a table").click()
        await page.get_by_label("Seats for bots").fill("3")
        for number, level in ((1, "Magnate"), (2, "any bot looking for games"), (3, "Random")):
            await page.get_by_label(f"Bot {number}").select_option(label=level)
        await page.get_by_role("button", name="Open the table").click()
        await page.wait_for_url("**/games/*")
        for name in ("Ada", "Magnate", "Random"):
            await expect(page.locator(".waiting-room").get_by_role("button", name=name, exact=True)).to_be_visible()
        shown = await table_of(page, house)
        names = [seat["name"] for seat in cast(list[dict[str, str]], shown["seats"])]
        assert (names, shown["bots"], shown["house_bots"]) == (["Ada", None, "Magnate", "Random"], [1], [])

"""Positions as text: copied from a moment of a game, changed, and played on from."""

import json

import pytest
from playwright.async_api import Browser, Page, expect

from tests.api.guests import Table
from tests.pure.library.random_games import middle
from tests.web.browsing import barriers, overflow, visiting
from tests.web.people import account
from tests.web.playing import moves

pytestmark = pytest.mark.needs("chromium")


async def copied(page: Page, button: str, label: str) -> str:
    """The text of the position that a button copies."""
    await page.get_by_role("button", name=button).click()
    return await page.get_by_role("textbox", name=label).input_value()


async def test_a_position_is_copied_from_a_replay_and_a_practice_table_begins_from_it(
    browser: Browser, table: Table
) -> None:
    game = await table.market_phase()
    ada, ben = table.guests
    at = (await ada.get(f"/v1/games/{game}")).json()["seq"]
    server = str(table.client.base_url)
    async with visiting(browser, server, await account(ada)) as visit:  # her own game, which is not rated, now
        page = await visit.go(f"/games/{game}")
        await page.get_by_role("tab", name="Position").click()
        now = json.loads(await copied(page, "Copy this position", "Position"))
        assert now == (await ada.get(f"/v1/games/{game}/position")).json()
    async with visiting(browser, server) as visit:  # a spectator of a running game
        page = await visit.go(f"/games/{game}")
        await expect(page.locator(".story li").first).to_be_visible()
        await expect(page.get_by_role("tab", name="Position")).to_have_count(0)
        await expect(page.get_by_role("button", name="Copy this position")).to_have_count(0)
    assert (await ben.send(game, {"type": "Resign"})).status_code == 200
    async with visiting(browser, server, size="phone", language="de") as visit:
        page = await visit.go(f"/games/{game}?at={at}")
        text = await copied(page, "Diese Stellung kopieren", "Stellung")
        assert json.loads(text) == now
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await page.get_by_role("link", name="Aus einer Stellung spielen").click()
        field = page.get_by_role("textbox", name="Stellung")
        await field.fill(text)
        await expect(page.get_by_text("Eine Stellung von McMulti mit 2 Spielern.")).to_be_visible()
        await page.get_by_label("Du spielst").select_option("1")
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await page.get_by_role("button", name="Weiterspielen").click()  # an account is made on the way
        await page.wait_for_url(lambda url: "/games/" in url)
        begun = f"/v1/games/{page.url.rpartition('/')[2]}"
        practice = (await ada.get(begun)).json()["table"]
        assert (practice["practice"], practice["status"]) == (True, "running")
        assert practice["seats"][0]["name"] == "Person 1"
        assert (await ada.get(f"{begun}/position")).json()["position"] == now["position"]
        await page.get_by_role("button", name="Ich bin ").click()
        await moves(page).wait_for()


async def test_what_is_wrong_with_a_pasted_position_is_named_with_its_field(browser: Browser, table: Table) -> None:
    document = middle("mcmulti").position()
    async with visiting(browser, str(table.client.base_url), size="phone") as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Play from a position").press("Enter")
        field = page.get_by_role("textbox", name="Position")
        await expect(field).to_be_focused()
        play, said = page.get_by_role("button", name="Play on", exact=True), page.locator("#position-said")
        await play.press("Enter")
        await expect(said).to_have_text("Paste a position first.")
        without_setup = {name: value for name, value in document.items() if name != "setup"}
        for wrong, reason in (
            ("1. e4 e5", "This is not a position: it must be a JSON object, as the page of a game copies it."),
            ("[1]", "This is not a position: it must be a JSON object, as the page of a game copies it."),
            (json.dumps(without_setup), "This is not a position: setup is missing."),
            (json.dumps({**document, "format": 2}), "format: it is 2, but this server knows 1."),
            (
                json.dumps({**document, "version": 99}),
                f"version: it is 99, but this server knows {document['version']}.",
            ),
        ):
            await field.fill(wrong)
            await expect(said).to_have_text(reason)
            await expect(field).to_have_attribute("aria-invalid", "true")
        await field.fill(json.dumps({**document, "ruleset": "chess"}))
        await expect(said).to_contain_text("ruleset: it is chess, but this server knows")
        quadrants = document["position"]["quadrants"]
        full = [{**quadrants[0], "rigs": 2**37 - 1, "wells": 0}, *quadrants[1:]]
        impossible = {**document, "position": {**document["position"], "quadrants": full}}
        await field.fill(json.dumps(impossible))
        await expect(field).to_have_attribute("aria-invalid", "false")
        await play.click()
        refused = page.get_by_role("alert")
        await expect(refused).to_contain_text("No game can stand in this position: position.quadrants[0].rigs")
        await expect(refused).to_contain_text("36")
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await field.fill(json.dumps(document))
        await expect(refused).to_have_count(0)
        await play.click()
        await page.wait_for_url(lambda url: "/games/" in url)

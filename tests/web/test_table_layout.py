"""The page of a game in windows of all sizes: questions are visible and reachable, and the board has the rest."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from mcmulti.domain.rulesets import CURRENT
from tests.api.guests import Table
from tests.profiles import profile_of
from tests.web.browsing import overflow, visiting
from tests.web.layouts import FINGER, LIGHTS, LOOK, SIZES, TOUCHED, at_every_size, settled
from tests.web.long_games import played
from tests.web.people import account
from tests.web.playing import seated

pytestmark = pytest.mark.needs("chromium")


@pytest.mark.parametrize("command", ["BuyAsset", "SellBarrels"])
async def test_the_longest_questions_of_the_box_game_fit_too(browser: Browser, table: Table, command: str) -> None:
    game = await played(table, "mcmulti", 0, want=command)
    async with visiting(browser, str(table.client.base_url), await account(table.guests[0])) as visit:
        page = await visit.go(f"/games/{game}")
        await page.locator(f'.play[data-ready] [data-command="{command}"]').first.wait_for()
        assert await at_every_size(page, command) == []


@pytest.mark.parametrize("ruleset", [name for name in CURRENT if profile_of(name).places is not None])
async def test_what_can_be_picked_on_the_board_is_large_enough_for_a_finger(
    browser: Browser, table: Table, ruleset: str
) -> None:
    """The board is enlarged automatically to pick a site, or by its button by post, where sites are only a help."""
    want = profile_of(ruleset).places or ""
    game = await played(table, ruleset, 0 if want else 10, want=want)
    async with visiting(browser, str(table.client.base_url), await account(table.guests[0])) as visit:
        page = await visit.go(f"/games/{game}")
        await page.locator(".play[data-ready]").wait_for()
        await page.locator(".board .light").first.wait_for()
        enlarge = page.get_by_role("button", name="Enlarge the board")
        for width, height in TOUCHED:
            await page.set_viewport_size({"width": width, "height": height})
            await settled(page)
            if await enlarge.get_attribute("aria-pressed") != "true":
                await enlarge.click()
            await expect(enlarge).to_have_attribute("aria-pressed", "true")
            lights: Any = await page.evaluate(LIGHTS)
            assert lights
            assert [light for light in lights if light["least"] < FINGER or light["part"] < 0.6] == [], width
            assert await overflow(page) == 0
            await enlarge.click()
            await settled(page)
            assert (await page.evaluate(LOOK))["wrong"] == [], width


async def test_on_a_phone_the_board_has_the_room_of_the_moves_while_others_are_to_move(
    browser: Browser, table: Table
) -> None:
    game = await table.start()
    async with seated(browser, table, game, 2, size="narrow") as visits:
        shares = []
        for visit, shown in zip(visits, ("It is your move.", "Waiting for other players."), strict=True):
            await expect(visit.page.locator(".play .state")).to_have_text(shown)
            box = await visit.page.locator(".room").bounding_box()
            assert box
            shares.append(box["height"] / 640)
        assert shares[0] < 0.5
        assert shares[1] > 0.6


async def test_the_story_shows_the_newest_at_any_size_and_each_turn_once_and_frames_only_what_an_event_changed(
    browser: Browser, table: Table
) -> None:
    """The story is read a hundred events at a time. One of the pages ends within a turn."""
    game = await played(table, "mcmulti", 10)
    async with visiting(browser, str(table.client.base_url), await account(table.guests[0])) as visit:
        page = await visit.go(f"/games/{game}")
        turns = page.locator(".story h3")
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            await settled(page)
            if width > 1000:
                await expect(page.locator(".story [aria-current]")).to_be_in_viewport()
        await page.locator(".story").evaluate("story => { story.scrollTop = 0; }")
        await expect(turns.first).to_have_text("Before the first turn")
        await expect(turns).to_have_count(11)
        assert len(set(await turns.all_text_contents())) == 11
        for turn, frames in ((1, 1), (9, 2)):  # who began; who played, and who plays: not what the dice hit before
            await page.locator(".story a", has_text=f"Turn {turn}: ").click()
            await expect(page.locator(".board .mark")).to_have_count(frames)

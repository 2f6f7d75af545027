"""Puzzles on their page: look at a position, choose a move, and see what each is worth."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.api.guests import Table
from tests.web.browsing import barriers, overflow, visiting
from tests.web.playing import moves

pytestmark = pytest.mark.needs("chromium")


async def puzzles(table: Table, language: str) -> list[Any]:
    found = (await table.client.get(f"/v1/rulesets/mcmulti/puzzles?language={language}")).json()["puzzles"]
    assert len(found) > 1
    return list(found)


async def answer(page: Page, said: str, check: str) -> None:
    option = page.get_by_role("radio", name=said, exact=True)
    await option.focus()
    await option.press("Space")
    await page.get_by_role("button", name=check).press("Enter")


async def test_a_move_is_chosen_and_every_move_says_what_it_is_worth_and_why(browser: Browser, table: Table) -> None:
    first, second, *_ = await puzzles(table, "en")
    best, *_, worst = sorted(first["moves"], key=lambda move: move["loss"]["value"])
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/")
        await page.get_by_role("link", name="Puzzles").click()
        await expect(page.get_by_role("heading", name="Puzzle 1 of ")).to_be_visible()
        picture = page.get_by_role("img", name="The board")
        await expect(picture).to_have_js_property("complete", True)
        assert await picture.evaluate("image => image.naturalWidth") > 0
        await page.get_by_role("button", name="Check").press("Enter")
        verdict = page.locator(".verdict")
        await expect(verdict).to_have_text("Choose a move first.")
        assert await barriers(page) == []
        await answer(page, worst["said"], "Check")
        await expect(verdict).to_have_text(
            f"No. This move costs {worst['loss']['value']:.1%}, compared with the best one."
        )
        worth = page.locator(".solution li")
        await expect(worth).to_have_count(len(first["moves"]))
        await expect(worth.first).to_contain_text(best["line"])
        await expect(worth.first).to_contain_text(f"Chance to win {best['chance']['value']:.0%}")
        await expect(page.get_by_text("0 of 1 right at the first try")).to_be_visible()
        await answer(page, best["said"], "Check")  # a second try counts for nothing
        await expect(verdict).to_have_text("Right, this is the best of these moves.")
        await expect(page.get_by_text("0 of 1 right at the first try")).to_be_visible()
        assert await barriers(page) == []
        await page.get_by_role("button", name="Next puzzle").click()
        await expect(page.get_by_role("heading", name="Puzzle 2 of ")).to_be_focused()
        [right] = [move for move in second["moves"] if move["loss"]["value"] == 0]
        await answer(page, right["said"], "Check")
        await expect(page.get_by_text("1 of 2 right at the first try")).to_be_visible()
        await page.go_back()
        await expect(page.get_by_role("heading", name="Puzzle 1 of ")).to_be_visible()


async def test_on_a_phone_in_german_and_from_a_puzzle_to_a_practice_game(browser: Browser, table: Table) -> None:
    first, *_ = await puzzles(table, "de")
    async with visiting(browser, str(table.client.base_url), size="phone", language="de") as visit:
        page = await visit.go("/learn?game=mcmulti&puzzle=1")
        name = first["names"][first["seat"]]
        await expect(page.get_by_role("group", name=f"{name} ist am Zug. Was würdest du spielen?")).to_be_visible()
        await answer(page, first["moves"][0]["said"], "Prüfen")
        assert await overflow(page) == 0
        assert await barriers(page) == []
        await page.get_by_role("link", name="Von hier weiterspielen").click()
        await expect(page.get_by_text("Eine Stellung von McMulti mit")).to_be_visible()
        await page.get_by_role("button", name="Weiterspielen").click()
        await page.wait_for_url(lambda url: "/games/" in url)
        await page.get_by_role("button", name="Ich bin ").click()
        await moves(page).wait_for()
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go("/learn?game=postal")
        await expect(page.get_by_text("There are no puzzles for this game yet.")).to_be_visible()

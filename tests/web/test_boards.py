"""Boards on the page of a game: the server's drawings, put together by the browser, with few requests."""

import re

import pytest
from playwright.async_api import Browser, Page, Request, expect

from tests.api.guests import Table
from tests.golden.games import load
from tests.web.test_game_replay import GOLDEN, at, looking

pytestmark = pytest.mark.needs("chromium")
GAMES = ("three-players", "by-post-sales", "marracash-three-players", "millionenspiel-four-on-yellow")
"""A game of each rule set."""

SAME = """async ([at, language]) => {
  const asked = await fetch(`/v1${location.pathname}/board.svg?at=${at}&language=${language}`);
  const text = (await asked.text()).replace(/<style>[^<]*<.style>/, "");  // which the policy forbids to parse
  const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const shown = document.querySelector(".board").shadowRoot.querySelector("svg").cloneNode(true);
  for (const moved of shown.querySelectorAll("[style]")) moved.removeAttribute("style");
  for (const name of ["viewBox", "width", "height"]) for (const each of [drawn, shown]) each.removeAttribute(name);
  for (const each of [drawn, shown]) each.normalize();
  return drawn.isEqualNode(shown);
}"""


async def scrubbed(page: Page, seq: int) -> None:
    """Move the scrubber, as dragging does."""
    slider = page.locator(".scrubber")
    await slider.evaluate("(it, at) => { it.value = at; it.dispatchEvent(new Event('input')); }", str(seq))


def boards_asked(page: Page) -> list[str]:
    """The requests of boards from now on."""
    found = list[str]()

    def asked(request: Request) -> None:
        if "/boards?" in request.url or "/board.svg" in request.url:
            found.append(request.url)

    page.on("request", asked)
    return found


@pytest.mark.parametrize(("file", "language"), [*((file, "en") for file in GAMES), ("three-players", "de")])
async def test_the_board_of_each_moment_is_the_drawing_of_the_server(
    browser: Browser, table: Table, file: str, language: str
) -> None:
    length = len(load(GOLDEN / f"{file}.jsonl"))
    async with looking(browser, table, file, f"?at={length // 2}", language=language) as (_, page):
        await page.locator(".story [aria-current]").wait_for()
        jumps = (1, length - 1, 30, 31, 29, length // 2, length // 2 + 7, length // 3, 2, 60, 110, 109)
        for seq in (length // 2, *jumps):
            await scrubbed(page, seq)
            await expect(page.locator(".count")).to_have_text(re.compile(f"^{seq} /"))
            await page.wait_for_function(f"async (given) => await ({SAME})(given)", arg=[seq, language], timeout=60_000)


async def test_dragging_needs_no_request_for_each_step(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "three-players", "?at=110") as (_, page):
        await at(page, 110)
        asked = boards_asked(page)
        for seq in (*range(111, 149), *range(147, 101, -1)):
            await scrubbed(page, seq)
            await page.wait_for_timeout(20)
        await at(page, 102)
        assert len(asked) <= 2  # the board beside the first one, and those around it
        assert all("/boards?" in address for address in asked)
        asked.clear()
        await page.context.set_offline(True)
        for seq in (120, 140, 103):  # what is cached needs no server
            await scrubbed(page, seq)
            await expect(page.locator(".count")).to_have_text(re.compile(f"^{seq} /"))
        await page.context.set_offline(False)
        await page.wait_for_function(f"async (given) => await ({SAME})(given)", arg=[103, "en"])
        assert asked == [address for address in asked if "board.svg" in address]


async def test_playback_asks_for_spans_ahead(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "three-players", "?at=5") as (_, page):
        await at(page, 5)
        asked = boards_asked(page)
        await page.locator(".replay select").select_option("20")
        await page.locator(".replay .steps button").nth(2).click()
        await page.wait_for_function("() => Number(document.querySelector('.scrubber').value) >= 120", timeout=60_000)
        await page.locator(".replay .steps button").nth(2).click()
        assert len(asked) <= 6
        shown = int(await page.locator(".scrubber").input_value())
        await page.wait_for_function(f"async (given) => await ({SAME})(given)", arg=[shown, "en"])

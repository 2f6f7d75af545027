"""The page of a game in windows of all sizes: what the game asks for is there, and the board has the room that is left."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page

from tests.api.guests import Table
from tests.web.browsing import overflow, visiting
from tests.web.long_games import LAST, LONG_GAMES, played
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")
SIZES = [(320, 568), (390, 844), (768, 1024), (1366, 768), (1920, 1080), (3840, 2160)]
TURNS = (1, 10, 50)
SEEN = """() => {
  // The part of an element that is inside the window and that nothing covers, by points on it.
  const part = (element) => {
    const box = element.getBoundingClientRect();
    let free = 0;
    for (let row = 0; row < 5; row++)
      for (let column = 0; column < 5; column++) {
        const [x, y] = [box.left + ((column + 0.5) * box.width) / 5, box.top + ((row + 0.5) * box.height) / 5];
        const hit = document.elementFromPoint(x, y);
        free += Boolean(hit && (element.contains(hit) || hit.closest("label")?.contains(element)));
      }
    return free / 25;
  };
  const shown = (element) => element.checkVisibility({ visibilityProperty: true });
  const name = (element) => `${element.closest("[data-command]")?.dataset.command ?? ""} ${element.textContent || element.dataset.part}`;
  const asked = [...document.querySelectorAll(".asks .move, ol.moves .move")];
  const parts = asked.flatMap((move) => [...move.querySelectorAll("[data-part], .sentence")]).filter(shown);
  parts.push(...[...document.querySelectorAll(".post .sending button")].filter(shown));
  const first = document.querySelector(".post") ? ".post .sending button" : ":is(.asks, ol.moves) .move [data-part]:not([data-part=try])";
  const begun = document.querySelector(first);
  const actions = document.querySelector(".actions");
  actions.scrollTop = 0;
  const hidden = [];
  if (begun && part(begun) < 0.6) hidden.push(`at once: ${name(begun)}`);
  for (const each of parts) {
    each.scrollIntoView({ block: "nearest" });
    if (part(each) < 0.6) hidden.push(name(each));
  }
  const bar = [...document.querySelectorAll(".replay .scrubber, .replay .live")].filter((each) => part(each) < 0.6).length;
  const elsewhere = [document.scrollingElement, document.querySelector(".room")].filter((each) => each.scrollTop).length;
  actions.scrollTop = 0;
  const board = document.querySelector(".board").shadowRoot.querySelector("g.table").getBoundingClientRect();
  return { asked: parts.length, hidden, bar, elsewhere, board: { width: board.width, height: board.height } };
}"""
BESIDE = 960
"""Pixels from which on the actions stand beside the board."""


async def settled(page: Page) -> None:
    """Wait until the board was laid out for the size of the window."""
    await page.evaluate("() => new Promise((on) => requestAnimationFrame(() => requestAnimationFrame(on)))")


async def at_every_size(page: Page, where: str) -> list[str]:
    """What is wrong with the page in windows of all sizes."""
    wrong = []
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await settled(page)
        seen: Any = await page.evaluate(SEEN)
        found = [f"hidden: {each}" for each in seen["hidden"]]
        if not seen["asked"]:
            found.append("nothing is asked")
        if seen["bar"]:
            found.append("the replay is covered")
        if seen["elsewhere"]:
            found.append("what is asked was scrolled to elsewhere than in its own place")
        if wider := await overflow(page):
            found.append(f"{wider} pixels wider than the window")
        board = seen["board"]
        large = board["height"] > 0.7 * height or board["width"] > (0.4 if width >= BESIDE else 0.85) * width
        if width == 768:
            large = board["width"] > 0.5 * width  # the whole board, above the actions
        if not large:
            found.append(f"the board is {board['width']:.0f} by {board['height']:.0f} pixels")
        wrong += [f"{where}, {width} by {height}: {each}" for each in found]
    return wrong


async def _turn(table: Table, game: str) -> int:
    shown: Any = (await table.client.get(f"/v1/games/{game}")).json()
    return int(shown["table"]["turn"])


@pytest.mark.timeout(300)
@pytest.mark.parametrize("ruleset", LONG_GAMES)
async def test_what_the_game_asks_for_is_seen_in_every_window_however_long_it_lasts(
    browser: Browser, table: Table, ruleset: str
) -> None:
    wrong = []
    for turn in TURNS:
        game = await played(table, ruleset, turn)
        who = await account(table.guests[0])
        async with visiting(browser, str(table.client.base_url), who, language="de" if turn == 10 else "en") as visit:
            page = await visit.go(f"/games/{game}")
            await page.locator(".play[data-ready]").wait_for()
            await page.locator(".story [aria-current]").wait_for()
            assert (await _turn(table, game)) >= min(turn, LAST[ruleset])
            if ruleset == "postal":
                await page.locator(".post .sending button").first.wait_for()
            wrong += await at_every_size(page, f"turn {turn}")
    assert wrong == []


@pytest.mark.parametrize("command", ["BuyAsset", "SellBarrels"])
async def test_the_longest_questions_of_the_box_game_fit_too(browser: Browser, table: Table, command: str) -> None:
    game = await played(table, "mcmulti", 0, want=command)
    async with visiting(browser, str(table.client.base_url), await account(table.guests[0])) as visit:
        page = await visit.go(f"/games/{game}")
        await page.locator(f'.play[data-ready] [data-command="{command}"]').first.wait_for()
        assert await at_every_size(page, command) == []

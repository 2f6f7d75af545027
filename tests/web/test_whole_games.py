"""Whole short games, played through the pages alone: begun, played by everybody, and ended by agreement.

More of them, to their natural end, are in tests/slow/web.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.api.guests import Json, Table
from tests.web.playing import line, moves, seated

pytestmark = pytest.mark.needs("chromium")
UNASKED = '{"chance": false, "passing": false}'
MOVES = 8
"""How many moves are made before all agree to end the game."""
CLICK = """(turn) => {
  const moves = [...document.querySelectorAll(".play ol.moves .move")];
  const move = moves[turn % moves.length];
  if (!move) return;
  for (const select of move.querySelectorAll("select")) {
    select.selectedIndex = 1;
    select.dispatchEvent(new Event("change"));
  }
  const radios = move.querySelector("input[type=radio]");
  radios?.click();
  const more = [...move.querySelectorAll(".steps button")].at(-1);
  if (turn % 2) more?.click();
  move.querySelector('button[type=submit], button.whole, .choices button').click();
}"""


async def by_mouse(page: Page, turn: int) -> None:
    """One of the moves on the page, with random choices."""
    await page.evaluate(CLICK, turn)


async def by_keys(page: Page, _: int) -> None:
    """The last move on the page, by its number."""
    last = await page.locator(".play ol.moves > li").count()
    if last:
        await page.keyboard.press("Escape")  # out of a field, where a number is a value
        await page.keyboard.press(str(last))
        await page.keyboard.press("Enter")


async def said(page: Page, phrase: str) -> None:
    """Type a move in words, and confirm it."""
    await page.keyboard.press("Escape")
    await page.keyboard.press("c")
    await expect(line(page)).to_be_focused()
    await page.keyboard.type(phrase)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def ready(table: Table, game: str, page: Page) -> None:
    """Wait until the controls are enabled again after the moves of others."""
    seq = (await _now(table, game))["seq"]
    await page.locator(f'.play[data-ready="{seq}"]').wait_for()


async def _now(table: Table, game: str) -> Any:
    found: Json = (await table.guests[0].get(f"/v1/games/{game}")).json()["table"]
    return found


@pytest.mark.parametrize(
    ("ruleset", "seats", "play"),
    [("millionenspiel", 3, by_keys), ("marracash", 3, by_mouse)],
)
async def test_people_play_a_short_game_against_each_other(
    browser: Browser, table: Table, ruleset: str, seats: int, play: Callable[[Page, int], Awaitable[None]]
) -> None:
    game = await table.start(seats, ruleset)
    async with asyncio.timeout(600), seated(browser, table, game, seats, asking=UNASKED) as visits:
        pages = [visit.page for visit in visits]
        made: list[int] = [(await _now(table, game))["seq"]]
        acted: set[int] = set()
        while len(made) <= MOVES:
            now = await _now(table, game)
            if now["seq"] != made[-1]:
                made.append(now["seq"])
            seat = now["to_move"][0]
            acted.add(seat)
            await expect(moves(pages[seat]).locator("ol.moves .move").first).to_be_visible()
            await play(pages[seat], len(made))
            await pages[seat].wait_for_timeout(150)
        assert acted == {*range(seats)}
        await ready(table, game, pages[0])
        await said(pages[0], "propose end call_off")
        for page in pages[1:]:
            await page.locator('[data-command="AnswerEnd"]').first.wait_for()
            await ready(table, game, page)
            await page.locator('[data-command="AnswerEnd"] [data-part="true"]').first.focus()
            await page.keyboard.press("Enter")
            await expect(page.locator('[data-command="AnswerEnd"]')).to_have_count(0)  # then `ready` knows of this vote
        for page in pages:
            await expect(moves(page)).to_have_count(0)
        over = await _now(table, game)
        assert over["status"] == "finished"

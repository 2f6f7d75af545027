"""Playback and dragging: they keep their pace, the board stays in its place, and only what changed is drawn."""

from itertools import pairwise

import pytest
from playwright.async_api import Browser, Page, expect

from tests.api.guests import Table
from tests.golden.games import load
from tests.web.looking_back import GOLDEN, at, looking, scrubbed

pytestmark = pytest.mark.needs("chromium")

PLACES = """async (moments) => {
  const slider = document.querySelector(".scrubber");
  const places = [];
  for (const seq of moments) {
    slider.value = seq;
    slider.dispatchEvent(new Event("input"));
    await new Promise((on) => requestAnimationFrame(() => requestAnimationFrame(on)));
    const svg = document.querySelector(".board").shadowRoot.querySelector("svg");
    const parts = ["table", "beside", "tracks", "legend"].map((name) => svg.querySelector(`:scope > g.${name}`));
    places.push([svg.getAttribute("viewBox"), ...parts.map((part) => part?.style.transform)].join(" "));
  }
  return places;
}"""
"""Where the parts of the board are at these moments, one after the other."""
ADDED = """async (seq) => {
  const board = document.querySelector(".board").shadowRoot.querySelector("g.table");
  const added = [];
  const watched = new MutationObserver((changes) => added.push(...changes.flatMap((change) => [...change.addedNodes])));
  watched.observe(board, { childList: true, subtree: true });
  const slider = document.querySelector(".scrubber");
  slider.value = seq;
  slider.dispatchEvent(new Event("input"));
  while (!document.querySelector(".count").value.startsWith(`${seq} `) || !added.length) {
    await new Promise((on) => setTimeout(on, 20));
  }
  return added.map((node) => node.dataset.part);
}"""
"""The parts on the board that are new at a moment."""


async def shown(page: Page, seq: int) -> None:
    """Drag to a moment, and wait until it is shown."""
    await scrubbed(page, seq)
    await at(page, seq)


async def test_twenty_events_a_second_are_twenty_events_a_second(browser: Browser, table: Table) -> None:
    """However long drawing takes: boards that would come too late are omitted."""
    async with looking(browser, table, "three-players", "?at=110", own_window=True) as (_, page):
        await at(page, 110)
        for seq in (130, 131, 111):
            await shown(page, seq)
        await page.wait_for_load_state(
            "networkidle"
        )  # by then, the boards of events 101 to 125 and 126 to 150 are there
        await page.clock.install()
        await page.clock.pause_at(await page.evaluate("Date.now() + 60_000"))
        await page.get_by_label("Events per second").select_option("20")
        await page.get_by_role("button", name="Play", exact=True).click()
        for seq in (114, 117, 120, 123, 126, 129):  # three events in each 150 ms, as if drawing one board took as long
            await page.clock.fast_forward(150)
            await expect(page.get_by_label("Moment", exact=True)).to_have_value(str(seq))
        await page.clock.fast_forward(
            60_000
        )  # a minute without answers, as when the computer slept, is not made up for
        await expect(page.get_by_label("Moment", exact=True)).to_have_value("133")
        await page.get_by_role("button", name="Pause").click()


@pytest.mark.parametrize("file", ["three-players", "marracash-four-players", "millionenspiel-clock"])
async def test_the_board_stays_in_its_place_from_moment_to_moment(browser: Browser, table: Table, file: str) -> None:
    """Parts that grow make room for themselves once: on the way back, nothing moves."""
    async with looking(browser, table, file, "?at=60") as (_, page):
        await at(page, 60)
        for seq in (61, 80, 81):
            await shown(page, seq)
        await page.wait_for_load_state("networkidle")  # by then, the boards of events 51 to 75 and 76 to 100 are there
        there, back = list(range(60, 100)), list(range(99, 59, -1))
        grown = await page.evaluate(PLACES, there)
        assert set(await page.evaluate(PLACES, back)) == {grown[-1]}


async def test_only_what_an_event_changed_is_drawn_anew(browser: Browser, table: Table) -> None:
    """A refinery covers four spaces, which are one on the board: only that one is new, and no other space of 141."""
    events = load(GOLDEN / "three-players.jsonl")
    built = next(
        event for before, event in pairwise(events) if event.type == "AssetBought" and b'"refinery"' in event.data
    )
    async with looking(browser, table, "three-players", f"?at={built.seq - 1}") as (_, page):
        await at(page, built.seq - 1)
        parts = await page.evaluate(ADDED, built.seq)
        assert [part for part in parts if part] == [part for part in parts if part and part.startswith("site-")][:1]

"""Looking back at finished golden games."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, expect

from mcmulti.events.log.codec import opened_with
from mcmulti.events.ports.game_index import TableRow
from tests.api.guests import Table
from tests.golden.games import load, seed_of
from tests.web.browsing import Visit, visiting

GOLDEN = Path(__file__).parents[1] / "golden"
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
"""Whether the shown board is the one that the server draws."""


@asynccontextmanager
async def looking(
    browser: Browser, table: Table, file: str, at: str = "", **more: Any
) -> AsyncIterator[tuple[Visit, Page]]:
    """A visit to the page of a finished golden game."""
    events = load(GOLDEN / f"{file}.jsonl")
    ruleset = opened_with(events[0])
    await table.log.create(
        events[0].game_id, ruleset.name, ruleset.version, TableRow("finished"), seed_of(events), events
    )
    async with visiting(browser, str(table.client.base_url), **more) as visit:
        page = await visit.go(f"/games/{events[0].game_id}{at}")
        await page.locator(".story [aria-current]").wait_for()
        yield visit, page


async def at(page: Page, seq: int) -> None:
    """Wait until the page shows this moment, with its sentence in view."""
    await at_on_phone(page, seq)
    await expect(page.locator(".story [aria-current]")).to_be_in_viewport()


async def at_on_phone(page: Page, seq: int) -> None:
    """The same, with the story scrolled further down."""
    await expect(page.get_by_label("Moment", exact=True)).to_have_value(str(seq))
    await expect(page.locator(".story [aria-current]")).to_have_attribute("data-seq", str(seq))


async def scrubbed(page: Page, seq: int) -> None:
    """Move the scrubber, as dragging does."""
    slider = page.locator(".scrubber")
    await slider.evaluate("(it, at) => { it.value = at; it.dispatchEvent(new Event('input')); }", str(seq))

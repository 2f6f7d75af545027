"""The review of a game on its page: asked for with one click, followed, and read."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from httpx import AsyncClient
from playwright.async_api import Browser, Page, expect

from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.evaluation.reviews.review import review
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.game_index import TableRow
from mcmulti.library.record import Record
from mcmulti.projections.reviews import FinishedReview, Review, kept_review
from mcmulti.server.process import answering, bound
from tests.golden.games import seed_of
from tests.pure.evaluation.blunder import game_with_a_blunder
from tests.web.browsing import SIZES, barriers, overflow, visiting

pytestmark = pytest.mark.needs("chromium")

AROUND = 6
"""How many events before and after the blunder are reviewed."""


class Town(NamedTuple):
    """A server with a finished game, and what a review of its blunder finds."""

    address: str
    log: MemoryLog
    game: UUID
    found: Review
    blunder: int

    @property
    def page(self) -> str:
        """The address of the review."""
        return f"/games/{self.game}/review"

    async def finish(self, fault: str | None = None) -> None:
        """The end of the process that makes the review."""
        head = (await self.log.game(self.game)).head
        finished = FinishedReview((), {} if fault else dict.fromkeys(LANGUAGES, self.found), fault)
        await self.log.keep_review(kept_review(await self.log.digest_key(), self.game, head, 60, finished, b""))
        await self.log.end_review(self.game)


@pytest.fixture(scope="module")
def blundered() -> tuple[Record, int, Review]:
    record, _, seq = game_with_a_blunder(seed=1)
    return record, seq, review(record, passes=3, first=seq - AROUND, last=seq + AROUND)


@asynccontextmanager
async def town(blundered: tuple[Record, int, Review], *, makes_reviews: bool = True) -> AsyncIterator[Town]:
    record, seq, found = blundered
    log, events, rules = MemoryLog(), list(record.events), record.state().game
    game = events[0].game_id
    await log.create(game, rules.name, rules.version, TableRow("finished", (None, None)), seed_of(events), events)
    with bound("127.0.0.1", 0) as listener:
        async with answering(log, listener, makes_reviews=makes_reviews) as address:
            yield Town(address, log, game, found, seq)


async def test_one_click_asks_and_the_review_appears_when_it_is_done(
    browser: Browser, blundered: tuple[Record, int, Review]
) -> None:
    async with town(blundered) as here, visiting(browser, here.address) as visit:
        page = await visit.go(f"/games/{here.game}")
        await page.locator(".ending").get_by_role("link", name="Review this game").click()
        await page.get_by_role("button", name="Review this game").click()  # nobody is signed in
        bar = page.get_by_role("progressbar")
        await expect(bar).to_have_js_property("value", 0)
        job = await here.log.review_job(here.game)
        assert job is not None
        assert await here.log.claim_review(job, await here.log.now())
        await expect(page.locator("main").get_by_role("status")).to_have_text("The server is reviewing the game …")
        claimed = await here.log.review_job(here.game)
        assert claimed is not None
        assert await here.log.extend_claim(claimed._replace(done=0.5), await here.log.now())
        await expect(bar).to_have_js_property("value", 0.5)
        await here.finish()
        await expect(page.get_by_role("heading", name="Costliest decisions")).to_be_visible()
        await expect(page.locator("#news")).to_contain_text("The review is done.")
        await page.reload()
        await expect(page.get_by_role("heading", name="Costliest decisions")).to_be_visible()


async def test_figures_match_the_api_and_a_decision_shows_its_board_and_a_better_line(
    browser: Browser, blundered: tuple[Record, int, Review]
) -> None:
    async with town(blundered) as here, visiting(browser, here.address) as visit:
        await here.finish()
        page = await visit.go(here.page)
        [blunder] = [move for move in here.found.moves if move.seq == here.blunder]
        assert blunder.better is not None
        first = page.locator("section", has_text="Costliest decisions").locator(".chosen").first
        await expect(first).to_contain_text(blunder.better)
        rows = page.locator("section", has_text="Decisions and luck").locator("tbody tr")
        for seat, player in enumerate(here.found.players):
            await expect(rows.nth(seat).locator("td").nth(1)).to_have_text(f"{player.error_rate:.1%}")
            await expect(rows.nth(seat).locator("td").nth(2)).to_have_text(f"{player.result:.0%}")
        points = page.locator("section", has_text="Turning points").locator(".chosen")
        await expect(points).to_have_text([point.said for point in here.found.turning_points])
        await page.get_by_text("Show as a table").click()
        await expect(page.locator("details tbody tr")).to_have_count(len(here.found.moves))
        assert await barriers(page) == []

        await first.press("Enter")
        await expect(page.locator(".shown")).to_be_focused()
        assert page.url.endswith(f"?at={blunder.seq}")
        picture = page.get_by_role("img", name=f"The board before this move, after event {blunder.before}")
        await expect(picture).to_have_js_property("complete", True)
        assert await picture.evaluate("image => image.naturalWidth") > 0
        replay = page.get_by_role("link", name="Show in the replay")
        await expect(replay).to_have_attribute("href", f"/games/{here.game}?at={blunder.before}")
        assert await barriers(page) == []

        await page.get_by_role("button", name="Try another move from here").click()
        await expect(page.get_by_label("You play")).to_have_value(str(blunder.player))
        await page.get_by_role("button", name="Start here").click()  # an account is made on the way
        await page.wait_for_url(lambda url: "/review" not in url)
        async with AsyncClient(base_url=here.address) as client:
            branch = (await client.get("/v1" + page.url.removeprefix(here.address))).json()
        assert (branch["branch_of"]["game"], branch["branch_of"]["seq"]) == (str(here.game), blunder.before)


async def test_moves_are_chosen_in_the_chart_and_with_the_keyboard_on_a_phone(
    browser: Browser, blundered: tuple[Record, int, Review]
) -> None:
    async with town(blundered) as here, visiting(browser, here.address, size="phone", language="de") as visit:
        await here.finish()
        page = await visit.go(here.page)
        slider = page.get_by_role("slider", name="Spielzug")
        await slider.press("Home")
        moves = here.found.moves
        assert await shown(page) == moves[0].seq
        await slider.press("ArrowRight")
        assert await shown(page) == moves[1].seq
        text = await slider.get_attribute("aria-valuetext")
        assert text is not None
        assert f"Nach Ereignis {moves[1].seq}: {here.found.players[0].name} " in text
        box: Any = await page.locator("svg.chances").bounding_box()
        await page.locator("svg.chances").click(position={"x": box["width"] - 2, "y": 60})
        assert await shown(page) == moves[-1].seq
        assert await overflow(page) == 0
        await page.set_viewport_size(SIZES["narrow"])  # type: ignore[arg-type]
        await expect(page.locator("svg.chances")).not_to_have_attribute("width", str(int(box["width"])))
        assert await overflow(page) == 0
        assert await barriers(page) == []


async def shown(page: Page) -> int:
    """The event of the move that is shown."""
    return int(str(await page.locator(".shown h3").text_content()).rsplit(" ", 1)[1])


async def test_the_replay_of_a_game_shows_what_its_review_found(
    browser: Browser, blundered: tuple[Record, int, Review]
) -> None:
    async with town(blundered) as here, visiting(browser, here.address, size="phone") as visit:
        page = await visit.go(f"/games/{here.game}?at={here.blunder}")
        await page.get_by_role("tab", name="Review").click()
        panel = page.get_by_role("tabpanel")
        await expect(panel).to_contain_text("Nobody has asked for a review of this game yet")
        await expect(panel.get_by_role("link")).to_have_attribute("href", here.page)
        await here.finish()
        await page.reload()
        await page.get_by_role("tab", name="Review").click()
        [blunder] = [move for move in here.found.moves if move.seq == here.blunder]
        await expect(panel).to_contain_text(f"Better: {blunder.better}")
        point = here.found.turning_points[-1]
        await panel.get_by_role("button", name=point.said).click()
        await expect(panel.get_by_role("heading", name=f"After event {point.seq}")).to_be_visible()
        assert f"?at={point.seq}#" in page.url
        assert await barriers(page) == []
        assert await overflow(page) == 0


async def test_what_is_not_reviewed_is_said_plainly(browser: Browser, blundered: tuple[Record, int, Review]) -> None:
    async with town(blundered, makes_reviews=False) as here, visiting(browser, here.address) as visit:
        page = await visit.go(here.page)
        await page.get_by_role("button", name="Review this game").click()
        await expect(page.get_by_role("alert")).to_contain_text("This server does not make reviews.")
        await expect(page.get_by_role("alert").get_by_role("link")).to_have_attribute("download", "")
        await here.finish("its process ended 5 times")
        await page.reload()
        await expect(page.get_by_role("alert")).to_contain_text("The review failed. its process ended 5 times")
        await expect(page.get_by_role("button", name="Try again")).to_be_visible()

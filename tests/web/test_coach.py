"""A coached first game: the question, its reason, and advice, beside the moves and never in their way."""

import pytest
from playwright.async_api import Browser, Page, expect

from mcmulti.domain.core.wording.introduction import lessons_of
from mcmulti.domain.mcmulti import RULESET
from tests.api.guests import Table
from tests.web.browsing import barriers, overflow, visiting
from tests.web.playing import moves

pytestmark = pytest.mark.needs("chromium")

LESSONS = {lesson.name: lesson for lesson in lessons_of(RULESET, "en")}


async def against_the_computer(page: Page, *, coached: bool) -> None:
    """Begin a box game, with the coach if wanted."""
    await page.get_by_role("button", name="Play the computer").click()
    box = page.get_by_role("checkbox", name="This is my first game: explain each decision")
    await expect(box).to_be_checked()
    if not coached:
        await box.uncheck()
    levels = page.get_by_role("group", name="McMulti", exact=True)
    await levels.get_by_role("button", name="Random").click()
    await page.wait_for_url("**/games/*")
    await moves(page).wait_for()


async def test_a_first_game_is_explained_question_by_question(browser: Browser, house: Table) -> None:
    """Each question has its lesson. Without the coach, which stays off from then on, there is none."""
    async with visiting(browser, str(house.client.base_url)) as visit:
        page = await visit.go("/")
        await against_the_computer(page, coached=True)
        coach = page.get_by_role("region", name="Coach")
        lesson = LESSONS["purchases"]
        for text in (lesson.title, lesson.asks, lesson.why, lesson.consider):
            await expect(coach).to_contain_text(text)
        assert await barriers(page) == []
        await page.get_by_role("button", name="Buy nothing more for this quadrant.", exact=True).click()
        await page.get_by_role("dialog").get_by_role("button").first.click()  # it asks for confirmation
        await expect(coach).to_contain_text(LESSONS["market"].consider, timeout=60_000)
        await coach.get_by_role("button", name="Turn the coach off").click()
        await expect(coach).to_have_count(0)
        await page.reload()
        await moves(page).wait_for()
        await expect(coach).to_have_count(0)


async def test_on_a_phone_the_coach_is_a_line_above_the_moves(browser: Browser, house: Table) -> None:
    """It explains on request, and the moves stay visible."""
    async with visiting(browser, str(house.client.base_url), size="narrow") as visit:
        page = await visit.go("/")
        await against_the_computer(page, coached=True)
        line = page.get_by_role("button", name=f"Coach: {LESSONS['purchases'].title}")
        await line.click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text(LESSONS["purchases"].consider)
        await dialog.get_by_role("button", name="Close").click()
        first = await moves(page).first.bounding_box()
        window = page.viewport_size
        assert first is not None
        assert window is not None
        assert first["y"] < window["height"]
        assert await overflow(page) == 0


async def test_without_the_coach_nothing_is_explained(browser: Browser, house: Table) -> None:
    """A player who declined once is not asked again."""
    async with visiting(browser, str(house.client.base_url)) as visit:
        page = await visit.go("/")
        await against_the_computer(page, coached=False)
        await expect(page.get_by_role("region", name="Coach")).to_have_count(0)
        await visit.go("/")
        await page.get_by_role("button", name="Play the computer").click()
        await expect(page.get_by_role("checkbox", name="This is my first game")).not_to_be_checked()

"""Moves that are taken back through the pages while another page watches, and what cannot be taken back."""

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.api.guests import Table
from tests.web.playing import moves, seated

pytestmark = pytest.mark.needs("chromium")
UNASKED = '{"chance": false, "passing": false}'


def buy_nothing(page: Page) -> Locator:
    """The button that passes on in the special purchase round."""
    return page.get_by_role("button", name="Buy nothing more for this quadrant.", exact=True)


async def ready(page: Page, table: Table, game: str) -> None:
    """Wait until the controls are those of the newest event, and enabled again."""
    seq = (await table.guests[0].get(f"/v1/games/{game}")).json()["seq"]
    await page.locator(f'.play[data-ready="{seq}"]').wait_for()


async def test_own_moves_are_taken_back_before_the_eyes_of_the_other(browser: Browser, table: Table) -> None:
    game = await table.start(undo="own")
    async with seated(browser, table, game, asking=UNASKED) as (ada, ben):
        await buy_nothing(ada.page).click()
        await expect(moves(ben.page)).to_contain_text("It is your move.")
        before = (await table.guests[0].get(f"/v1/games/{game}")).json()["seq"]
        await ready(ada.page, table, game)
        await ada.page.keyboard.press("z")
        await ada.page.keyboard.press("Enter")
        await expect(moves(ben.page)).to_contain_text("Waiting for other players.")
        await expect(ben.page.locator(".story")).to_contain_text("is taken back, as Ada wants it")
        await expect(moves(ada.page).locator("select").first).to_be_focused()  # the first move again
        await expect(ada.page.get_by_role("dialog")).to_have_count(0)
        seen = (await table.guests[1].get(f"/v1/games/{game}")).json()
        assert (seen["table"]["to_move"], seen["seq"]) == ([0], before + 1)  # nothing was erased


@pytest.mark.parametrize(("answer", "whose"), [("true", 1), ("false", 0)])
async def test_moves_of_others_are_taken_back_if_they_agree(
    browser: Browser, table: Table, answer: str, whose: int
) -> None:
    game = await table.start(undo="agreed")
    async with seated(browser, table, game, asking=UNASKED) as (ada, ben):
        await buy_nothing(ada.page).click()
        await expect(moves(ben.page)).to_contain_text("It is your move.")
        await ready(ben.page, table, game)
        await buy_nothing(ben.page).click()
        await expect(moves(ada.page)).to_contain_text("It is your move.")
        await ready(ada.page, table, game)
        await ada.page.get_by_text("At any time").click()
        asking = moves(ada.page).locator('[data-command="AskTakeBack"]')
        await asking.locator('[data-part="go"]').click()
        await ada.page.get_by_role("dialog").get_by_role("button", name="Do it").click()
        question = moves(ben.page).locator('.asks [data-command="AnswerTakeBack"]')
        await expect(question).to_contain_text("as another player asks")
        await ready(ben.page, table, game)
        await question.locator(f'[data-part="{answer}"]').focus()
        await ben.page.keyboard.press("Enter")
        await expect(question).to_have_count(0)
        await expect(moves((ada, ben)[whose].page)).to_contain_text("It is your move.")
        await expect(moves((ben, ada)[whose].page)).to_contain_text("Waiting for other players.")
        assert (await table.guests[0].get(f"/v1/games/{game}")).json()["table"]["to_move"] == [whose]


async def test_who_takes_back_too_much_is_told_how_much_can_be(browser: Browser, table: Table) -> None:
    game = await table.start(undo="own")
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        page = ada.page
        await buy_nothing(page).click()
        await page.route(
            "**/commands?*",
            lambda route: route.continue_(post_data=(route.request.post_data or "").replace('"moves":1', '"moves":3')),
        )
        await moves(page).locator('.undo [data-part="go"]').click()
        refused = moves(page).get_by_role("alert")
        await expect(refused).to_contain_text("At most: 1 (moves).")
        await expect(refused).to_contain_text("table/undo")


async def test_what_cannot_be_taken_back_is_asked_about_first(browser: Browser, table: Table) -> None:
    game = await table.start()
    async with seated(browser, table, game) as (ada, ben):
        await buy_nothing(ada.page).click()
        question = ada.page.get_by_role("dialog")
        await expect(question).to_contain_text("This ends your move, and cannot be taken back.")
        await ada.page.keyboard.press("Escape")
        await expect(buy_nothing(ada.page)).to_be_focused()
        await expect(moves(ben.page)).to_contain_text("Waiting for other players.")


@pytest.mark.parametrize("calm", [True, False])
async def test_nothing_moves_before_those_who_want_it_calm(browser: Browser, table: Table, calm: bool) -> None:
    game = await table.start()
    async with seated(browser, table, game, 1, asking=UNASKED, calm=calm) as (ada,):
        page = ada.page
        await buy_nothing(page).click()
        await page.locator(".board .mark").first.wait_for()
        await expect(page.locator(".board .mark").first).to_have_css("animation-name", "none" if calm else "arrive")

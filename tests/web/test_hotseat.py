"""Hot seat: people who share a device begin a game, pass it on, and see only what their own seat may see."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.api.guests import Guest, Table
from tests.web.browsing import barriers, overflow, visiting
from tests.web.playing import moves

pytestmark = pytest.mark.needs("chromium")


async def takes_over(page: Page, name: str) -> None:
    """The next player is asked by name before anything of the game appears, and takes over by keyboard."""
    await expect(page.get_by_role("heading", name=f"Give the device to {name}")).to_be_visible()
    assert await page.locator(".board, .story, .play, .seats").count() == 0
    await expect(page.get_by_role("button", name=f"I am {name}")).to_be_focused()
    await page.keyboard.press("Enter")


async def test_people_at_one_device_pass_it_on_and_see_their_own_seat_only(browser: Browser, table: Table) -> None:
    async with visiting(browser, str(table.client.base_url), size="phone") as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Play on one device").click()
        assert await barriers(page) == []
        for person, name in ((1, "Ada"), (2, "Ben")):
            await page.get_by_label(f"Person {person}").fill(name)
        await page.get_by_role("button", name="Start the game").click()
        await page.wait_for_url("**/games/*")
        game = page.url.rpartition("/")[2]
        told = (await table.client.get(f"/v1/games/{game}")).json()["table"]
        assert ([seat["name"] for seat in told["seats"]], told["practice"]) == (["Ada", "Ben"], True)
        [first] = told["to_move"]
        now, later = ("Ada", "Ben")[first], ("Ben", "Ada")[first]
        assert await barriers(page) == []
        await takes_over(page, now)
        await moves(page).wait_for()
        assert await overflow(page) == 0
        you = page.locator(".title .seats li", has=page.locator(".tag", has_text="you"))
        await expect(you.locator(".name")).to_have_text(now)
        await expect(page.get_by_role("button", name=f"Pass to {later}")).to_be_hidden()
        await page.get_by_text("Pass the device on").click()
        await expect(page.get_by_role("button", name=f"Pass to {later}")).to_be_visible()
        nothing_more = page.get_by_role("button", name="Buy nothing more for this quadrant.", exact=True)
        await nothing_more.click()
        await page.get_by_role("button", name="Take back your last move.", exact=True).click()
        await nothing_more.click()
        await expect(page.get_by_text(f"It is {later}'s turn.")).to_be_visible()
        await expect(page.get_by_role("button", name="Message me")).to_be_hidden()  # the next one is right here
        await expect(moves(page).get_by_text("Waiting for other players.")).to_be_visible()
        await expect(page.get_by_role("button", name=f"Pass to {later}")).to_be_in_viewport(ratio=1)
        await page.get_by_role("button", name=f"Pass to {later}").click()
        await takes_over(page, later)
        await moves(page).wait_for()
        await expect(you.locator(".name")).to_have_text(later)
        await page.reload()  # the player with the device still does
        await moves(page).wait_for()
        await expect(you.locator(".name")).to_have_text(later)


async def test_people_at_one_device_play_again_on_their_seats(browser: Browser, table: Table) -> None:
    """A companion has the device when the game ends. Everybody sits down again, and the rematch begins at once."""
    async with visiting(browser, str(table.client.base_url), size="phone") as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Play on one device").click()
        await page.locator(".opening select").first.select_option("millionenspiel")
        await expect(page.get_by_text("3 to 5 people can play.")).to_be_visible()  # by then, nothing moves anymore
        people = ("Ada", "Ben", "Cleo")
        for person, name in enumerate(people, start=1):
            await page.get_by_label(f"Person {person}").fill(name)
        await page.get_by_role("button", name="Start the game").click()
        await page.wait_for_url("**/games/*")
        game = page.url.rpartition("/")[2]
        told = (await table.client.get(f"/v1/games/{game}")).json()["table"]
        seated = [seat["name"] for seat in told["seats"]]
        first = seated[told["to_move"][0]]
        await takes_over(page, first)
        await moves(page).wait_for()
        if first == "Ada":
            await page.get_by_text("Pass the device on").click()
            await page.get_by_role("button", name="Pass to Ben").click()
            await takes_over(page, "Ben")
            await moves(page).wait_for()
        token = await page.evaluate("JSON.parse(localStorage['mcmulti.account']).token")
        ada, *others = (
            Guest(table.client, name, f"{token}~{each}" if each else token) for each, name in enumerate(people)
        )
        assert (await ada.send(game, {"type": "ProposeEnd", "how": "call_off"})).status_code == 200
        for other in others:
            answer = {"type": "AnswerEnd", "how": "call_off", "accept": True}
            assert (await other.send(game, answer)).status_code == 200
        again = page.get_by_role("button", name="Play again")
        await again.wait_for()
        panels = await page.locator(".actions > section > div > section").evaluate_all(
            "all => all.map((each) => each.className)"
        )
        assert panels == ["panel ending", "panel branch"]  # the results first
        await again.click()
        await page.wait_for_url(lambda address: game not in address)
        rematch = (await table.client.get(f"/v1/games/{page.url.rpartition('/')[2]}")).json()["table"]
        assert (rematch["status"], rematch["practice"], rematch["rematch_of"]) == ("running", True, game)
        assert [seat["name"] for seat in rematch["seats"]] == seated
        await takes_over(page, seated[rematch["to_move"][0]])
        await moves(page).locator('[data-command="Stake"] [data-part="go"]').click()
        whose = page.locator(".passing").get_by_role("status")
        await expect(whose).to_contain_text("'s turn.")
        after = (await table.client.get(f"/v1/games/{rematch['game']}")).json()["table"]
        assert after["seq"] > rematch["seq"]
        assert after["to_move"] != rematch["to_move"]
        await expect(whose).to_have_text(f"It is {seated[after['to_move'][0]]}'s turn.")


async def test_whose_name_is_taken_on_the_server_gets_a_number(browser: Browser, table: Table) -> None:
    """Only the first person needs a name of the server. The others may be called like players that it knows."""
    for name in ("Ada", "Ada 2", "Ben"):
        await table.guest(name)
    async with visiting(browser, str(table.client.base_url), size="phone") as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Play on one device").click()
        await expect(page.locator(".opening")).to_contain_text("If the first name is taken here, a number follows it.")
        for person, name in ((1, "Ada"), (2, "Ben")):
            await page.get_by_label(f"Person {person}").fill(name)
        await page.get_by_role("button", name="Start the game").click()
        await page.wait_for_url("**/games/*")
        told = (await table.client.get(f"/v1/games/{page.url.rpartition('/')[2]}")).json()["table"]
        assert [seat["name"] for seat in told["seats"]] == ["Ada 3", "Ben"]
        await takes_over(page, ("Ada 3", "Ben")[told["to_move"][0]])

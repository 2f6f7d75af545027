"""Looking back: any moment of a game, by scrubber, keys, story, and address."""

import asyncio
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Browser, Page, Request, expect

from mcmulti.domain.rulesets import SHIPPED
from tests.api.guests import Table
from tests.golden.games import load
from tests.projections.mutants import changed_file
from tests.web.browsing import barriers, overflow, visiting
from tests.web.looking_back import GOLDEN, SAME, at, at_on_phone, looking, scrubbed
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")
SHOWN = 450
"""The maximum number of sentences at a time: those of the nearby pages of a hundred each."""


async def test_the_keyboard_leads_through_the_game(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "three-players") as (_, page):
        last = int(await page.get_by_label("Moment", exact=True).get_attribute("max") or 0)
        await at(page, last)
        await page.keyboard.press("ArrowLeft")
        await page.keyboard.press("ArrowLeft")
        await at(page, last - 2)
        await page.wait_for_url(f"**?at={last - 2}")
        await page.keyboard.press("Home")
        await at(page, 1)
        await page.keyboard.press("ArrowRight")
        await at(page, 2)
        await page.keyboard.press("End")
        await at(page, last)
        await page.wait_for_url(re.compile(r"/games/[^?]*$"))
        turn = int(await page.get_by_label("Go to turn").input_value())
        for earlier in (1, 2):
            await page.keyboard.press("Shift+ArrowLeft")
            await expect(page.get_by_label("Go to turn")).to_have_value(str(turn - earlier))


async def test_an_address_names_a_moment_and_the_browser_goes_back_and_forward(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "three-players", "?at=40") as (visit, page):
        await at(page, 40)
        told = await (
            await visit.context.request.get(
                f"{page.url.split('?')[0].replace('/games', '/v1/games')}/replay?after=39&limit=1"
            )
        ).json()
        await expect(page.locator(".caption")).to_contain_text(told["frames"][0]["happened"][0]["sentence"])
        await page.locator('.story [data-seq="44"]').click()
        await at(page, 44)
        await page.wait_for_url("**?at=44")
        await page.go_back()
        await at(page, 40)
        await page.go_forward()
        await at(page, 44)
        assert await page.locator('.story [data-seq="43"]').get_attribute("href") == "?at=43"


async def test_what_an_event_changed_is_marked_on_the_board(browser: Browser, table: Table) -> None:
    """This also holds when arriving by an address, without having seen the moment before."""
    async with looking(browser, table, "three-players") as (visit, page):
        here = page.url.replace("/games", "/v1/games")
        frames = (await (await visit.context.request.get(f"{here}/replay?limit=200")).json())["frames"]
        bought = next(each for each in frames if each["happened"][0]["type"] == "AssetBought")
        await page.goto(f"{page.url}?at={bought['seq']}")
        await expect(page.locator(".board .mark")).not_to_have_count(0)
        site = bought["happened"][0]["data"]["site"]
        part = page.locator(f'.board [data-part="site-{site["quadrant"]}-{site["row"]}-{site["column"]}"]')
        box, marks = await part.bounding_box(), await page.locator(".board .mark").all()
        assert box
        found = [await mark.bounding_box() for mark in marks]
        assert any(abs(each["x"] - box["x"]) < 6 and abs(each["y"] - box["y"]) < 6 for each in found if each)


async def test_a_picture_that_came_by_steps_is_the_one_that_comes_at_once(browser: Browser, table: Table) -> None:
    """Only what changed is drawn again: back and forth, across turns, and when a player is out of the game."""
    async with looking(browser, table, "three-players", "?at=100") as (_, page):
        last = int(await page.get_by_label("Moment", exact=True).get_attribute("max") or 0)
        for seq in (101, 102, 99, 140, 139, last - 2, 5, last - 1):
            slider = page.get_by_label("Moment", exact=True)
            await slider.evaluate("(it, at) => { it.value = at; it.dispatchEvent(new Event('input')); }", str(seq))
            await at(page, seq)
            shown = await page.locator("div.board").evaluate(
                """async (board, at) => {
                  const asked = await fetch(`/v1${location.pathname}/board.svg?at=${at}&language=en`);
                  const text = (await asked.text()).replace(/<style>[^<]*<.style>/, "");
                  const wanted = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
                  const same = () => {  // but for where its parts were moved to
                    const shown = board.shadowRoot.querySelector("svg").cloneNode(true);
                    shown.normalize();
                    const sized = ["viewBox", "width", "height"];
                    for (const name of sized) shown.setAttribute(name, wanted.getAttribute(name));
                    for (const moved of shown.querySelectorAll(":scope > [style], .legend > .entry")) {
                      moved.removeAttribute("style");
                    }
                    return shown.isEqualNode(wanted);
                  };
                  for (let tries = 0; tries < 100 && !same(); tries++) await new Promise((on) => setTimeout(on, 50));
                  return same();
                }""",
                seq,
            )
            assert shown, seq


async def test_of_moments_that_go_by_nothing_is_asked_but_pictures(browser: Browser, table: Table) -> None:
    """The clock of the page stands still while the moments pass, so that it only stops at the last of them."""
    async with looking(browser, table, "mcmulti-undo", own_window=True) as (_, page):
        asked: set[int] = set()
        passed = {*range(100, 1700, 100)}  # the pages of the story that are far from the first moment and from the last

        def noted(request: Request) -> None:
            if "/replay" in request.url:
                asked.add(int(parse_qs(urlsplit(request.url).query)["after"][0]))

        page.on("request", noted)
        await page.clock.install()
        await page.clock.pause_at(await page.evaluate("Date.now() + 60_000"))
        slider = page.get_by_label("Moment", exact=True)
        for seq in range(2, 2000, 100):
            await slider.evaluate("(it, at) => { it.value = at; it.dispatchEvent(new Event('input')); }", str(seq))
        await expect(page.locator(".count")).to_have_text(re.compile("^1902 / "))
        await page.clock.run_for(10_000)
        await at(page, 1902)
        assert 1900 in asked
        assert not asked & passed


async def test_turns_are_jumped_to_and_words_are_found(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "clock") as (_, page):
        await page.get_by_label("Go to turn").fill("7")
        await page.get_by_label("Go to turn").press("Enter")
        await expect(page.locator(".caption")).to_contain_text("Turn 7")
        before = int(await page.get_by_label("Moment", exact=True).input_value())
        await page.get_by_role("searchbox").fill("rolls RED")
        await page.get_by_role("searchbox").press("Enter")
        await expect(page.locator(".caption")).to_contain_text("rolls red")
        assert int(await page.get_by_label("Moment", exact=True).input_value()) > before
        await page.get_by_role("searchbox").fill("no such words")
        await page.get_by_role("searchbox").press("Enter")
        await page.get_by_text("Not found").wait_for()


async def test_whoever_played_jumps_to_the_moments_before_decisions_of_their_own(
    browser: Browser, table: Table
) -> None:
    game = await table.start(2)
    rig = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 1, "column": 1}}
    end = {"type": "EndPurchases"}
    ada, ben = table.guests
    done = [(await guest.send(game, move)).json() for guest, move in ((ada, rig), (ada, end), (ben, end), (ada, end))]
    wanted = [done[number]["events"][0]["seq"] - 1 for number in (0, 1, 3)]
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go(f"/games/{game}?at={wanted[0] - 1}")
        await page.locator(".story [aria-current]").wait_for()
        for seq in (*wanted, done[-1]["seq"]):
            await page.get_by_role("button", name="Next decision").click()
            await at(page, seq)
        await expect(page.get_by_role("button", name="Live")).to_have_attribute("aria-pressed", "true")


async def test_a_game_plays_by_itself_until_it_is_paused(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "three-players", "?at=10") as (_, page):
        await page.get_by_label("Events per second").select_option("5")
        await page.get_by_role("button", name="Play", exact=True).click()
        await expect(page.locator(".count")).to_have_text(re.compile(r"^(1[4-9]|[2-9]\d|\d{3}) / "))
        await page.get_by_role("button", name="Pause").click()
        paused = await page.get_by_label("Moment", exact=True).input_value()
        await page.wait_for_timeout(300)
        await at(page, int(paused))


async def test_the_text_of_a_rule_is_told_to_who_hovers_or_has_the_focus(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "three-players", "?at=40") as (_, page):
        await page.locator(".board svg").wait_for()
        row = page.locator('.story [data-seq="40"]')
        async with asyncio.timeout(60):
            while not await page.get_by_role("tooltip").is_visible():  # a new layout moves rows away from the mouse
                await page.mouse.move(0, 0)
                await row.hover()
                await page.wait_for_timeout(500)
        hovered = await page.get_by_role("tooltip").text_content()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("tooltip")).to_be_hidden()
        await page.locator(".story").focus()
        await page.keyboard.press("ArrowDown")
        await expect(row).to_be_focused()
        await expect(page.get_by_role("tooltip")).to_have_text(hovered or "-")
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("Enter")
        await at(page, 41)


async def test_of_a_long_story_only_what_is_near_is_there(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "mcmulti-undo") as (_, page):
        for seq in (1, 1099, 2, 2000, 601):
            await page.evaluate(
                f"history.pushState(null, '', '?at={seq}'); dispatchEvent(new PopStateEvent('popstate'))"
            )
            await at(page, seq)
            await few(page)
        for seq in range(2, 2200, 100):  # as a scrubber does, which moves on before the last one is shown
            slider = page.get_by_label("Moment", exact=True)
            await slider.evaluate("(it, at) => { it.value = at; it.dispatchEvent(new Event('input')); }", str(seq))
        await at(page, 2102)
        await few(page)
        await page.locator(".story").evaluate("(element) => element.scrollTo(0, 0)")
        await page.locator('.story [data-seq="1"]').wait_for()
        await few(page)


async def few(page: Page) -> None:
    """Wait until sentences far from the view are gone, once the browser has reported which ones."""
    await page.wait_for_function("most => document.querySelectorAll('.story li').length <= most", arg=SHOWN)


async def test_the_story_leaves_out_that_a_move_is_over_and_tells_the_moment_by_what_happened_before(
    browser: Browser, table: Table
) -> None:
    """Event 2101, the first of a page of the story, says that the move of event 2100 is over."""
    async with looking(browser, table, "mcmulti-undo", "?at=2101") as (_, page):
        await expect(page.get_by_label("Moment", exact=True)).to_have_value("2101")
        await expect(page.locator(".story [aria-current]")).to_have_attribute("data-seq", "2100")
        told = await page.locator(".story [aria-current]").inner_text()
        await expect(page.locator(".caption")).to_contain_text(told.strip())
        await expect(page.locator(".story")).not_to_contain_text("has moved")


async def test_turns_fold_into_a_line_each_and_open_again(browser: Browser, table: Table) -> None:
    async with looking(browser, table, "three-players", "?at=60") as (_, page):
        rows, heads = page.locator(".story li:visible"), page.locator(".story h3 button")
        all_rows, turns = await rows.count(), await heads.count()
        assert all_rows > 2 * turns > 4
        fold = page.get_by_role("button", name="Fold turns")
        await fold.click()
        await expect(fold).to_have_attribute("aria-pressed", "true")
        await expect(page.locator('.story h3 button[aria-expanded="true"]')).to_have_count(0)
        await expect(page.locator(".story [aria-current]")).to_be_in_viewport()
        while (folded := await rows.count()) != await heads.count():  # the story grows while the page loads it
            await page.wait_for_timeout(50)
        await page.locator(".story [aria-current]").focus()
        await page.keyboard.press("ArrowUp")  # from the line of a turn to the button of the turn
        await expect(page.locator(".story h3 button:focus")).to_have_count(1)
        await page.keyboard.press("Enter")
        await expect(page.locator('.story h3 button[aria-expanded="true"]')).to_have_count(1)
        assert await rows.count() > folded
        assert await barriers(page) == []
        await fold.click()
        await expect(page.locator('.story h3 button[aria-expanded="false"]')).to_have_count(0)


@pytest.mark.parametrize("file", ["three-players", "marracash-four-players", "millionenspiel-clock"])
async def test_looking_back_works_on_a_phone(browser: Browser, table: Table, file: str) -> None:
    async with looking(browser, table, file, "?at=60", size="narrow") as (_, page):
        await at_on_phone(page, 60)
        await page.get_by_role("button", name="Forward one event").click()
        await at_on_phone(page, 61)
        await expect(page.locator(".caption")).to_be_in_viewport()
        assert await overflow(page) == 0
        assert await barriers(page) == []


@pytest.mark.parametrize("size", ["desktop", "narrow"])
async def test_the_end_shows_who_won_and_why_what_all_had_and_the_last_board(
    browser: Browser, table: Table, size: str
) -> None:
    """At the end of this game, all sell what they have left: three events, then the winner, then the seed."""
    events = load(GOLDEN / "three-players.jsonl")
    finished, sold = len(events) - 1, ["AssetsLiquidated"] * 3
    assert [event.type for event in events[-6:]][1:] == [*sold, "GameFinished", "SeedRevealed"]
    async with looking(browser, table, "three-players", size=size) as (_, page):
        ending = page.locator(".ending")
        told = (await table.client.get(f"/v1/games/{events[0].game_id}/replay?after={finished - 1}&limit=1")).json()
        await expect(ending).to_contain_text(told["frames"][0]["happened"][0]["sentence"])
        worth = [held["worth"] for held in told["frames"][0]["holdings"]]
        shown = [int(cell.replace(",", "")) for cell in await ending.locator("tbody td:nth-child(2)").all_inner_texts()]
        assert shown == sorted(worth, reverse=True)
        await expect(ending).to_contain_text("last one before everything was sold")
        await expect(page.get_by_role("img", name="Game over")).to_have_count(0)
        share = ending.get_by_role("link", name="Picture to share")
        picture = await table.client.get(str(await share.get_attribute("href")))
        assert picture.headers["content-type"] == "image/png"
        await page.get_by_role("button", name="Back one event").click()  # from then on, each moment has its own board
        await expect(page.get_by_role("img", name="Game over")).to_be_attached()
        assert await overflow(page) == 0
        assert await barriers(page) == []


GAMES = [file.stem for file in map(changed_file, SHIPPED)]
"""A game of each rule set."""


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
        for seq in (length // 2, *(jump for jump in jumps if jump <= length)):
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
        assert len(asked) <= 4  # the board beside the first one, and those around it
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
        assert len(asked) <= 10
        shown = int(await page.locator(".scrubber").input_value())
        await page.wait_for_function(f"async (given) => await ({SAME})(given)", arg=[shown, "en"])

"""Playing through the pages: offers become controls, and nothing is sent by accident."""

import pytest
from playwright.async_api import Browser, Route, expect

from mcmulti.web.files import site
from tests.api.guests import Table
from tests.web.browsing import SIZES, barriers, overflow, visiting
from tests.web.hands import by_keys
from tests.web.people import account
from tests.web.playing import line, moves, seated

pytestmark = pytest.mark.needs("chromium")
UNASKED = '{"chance": false, "passing": false}'


async def test_a_market_phase_is_played_by_buttons_and_steppers(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game) as (ada, ben):
        mine = moves(ada.page)
        sale = mine.locator('[data-command="SellBarrels"]').first
        await sale.get_by_role("spinbutton").fill("2")
        await expect(sale.locator("output")).to_have_text("= $9M")  # the price schedule of the offer: 5 and 4
        await sale.get_by_role("button", name="Sell", exact=True).click()
        await expect(mine.locator('[data-command="SellBarrels"] output').first).not_to_have_text("= $9M")
        assert (await table.guests[0].get(f"/v1/games/{game}")).json()["view"]["seats"][0]["cash"] == 309
        await expect(moves(ben.page)).to_contain_text("Waiting for other players.")
        await mine.get_by_role("button", name="Close the market phase and roll the dice.", exact=True).click()
        question = ada.page.get_by_role("dialog")
        await expect(question).to_contain_text("depends on chance")
        await question.get_by_role("button", name="Do it").click()
        await expect(mine.locator('[data-command="RollDice"]')).to_have_count(0)
        assert (await table.guests[0].get(f"/v1/games/{game}")).json()["view"]["turn"]["red"] > 0


async def test_what_would_happen_is_told_in_sentences_and_nothing_is_done(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game, 1, language="de") as (ada,):
        sale = ada.page.locator('[data-command="SellBarrels"]').first
        await sale.get_by_role("button", name="Was wäre?").click()
        question = ada.page.get_by_role("dialog")
        await expect(question).to_contain_text("Ada verkauft auf dem Inlandsmarkt 1 Fass Rohöl für 5 Mio. $.")
        await question.get_by_role("button", name="Lassen").click()
        await expect(question).to_have_count(0)
        await expect(sale.get_by_role("button", name="Was wäre?")).to_be_focused()
        assert (await table.guests[0].get(f"/v1/games/{game}")).json()["view"]["seats"][0]["cash"] == 300


async def test_several_sites_are_picked_on_the_board_and_bought_by_one_request(browser: Browser, table: Table) -> None:
    game = await table.start()
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        page = ada.page
        sent: list[str] = []
        page.on("request", lambda asked: sent.append(asked.url) if asked.method == "POST" else None)
        rig = moves(page).locator('[data-command="BuyAsset"]').first
        for pick in ("0,2,5", "0,2,6", "0,3,5", "0,2,6"):  # the second is left again
            await page.locator(f'.board .light[data-pick="site={pick}"]').click()
        await expect(page.locator('.board .light[aria-pressed="true"]')).to_have_count(2)
        await expect(rig.locator(".picked li")).to_have_text(
            ["north-west: row 2, column 5 ×", "north-west: row 3, column 5 ×"]
        )
        await expect(rig.locator("output")).to_have_text("= $10M")
        await rig.get_by_role("button", name="Buy (2)").click()
        await expect(page.locator('.board [data-part="site-0-3-5"] title')).to_have_text("rig, row 3, column 5")
        assert len([url for url in sent if "dry_run" not in url]) == 1
        await expect(rig.locator(".picked li")).to_have_count(0)
    assert await bought(table, game) == [(2, 5), (3, 5)]


async def test_a_site_that_cannot_be_had_with_the_others_is_left_out_and_the_reason_told(
    browser: Browser, table: Table
) -> None:
    """Two refineries do not fit on overlapping blocks."""
    game = await table.start()
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        page = ada.page
        refinery = moves(page).locator('[data-command="BuyAsset"]').nth(2)
        await refinery.get_by_role("button", name="On the board").click()
        await page.locator('.board .light[data-pick="site=0,2,2"]').click()
        await page.locator(".actions").evaluate("(actions) => { actions.scrollTop = actions.scrollHeight; }")
        await page.locator('.board .light[data-pick="site=0,2,3"]').click()
        await expect(moves(page).get_by_role("alert")).to_be_in_viewport()
        await expect(refinery.locator(".picked li")).to_have_text(["north-west: row 2, column 2 ×"])
        await expect(page.locator('.board .light[aria-pressed="true"]')).to_have_count(1)
    assert await bought(table, game) == []


async def test_sites_that_were_picked_are_forgotten_once_they_are_not_offered(browser: Browser, table: Table) -> None:
    game = await table.start()
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        page = ada.page
        await page.locator('.board .light[data-pick="site=0,2,5"]').click()
        await expect(moves(page).locator(".picked li")).to_have_count(1)
        for seat, command in (*((0, "EndPurchases"), (1, "EndPurchases")) * 2, (0, "RollDice")):
            assert (await table.guests[seat].send(game, {"type": command})).status_code == 200
            if seat == 0:
                await expect(moves(page).locator('[data-command="EndPurchases"]')).to_have_count(0)
        await moves(page).locator('[data-command="EndTurn"]').wait_for()  # the asset phase: rigs can be bought again
        await expect(page.locator('.board .light[data-pick="site=0,2,5"]')).to_have_attribute("aria-pressed", "false")
        await expect(moves(page).locator(".picked li")).to_have_count(0)


async def test_a_site_is_chosen_in_a_list(browser: Browser, table: Table) -> None:
    game = await table.start()
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        page = ada.page
        rig = moves(page).locator('[data-command="BuyAsset"]').first
        await rig.locator("select").select_option("0,2,5")
        await rig.get_by_role("button", name="Add", exact=True).click()
        await expect(rig.locator("select")).to_be_focused()
        await rig.locator("select").select_option("0,1,1")
        await rig.get_by_role("button", name="Buy (2)").focus()
        await page.keyboard.press("Enter")
        await expect(page.locator('.board .light[data-pick="site=0,2,5"]')).to_have_count(0)
        await expect(moves(page).locator("select").first).to_be_focused()  # the next rig
    assert await bought(table, game) == [(1, 1), (2, 5)]


async def bought(table: Table, game: str) -> list[tuple[int, int]]:
    """Rows and columns of the assets in the quadrant of the first seat."""
    shown = (await table.guests[0].get(f"/v1/games/{game}")).json()["view"]["quadrants"][0]["assets"]
    return [(asset["site"]["row"], asset["site"]["column"]) for asset in shown]


async def test_a_site_is_chosen_on_the_board_by_keys(browser: Browser, table: Table) -> None:
    game = await table.start()
    offers = (await table.guests[0].get(f"/v1/games/{game}/offers")).json()["offers"]
    rig = {"type": "BuyAsset", "kind": "rig", "site": {"quadrant": 0, "row": 2, "column": 5}}
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        await ada.page.locator(".board .light").first.wait_for()
        await by_keys(ada.page, rig, offers)
        await expect(ada.page.locator('.board [data-part="site-0-2-5"] title')).to_have_text("rig, row 2, column 5")
    shown = (await table.guests[0].get(f"/v1/games/{game}")).json()["view"]["quadrants"][0]["assets"]
    assert [asset["site"] for asset in shown] == [rig["site"]]


async def test_a_stale_position_is_shown_anew_and_nothing_is_sent(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game, 1, asking=UNASKED) as (ada,):
        page = ada.page
        sent: list[dict[str, str]] = []
        page.on("request", lambda asked: sent.append(asked.headers) if asked.method == "POST" else None)

        async def meanwhile(route: Route) -> None:  # in another tab
            other = {"type": "SellBarrels", "market": "domestic", "good": "gasoline", "quantity": 1}
            assert (await table.guests[0].send(game, other)).status_code == 200
            await route.continue_()

        await page.route("**/commands*", meanwhile)
        await (
            moves(page)
            .locator('[data-command="SellBarrels"]')
            .first.get_by_role("button", name="Sell", exact=True)
            .click()
        )
        await expect(moves(page)).to_contain_text("nothing was sent")
        assert [headers["if-match"][:4] for headers in sent] == ['"12-']
        assert all(len(headers["idempotency-key"]) == 32 for headers in sent)
        assert (await table.guests[0].get(f"/v1/games/{game}")).json()["view"]["seats"][0]["cash"] == 314


async def test_a_refusal_names_rule_and_limit(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game, 1) as (ada,):
        page = ada.page
        await page.route(
            "**/commands*",
            lambda route: route.continue_(
                post_data=(route.request.post_data or "").replace('"quantity":1', '"quantity":3')
            ),
        )
        await (
            moves(page)
            .locator('[data-command="SellBarrels"]')
            .first.get_by_role("button", name="Sell", exact=True)
            .click()
        )
        refused = moves(page).get_by_role("alert")
        await expect(refused).to_contain_text("You do not have that many barrels to sell.")
        await expect(refused).to_contain_text("At most: 2 (how many).")
        await expect(refused).to_contain_text("market/sell")


async def test_what_is_possible_at_any_time_stands_apart_and_is_confirmed(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game) as (_, ben):
        page = ben.page
        await page.get_by_text("At any time").click()
        await page.get_by_role("button", name="Leave the game for good.", exact=True).click()
        question = page.get_by_role("dialog")
        await expect(question).to_contain_text("takes effect at once")
        await page.keyboard.press("Escape")
        assert (await table.guests[1].get(f"/v1/games/{game}")).json()["view"]["you"] == 1
        await page.get_by_role("button", name="Leave the game for good.", exact=True).click()
        await question.get_by_role("button", name="Do it").click()
        await expect(moves(page)).to_have_count(0)  # a spectator


async def test_moves_are_taken_back_where_that_is_offered(browser: Browser, table: Table) -> None:
    game = await table.start(undo="own")
    async with seated(browser, table, game, 1) as (ada,):
        page = ada.page
        await moves(page).locator('[data-command="EndPurchases"] .whole').click()  # can be taken back: no confirmation
        await expect(moves(page)).to_contain_text("Waiting for other players.")
        await page.keyboard.press("z")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("button", name="Buy nothing more for this quadrant.", exact=True)).to_be_visible()


async def test_moves_are_said_in_words_and_the_board_is_read(browser: Browser, table: Table) -> None:
    game = await table.market_phase()
    async with seated(browser, table, game, 1) as (ada,):
        page = ada.page
        await page.keyboard.press("c")
        await expect(line(page)).to_be_focused()
        await page.keyboard.type("sell cr")
        await expect(page.locator(".fits")).to_contain_text("crude")
        await page.keyboard.press("Tab")
        await page.keyboard.type("dom")
        await page.keyboard.press("Tab")
        await expect(line(page)).to_have_value("sell crude domestic ")
        await page.keyboard.type("9")
        await page.keyboard.press("Enter")
        said = page.get_by_role("log")
        await expect(said).to_contain_text("“9” does not fit here. Possible: 1..2.")
        await page.keyboard.press("ArrowUp")
        await page.keyboard.press("Backspace")
        await page.keyboard.type("2")
        await page.keyboard.press("Enter")
        await expect(moves(page).locator('[data-command="SellBarrels"]')).to_have_count(
            1
        )  # of gasoline, on this market
        await expect(line(page)).to_be_focused()
        await page.keyboard.type("help")
        await page.keyboard.press("Enter")
        await expect(said).to_contain_text("Close the market phase and roll the dice.")
        await page.keyboard.type("board")
        await page.keyboard.press("Enter")
        await expect(said).to_contain_text("market phase")
        assert (await table.guests[0].get(f"/v1/games/{game}")).json()["view"]["seats"][0]["cash"] == 309
        assert await barriers(page) == []


async def test_a_standing_instruction_is_written_and_withdrawn(browser: Browser, table: Table) -> None:
    game = await table.start(instructions=5)
    async with seated(browser, table, game, 1) as (ada,):
        page = ada.page
        await page.get_by_text("Standing instruction").click()
        await page.get_by_label("Sell gasoline while a barrel brings at least").fill("20")
        await page.get_by_label("Pump what can be pumped").check()
        await page.get_by_label("operate my own turn").check()
        await page.get_by_label("sell first for a tax").select_option("refinery")
        await page.get_by_role("button", name="Set", exact=True).click()
        await expect(page.get_by_text("It is on.")).to_be_visible()
        orders = (await table.guests[0].get(f"/v1/games/{game}/offers")).json()["instruction"]["command"]["orders"]
        assert orders == {"sell_from": 20, "pump": True, "away_operates": True, "away_sells": "refinery"}
        await page.get_by_role("button", name="Clear").click()
        await expect(page.get_by_text("It is on.")).to_have_count(0)


async def test_controls_that_could_not_be_loaded_come_with_the_next_change(browser: Browser, table: Table) -> None:
    game = await table.start()
    async with visiting(browser, str(table.client.base_url), await account(table.guests[1])) as visit:
        page = visit.page
        await page.route("**/play/controls.js", lambda route: route.abort(), times=1)
        await visit.go(f"/games/{game}")
        await page.locator(".story li").first.wait_for()
        while not visit.faults:
            await page.wait_for_timeout(20)
        assert all("controls.js" in fault for fault in visit.faults)
        visit.faults.clear()
        assert (await table.guests[0].send(game, {"type": "EndPurchases"})).status_code == 200
        await expect(moves(page)).to_contain_text("It is your move.")


async def test_controls_rest_for_a_moment_behind_a_move_of_somebody_else(browser: Browser, table: Table) -> None:
    game = await table.start()
    async with seated(browser, table, game, asking=UNASKED) as (_, ben):
        page = ben.page
        await page.evaluate(  # a player who clicks the very moment the button appears
            """() => new MutationObserver((_, observer) => {
              const button = document.querySelector('[data-command="EndPurchases"] button');
              if (button) { observer.disconnect(); button.click(); }
            }).observe(document.body, { childList: true, subtree: true })"""
        )
        assert (await table.guests[0].send(game, {"type": "EndPurchases"})).status_code == 200
        await expect(moves(page)).to_contain_text("The position just changed.")
        assert (await table.guests[0].get(f"/v1/games/{game}")).json()["table"]["to_move"] == [1]


async def test_it_fits_on_phones_whatever_players_are_called(browser: Browser, table: Table) -> None:
    for name in ('<img src=x onerror="alert(1)">', "W" * 40):
        await table.guest(name)
    game = await table.start(undo="agreed")
    async with seated(browser, table, game, size="narrow") as (ada, ben):
        page = ada.page
        await moves(page).get_by_role("button", name="Buy nothing more for this quadrant.", exact=True).click()
        await expect(moves(ben.page)).to_contain_text("It is your move.")
        for each in (page, ben.page):
            assert await overflow(each) == 0
            assert await barriers(each) == []
            await each.set_viewport_size(SIZES["phone"])  # type: ignore[arg-type]
            assert await overflow(each) == 0


async def test_a_bid_that_a_sealed_ceiling_may_answer_is_not_said_to_be_up_to_chance_alone(
    browser: Browser, table: Table
) -> None:
    game = await table.start(3, ruleset="marracash")
    guests = table.guests[:3]
    for guest in guests:
        await guest.send(game, {"type": "PutUp", "shop": "R1", "bid": 100})  # whoever begins

    asked = (await table.client.get(f"/v1/games/{game}")).json()["view"]["auction"]["asked"]
    assert (await guests[(asked + 1) % 3].send(game, {"type": "BidUpTo", "most": 400})).is_success
    async with seated(browser, table, game, 3) as visits:
        page = visits[asked].page
        await moves(page).locator('[data-command="Bid"]').get_by_role("button", name="What if?").click()
        await expect(page.get_by_role("dialog")).to_contain_text("depends on chance or sealed ceilings")


async def test_a_street_lists_who_enters_and_what_they_spend_on_souvenirs(browser: Browser, table: Table) -> None:
    """Toward 8, two customers enter G4: one buys the green card for 150 dirhams and one that for 100."""
    entering = {"shop": "G4", "customers": 2, "souvenirs": [{"dirham": 150}, {"dirham": 100}]}
    prospects = [{"to": 8, "passes": ["G4"], "entering": [entering]}, {"to": 4, "passes": [], "entering": []}]
    for language, ways in (
        ("en", ["fountain 8, past G4, 2 into G4 (and 250 for souvenirs)", "fountain 4, nobody enters"]),
        ("de", ["Brunnen 8, an G4 vorbei, 2 in G4 (und 250 für Souvenirs)", "Brunnen 4, niemand geht hinein"]),
    ):
        async with visiting(browser, str(table.client.base_url), language=language) as visit:
            await visit.go("/")
            field = {"type": "StreetChoice", "prospects": prospects}
            for prospect, way in zip(prospects, ways, strict=True):
                label = await visit.page.evaluate(
                    "async ([module, field, to]) => (await import(module)).optionLabel('to', field, to)",
                    [site().address("play/labels.js"), field, prospect["to"]],
                )
                assert label == way

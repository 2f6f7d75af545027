"""The chat of a table on its page: live, apart for players and spectators, and never more than text."""

from socket import socket
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from mcmulti.api.admission.gate import Admission
from mcmulti.events.memory.log import MemoryLog
from mcmulti.server.process import answering
from tests.api.guests import Guest, Table
from tests.web.browsing import barriers, overflow, visiting
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")


async def seated(table: Table) -> tuple[str, Guest, Guest]:
    """A running game whose players and spectators chat."""
    ada, ben = await table.guest("Ada"), await table.guest("Ben")
    body: dict[str, Any] = {"ruleset": "mcmulti", "setup": {"seats": 2, "first_seat": 0}}
    game = (await ada.post("/v1/games", json={**body, "chat": ["players", "spectators"]})).json()["game"]
    for guest in (ada, ben):
        assert (await guest.post(f"/v1/games/{game}/seats", json={})).status_code == 201
    assert (await ada.send(game, {"type": "StartGame"})).status_code == 200
    return game, ada, ben


async def say(guest: Guest, game: str, room: str, text: str) -> None:
    answered = await guest.post(f"/v1/games/{game}/chat", json={"room": room, "text": text})
    assert answered.status_code == 201, answered.text


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Chat")


@pytest.mark.parametrize("chat", [True, False])
async def test_the_lobby_offers_a_chat_if_the_server_has_one(browser: Browser, listener: socket, chat: bool) -> None:
    async with (
        answering(MemoryLog(), listener.dup(), Admission(chat=chat)) as address,
        visiting(browser, address) as visit,
    ):
        page = await visit.go("/")
        await page.get_by_role("button", name="Open a table").click()
        await expect(page.get_by_label("Sit down at once")).to_be_visible()
        await expect(page.get_by_label("Players can chat")).to_have_count(int(chat))


async def test_players_talk_while_they_play(browser: Browser, table: Table) -> None:
    game, ada, ben = await seated(table)
    markup = "<img src=x onerror=alert(1)>"
    await say(ben, game, "players", markup)
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go(f"/games/{game}")
        log = panel(page).get_by_role("log")
        await expect(log).to_contain_text(markup)
        await expect(log.locator("img")).to_have_count(0)
        await panel(page).get_by_label("Message", exact=True).fill("Good luck, Ben!")
        await page.keyboard.press("Enter")
        await expect(log.get_by_role("listitem")).to_have_count(2)
        await expect(panel(page).get_by_label("Message", exact=True)).to_have_value("")
        await panel(page).get_by_label("Quick reply", exact=True).select_option("one_moment")
        await expect(log).to_contain_text("One moment, please.")
        await say(ben, game, "players", "Take your time.")
        await expect(log).to_contain_text("Take your time.")
        await log.get_by_role("button", name="Remove the message from Ada").first.click()
        await expect(log).to_contain_text("removed by its author")
        await log.get_by_role("button", name="Report the message from Ben to the operator").first.click()
        await log.get_by_label("Reason (optional)").fill("markup")
        await log.get_by_role("button", name="Report", exact=True).click()
        await expect(log).to_contain_text("Reported.")
        [flag] = await table.log.flagged(9)
        assert (flag.reason, flag.text) == ("markup", markup)
        await log.get_by_role("button", name="Mute Ben in this browser").first.click()
        await expect(log).not_to_contain_text("Take your time.")
        await page.reload()
        await expect(log).to_contain_text("One moment, please.")
        await expect(log).not_to_contain_text("Take your time.")
        await panel(page).get_by_role("button", name="Show messages from Ben again").click()
        await expect(log).to_contain_text("Take your time.")
        assert await barriers(page) == []


async def test_on_a_phone_the_chat_is_folded_and_counts_what_is_new(browser: Browser, table: Table) -> None:
    game, ada, ben = await seated(table)
    async with visiting(browser, str(table.client.base_url), await account(ada), size="phone", language="de") as visit:
        page = await visit.go(f"/games/{game}")
        log = panel(page).get_by_role("log")
        await expect(panel(page)).to_be_visible()
        await expect(log).to_be_hidden()
        for text in ("Hallo!", "Bist du da?"):
            await say(ben, game, "players", text)
        await expect(panel(page).locator("summary")).to_contain_text("2 neu")
        await panel(page).locator("summary").click()
        await expect(log).to_contain_text("Bist du da?")
        await expect(panel(page).locator("summary")).not_to_contain_text("neu")
        assert await barriers(page) == []
        assert await overflow(page) == 0


async def test_spectators_talk_apart_and_players_join_them_after_the_end(browser: Browser, table: Table) -> None:
    game, ada, ben = await seated(table)
    eve = await table.guest("Eve")
    await say(ada, game, "players", "between us")
    await say(eve, game, "spectators", "What a game!")
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go(f"/games/{game}")
        log = panel(page).get_by_role("log")
        await expect(log).to_contain_text("What a game!")
        await expect(log).not_to_contain_text("between us")
        await expect(panel(page).get_by_label("Message", exact=True)).to_be_hidden()
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go(f"/games/{game}")
        log = panel(page).get_by_role("log")
        await expect(log).to_contain_text("between us")
        await expect(log).not_to_contain_text("What a game!")
        assert (await ben.send(game, {"type": "Resign"})).status_code == 200
        await expect(log).to_contain_text("What a game!")
        await panel(page).get_by_label("To", exact=True).select_option("spectators")
        await panel(page).get_by_label("Message", exact=True).fill("Thanks for watching!")
        await panel(page).get_by_role("button", name="Send").click()
        await expect(log).to_contain_text("Thanks for watching!")
    told = (await eve.get(f"/v1/games/{game}/chat")).json()
    assert [each["untrusted_text"] for each in told["messages"]] == ["What a game!", "Thanks for watching!"]


async def test_a_table_without_chat_shows_none_and_one_with_it_is_opened_in_the_lobby(
    browser: Browser, table: Table
) -> None:
    ada = await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go("/")
        await page.get_by_role("button", name="Open a table").click()
        await page.get_by_label("Spectators can chat").check()
        await page.get_by_role("button", name="Open the table").click()
        await page.wait_for_url("**/games/*")
        game = page.url.rpartition("/")[2].partition("?")[0]
        assert (await ada.get(f"/v1/games/{game}")).json()["table"]["chat"] == ["spectators"]
    quiet = (await ada.post("/v1/games", json={"ruleset": "mcmulti"})).json()["game"]
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go(f"/games/{quiet}")
        await expect(page.get_by_role("tab").first).to_be_visible()
        await expect(panel(page)).to_have_count(0)

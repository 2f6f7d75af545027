"""Messages on a device: turned on with one click, shown without an open page, and gone when the reader signs out."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from socket import socket
from typing import Any, cast

import pytest
from httpx import AsyncClient
from playwright.async_api import Browser, Page, expect

from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.notify.running import notifying
from mcmulti.notify.settings import Notify, Smtp
from mcmulti.server.process import answering
from tests.api.guests import Guest, Table
from tests.notify.mailbox import a_mailbox
from tests.notify.receiver import Receiver, receiving
from tests.notify.subscriber import AUTH, Subscriber, text
from tests.web.browsing import barriers, overflow, visiting
from tests.web.people import account

pytestmark = pytest.mark.needs("chromium")
HOOKS = "/v1/players/me/webhooks"

SUBSCRIBING = """({ endpoint, keys, refused }) => {
  let made = sessionStorage.getItem("subscribed");
  const subscription = {
    endpoint,
    toJSON: () => ({ endpoint, expirationTime: null, keys }),
    unsubscribe: async () => { made = null; sessionStorage.removeItem("subscribed"); return true; },
  };
  PushManager.prototype.getSubscription = async () => (made === null ? null : subscription);
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (refused) throw new DOMException("Registration failed - push service not available", "AbortError");
    if (!userVisibleOnly) throw new Error("not visible");
    made = applicationServerKey;
    sessionStorage.setItem("subscribed", made);
    return subscription;
  };
  Notification.requestPermission = async () => "granted";
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
}"""
"""Replaces the push service of the browser's vendor: a subscription at an address of the test."""


@pytest.fixture
async def table(listener: socket) -> AsyncIterator[Table]:
    """A server that sends messages, including to this machine."""
    log = MemoryLog()
    notify = Notify("http://localhost", private=True)
    async with (
        answering(log, listener.dup(), notify=notify) as address,
        notifying(log, notify),
        AsyncClient(base_url=address) as client,
    ):
        yield Table(client, cast(PostgresLog, log))


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


async def subscribing(page: Page, receiver: Receiver, subscriber: Subscriber, *, refused: bool = False) -> None:
    """Let the browser subscribe at the receiver, on this page and those after it."""
    keys = {"p256dh": text(subscriber.point), "auth": text(AUTH)}
    given: dict[str, Any] = {"endpoint": receiver.url, "keys": keys, "refused": refused}
    await page.evaluate(SUBSCRIBING, given)


async def hooks(guest: Guest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await guest.get(HOOKS)).json()["webhooks"]
    return found


async def test_one_click_turns_messages_on_and_another_one_off(
    browser: Browser, table: Table, receiver: Receiver
) -> None:
    ada, subscriber = await table.guest("Ada"), Subscriber()
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go("/account")
        panel = page.get_by_role("region", name="Messages", exact=True)
        await expect(panel.get_by_role("button", name="Turn on for this device")).to_be_visible()
        await subscribing(page, receiver, subscriber)
        await panel.get_by_role("button", name="Turn on for this device").click()
        await expect(panel.get_by_text("even when no page is open")).to_be_visible()
        [hook] = await hooks(ada)
        assert (hook["service"], hook["url"]) == ("push", receiver.url)
        subscribed_with = await page.evaluate("sessionStorage.getItem('subscribed')")
        assert subscribed_with == (await ada.get(HOOKS)).json()["push_key"]
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await panel.get_by_role("button", name="Test: a browser").click()
        await expect(panel.get_by_text("on its way")).to_be_visible()
        [sent] = await receiver.count(1)
        assert b"This is a test" in subscriber.reads(sent.body)
        await panel.get_by_role("button", name="Turn off for this device").click()
        await expect(panel.get_by_role("button", name="Turn on for this device")).to_be_visible()
        assert await hooks(ada) == []


async def test_whoever_signs_out_takes_their_messages_along(browser: Browser, table: Table, receiver: Receiver) -> None:
    ada = await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go("/account")
        await subscribing(page, receiver, Subscriber())
        await page.get_by_role("button", name="Turn on for this device").click()
        await expect(page.get_by_text("even when no page is open")).to_be_visible()
        await page.get_by_role("form", name="Change name").get_by_label("Name").fill("Ada the Second")
        await page.get_by_role("button", name="Change name").click()
        await expect(page.get_by_text("even when no page is open")).to_be_visible()
        assert await page.evaluate("sessionStorage.getItem('subscribed')") is not None
        await page.locator("main").get_by_role("button", name="Sign out").click()
        await page.wait_for_function("sessionStorage.getItem('subscribed') === null")


async def test_without_a_push_service_messages_come_while_a_page_is_open(
    browser: Browser, table: Table, receiver: Receiver
) -> None:
    ada = await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go("/account")
        await subscribing(page, receiver, Subscriber(), refused=True)
        await page.get_by_role("button", name="Turn on for this device").click()
        await expect(page.get_by_text("while a page is open")).to_be_visible()
        assert await hooks(ada) == []


async def test_ntfy_and_programs_are_added_by_hand_and_a_bad_address_is_told(browser: Browser, table: Table) -> None:
    ada = await table.guest("Ada")
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go("/account")
        panel = page.get_by_role("region", name="Messages", exact=True)
        await panel.get_by_text("Send messages somewhere else").click()
        form = panel.get_by_role("form")
        await form.get_by_label("Address").fill("https://play:er@ntfy.example.org/topic")
        await form.get_by_role("button", name="Add").click()
        await expect(panel.get_by_text("no user name or password")).to_be_visible()
        await form.get_by_label("Address").fill("https://ntfy.example.org/topic")
        await form.get_by_role("button", name="Add").click()
        await expect(panel.get_by_role("rowheader", name="ntfy (ntfy.example.org)")).to_be_visible()
        await panel.get_by_text("Send messages somewhere else").click()
        await form.get_by_label("Service").select_option("standard")
        await form.get_by_label("Address").fill("https://example.org/hook")
        await form.get_by_role("button", name="Add").click()
        await expect(panel.locator("code.secret")).to_contain_text("whsec_")
        assert [each["service"] for each in await hooks(ada)] == ["ntfy", "standard"]
        await panel.get_by_role("button", name="Remove: ntfy (ntfy.example.org)").click()
        await expect(panel.get_by_role("rowheader")).to_have_count(1)
        assert [each["service"] for each in await hooks(ada)] == ["standard"]


async def test_a_player_sets_which_messages_come_and_when_and_mutes_a_game(browser: Browser, table: Table) -> None:
    """Settings that are not touched stay, and so do they when the page is opened again."""
    game = await table.start()
    ada = table.guests[0]
    wishes = "/v1/players/me/notifications"
    async with visiting(browser, str(table.client.base_url), await account(ada)) as visit:
        page = await visit.go("/account")
        await page.get_by_text("Which messages, and when").click()
        form = page.get_by_role("form", name="Which messages, and when")
        await form.get_by_label("It is my turn").uncheck()
        await form.get_by_label("Somebody wrote in the chat").check()
        await form.get_by_label("Remind me").select_option("1 hour")
        await form.get_by_label("No messages at night, or at other times", exact=True).check()
        await form.get_by_label("other times: until").fill("06:30")
        assert await barriers(page) == []
        await form.get_by_role("button", name="Save").click()
        await expect(page.get_by_text("Saved.")).to_be_visible()
        told = (await ada.get(wishes)).json()
        assert told["topics"] == ["game.deadline", "game.over", "game.invitation", "chat.message"]
        assert (told["reminder"], told["digest"]) == (60, None)
        assert told["quiet"] == {"begin": "22:00", "end": "06:30"}
        await page.get_by_role("button", name="Mute this game").click()
        await expect(page.get_by_role("listitem").filter(has_text=": no messages")).to_be_visible()
        assert (await ada.get(wishes)).json()["games"] == [{"game": game, "topics": [], "reminder": None}]
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await visit.go("/account")
        await page.get_by_text("Which messages, and when").click()
        await expect(form.get_by_label("It is my turn")).not_to_be_checked()
        await expect(form.get_by_label("other times: until")).to_have_value("06:30")
        await page.get_by_role("button", name=re.compile("Use the general settings again")).click()
        await expect(page.get_by_role("button", name="Mute this game")).to_be_visible()
        await form.get_by_role("checkbox", name="One message a day").check()
        await form.get_by_role("button", name="Save").click()
        await expect(page.get_by_text("Saved.")).to_be_visible()
        after = (await ada.get(wishes)).json()
        assert (after["digest"], after["quiet"], after["games"]) == ("18:00", told["quiet"], [])


async def test_an_address_is_added_confirmed_and_unsubscribed_by_its_links(browser: Browser, listener: socket) -> None:
    log = MemoryLog()
    async with a_mailbox() as mailbox:
        smtp = Smtp("127.0.0.1", mailbox.port, "none", "games@example.org")
        notify = Notify("https://play.example.org", smtp=smtp)
        async with (
            answering(log, listener.dup(), notify=notify) as address,
            notifying(log, notify),
            AsyncClient(base_url=address) as client,
        ):
            ada = await Table(client, cast(PostgresLog, log)).guest("Ada")

            async def follow(link: str, button: str) -> None:
                await visit.go(link.removeprefix(notify.site))
                await page.get_by_role("button", name=button).click()

            async with visiting(browser, address, await account(ada)) as visit:
                page = await visit.go("/account")
                panel = page.get_by_role("region", name="Messages", exact=True)
                await panel.get_by_text("Send messages somewhere else").click()
                form = panel.get_by_role("form")
                await form.get_by_label("Service").select_option("email")
                await form.get_by_label("Address").fill("ada@example.org")
                await form.get_by_role("button", name="Add").click()
                await expect(panel.get_by_text("Open the link")).to_be_visible()
                row = panel.get_by_role("rowheader", name="Email (ada@example.org)")
                await expect(row).to_contain_text("not confirmed yet")
                [asked] = await mailbox.count(1)
                await follow(re.findall(r"^https://\S+#\S+$", asked.text, re.MULTILINE)[0], "Confirm")
                await expect(page.get_by_text("Messages go to this address")).to_be_visible()
                assert await barriers(page) == []
                await visit.go("/account")
                await expect(row).not_to_contain_text("not confirmed yet")
                await panel.get_by_role("button", name="Test: Email (ada@example.org)").click()
                test = (await mailbox.count(2))[1]
                await follow(test.letter["List-Unsubscribe"].strip("<>"), "Unsubscribe")
                await expect(page.get_by_text("No more emails go to this address")).to_be_visible()
                await visit.go("/account")
                await expect(row).to_contain_text("unsubscribed")


RECORDING = """() => {
  self.shown = [];
  self.opened = [];
  self.seen = [];
  self.registration.showNotification = async (title, { body, tag, data }) => self.shown.push([body, tag, data.page]);
  self.clients.matchAll = async () => self.seen;
  self.clients.openWindow = async (page) => self.opened.push(page);
}"""
"""Replaces the notifications of the system, which a headless browser lacks."""
LOOKING = """() => {
  self.seen = [{ focused: true, url: "http://x/games/bb", focus: () => self.opened.push("bb") }];
}"""
CLICKED = """(page) => {
  const event = new ExtendableEvent("notificationclick");
  event.notification = { data: { page }, close: () => {} };
  self.dispatchEvent(event);
}"""


UNTIL = """async ([what, wanted]) => {
  while (JSON.stringify(self[what]) !== JSON.stringify(wanted)) await new Promise((done) => setTimeout(done, 20));
}"""


async def test_a_message_is_shown_though_no_page_is_open_and_a_click_leads_to_the_game(
    browser: Browser, table: Table
) -> None:
    """The service worker shows what a push service delivers, unless the reader is looking at the game."""
    async with visiting(browser, str(table.client.base_url), own_window=True) as visit:
        page = await visit.go("/account")
        async with visit.context.expect_event("serviceworker") as begun:
            await page.evaluate("navigator.serviceWorker.register('/service-worker.js')")
        worker = await begun.value
        await page.evaluate("navigator.serviceWorker.ready.then(() => {})")
        devtools = await visit.context.new_cdp_session(page)
        registrations: asyncio.Queue[Any] = asyncio.Queue()
        devtools.once(
            "ServiceWorker.workerRegistrationUpdated", lambda told: registrations.put_nowait(told["registrations"])
        )
        await devtools.send("ServiceWorker.enable")
        [known] = await registrations.get()
        await worker.evaluate(RECORDING)

        async def deliver(text: str, about: str) -> None:
            data = json.dumps({"text": text, "page": f"/games/{about}", "about": about})
            place = {"origin": visit.address, "registrationId": known["registrationId"]}
            await devtools.send("ServiceWorker.deliverPushMessage", {**place, "data": data})

        await deliver("McMulti: it is your turn.", "aa")
        first = ["McMulti: it is your turn.", "aa", "/games/aa"]
        await worker.evaluate(UNTIL, ["shown", [first]])
        await worker.evaluate(LOOKING)
        await deliver("You see this.", "bb")
        await deliver("And not this.", "cc")
        await worker.evaluate(UNTIL, ["shown", [first, ["And not this.", "cc", "/games/cc"]]])
        for page_clicked, opened in (("/games/bb", ["bb"]), ("/games/aa", ["bb", "/games/aa"])):
            await worker.evaluate(CLICKED, page_clicked)
            await worker.evaluate(UNTIL, ["opened", opened])


async def test_messages_are_turned_on_where_one_waits_for_others(
    browser: Browser, table: Table, receiver: Receiver
) -> None:
    """At a table whose game has not begun, and while it is another player's turn."""
    game = await table.open()
    ada, tell = table.guests[0], "Message me when it is my turn"
    async with visiting(browser, str(table.client.base_url), await account(ada), size="phone") as visit:
        page = await visit.go(f"/games/{game}")
        await page.get_by_role("button", name=tell).click()
        dialog = page.get_by_role("dialog", name="Messages about this game")
        await expect(dialog.get_by_text("So far, messages do not go anywhere.")).to_be_visible()
        await subscribing(page, receiver, Subscriber())
        await dialog.get_by_role("button", name="Turn on for this device").click()
        await expect(dialog.get_by_text("even when no page is open")).to_be_visible()
        await expect(dialog.get_by_text("So far")).to_have_count(0)
        assert await barriers(page) == []
        assert [each["service"] for each in await hooks(ada)] == ["push"]
        await page.keyboard.press("Escape")
        await ada.send(game, {"type": "StartGame"})
        await expect(page.get_by_role("region", name="Your moves").get_by_text("It is your move")).to_be_visible()
        await expect(page.get_by_role("button", name=tell)).to_have_count(0)
        await ada.send(game, {"type": "EndPurchases"})
        await page.get_by_role("button", name=tell).click()
        await expect(dialog.get_by_role("button", name="Turn off for this device")).to_be_visible()


async def test_a_player_sets_on_the_page_of_a_game_which_messages_come_about_it(browser: Browser, table: Table) -> None:
    game = await table.start()
    ada = table.guests[0]
    wishes = "/v1/players/me/notifications"
    async with visiting(browser, str(table.client.base_url), await account(ada), size="narrow") as visit:
        page = await visit.go(f"/games/{game}")
        await page.get_by_role("button", name="Messages").click()
        dialog = page.get_by_role("dialog", name="Messages about this game")
        await dialog.get_by_label("It is my turn").uncheck()
        await expect(dialog.get_by_label("I am invited")).to_have_count(0)  # that was before
        await dialog.get_by_label("Remind me").select_option("1 hour")
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await dialog.get_by_role("button", name="Save").click()
        await expect(dialog.get_by_text("Saved.")).to_be_visible()
        told = (await ada.get(wishes)).json()
        assert told["games"] == [{"game": game, "topics": ["game.deadline", "game.over"], "reminder": 60}]
        await dialog.get_by_role("button", name="Use the general settings again").click()
        await expect(dialog.get_by_label("It is my turn")).to_be_checked()
        assert (await ada.get(wishes)).json()["games"] == []
        await page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
    async with visiting(browser, str(table.client.base_url)) as visit:
        page = await visit.go(f"/games/{game}")
        await page.get_by_role("link", name="Verify it yourself").wait_for()
        await expect(page.get_by_role("button", name="Messages")).to_have_count(0)  # spectators get none

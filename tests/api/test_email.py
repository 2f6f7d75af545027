"""Email addresses over the API: confirmed by whoever reads the mail, unsubscribed by whoever has one, counted."""

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from mcmulti.api.messages.email import OF_ADDRESS, OF_PLAYER
from mcmulti.events.postgres.log import PostgresLog
from mcmulti.notify.mail.links import CONFIRMABLE, unsubscription
from mcmulti.notify.mail.postman import Postman
from mcmulti.notify.mail.smtp import MailServer
from mcmulti.notify.settings import Notify, Smtp
from tests.api.guests import Guest, Json, Table, problem
from tests.api.hooks import HOOKS, SITE, added, listed, served
from tests.notify.mailbox import Mailbox, a_mailbox

ADA = "mailto:ada@example.org"
STOP = "/v1/email/unsubscribe"


@pytest.fixture
async def mailbox() -> AsyncIterator[Mailbox]:
    async with a_mailbox() as mailbox:
        yield mailbox


def sending(mailbox: Mailbox) -> Notify:
    return Notify(SITE.site, smtp=Smtp("127.0.0.1", mailbox.port, "none", "games@example.org"))


@pytest.fixture
async def log(database: str) -> AsyncIterator[PostgresLog]:
    async with PostgresLog.open(database) as log:
        yield log


@pytest.fixture
async def table(log: PostgresLog, mailbox: Mailbox) -> AsyncIterator[Table]:
    async with served(log, sending(mailbox)) as table:
        yield table


async def sent(table: Table, mailbox: Mailbox) -> list[str]:
    """The texts of all emails, once everything that is due was sent."""
    smtp = sending(mailbox).smtp
    assert smtp is not None
    postman = Postman(table.log, MailServer(smtp), SITE.site)
    await postman.step()
    await postman.idle()
    return [taken.text for taken in mailbox.taken]


def token(text: str) -> str:
    """The token in an email that asks to confirm its address."""
    [found] = re.findall(r"^https://play\.example\.org/email/confirm#(\S+)$", text, re.MULTILINE)
    return str(found)


async def confirm(table: Table, text: str) -> Any:
    return await table.client.post("/v1/email/confirm", json={"token": token(text)})


async def asked(guest: Guest, url: str = ADA, **body: Any) -> Json:
    made: Json = (await added(guest, url=url, service="email", **body))["about"]
    return made


async def test_an_address_is_confirmed_by_a_link_that_works_once(table: Table, mailbox: Mailbox) -> None:
    ada = await table.guest("Ada")
    about = await asked(ada, "mailto:Ada@Example.ORG", language="de")
    assert (about["url"], about["confirmed"], about["gone"]) == ("mailto:Ada@example.org", None, None)
    [text] = await sent(table, mailbox)
    assert mailbox.taken[0].receivers == ["Ada@example.org"]
    assert mailbox.taken[0].letter["Subject"] == "Bestätige deine E-Mail-Adresse"
    assert "Ada" not in text, "nothing that a player wrote is sent to an address of somebody else"
    await ada.post(f"{HOOKS}/{about['id']}/test")
    assert len(await sent(table, mailbox)) == 1, "not before it is confirmed"
    confirmed = await confirm(table, text)
    assert confirmed.status_code == 200
    assert confirmed.headers["cache-control"] == "no-store"
    [now] = await listed(ada)
    assert now["confirmed"] == confirmed.json()["confirmed"] is not None
    problem(await confirm(table, text), 404, "unknown_link")


async def test_a_link_that_is_too_old_or_guessed_confirms_nothing(
    table: Table, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await table.guest("Ada")
    about = await asked(ada)
    [text] = await sent(table, mailbox)
    real = token(text)
    for guess in (real[:-1] + ("A" if real[-1] != "A" else "E"), "A" * 64, "_" * 64):
        problem(await table.client.post("/v1/email/confirm", json={"token": guess}), 404, "unknown_link")
    for guess in ("", real[1:], f"{real}A", "ä" * 64):
        problem(await table.client.post("/v1/email/confirm", json={"token": guess}), 400, "invalid_body")
    monkeypatch.setattr("mcmulti.api.messages.email.CONFIRMABLE", timedelta())
    problem(await confirm(table, text), 404, "unknown_link")
    monkeypatch.setattr("mcmulti.api.messages.email.CONFIRMABLE", CONFIRMABLE)
    await ada.delete(f"{HOOKS}/{about['id']}")
    problem(await confirm(table, text), 404, "unknown_link")


async def test_the_log_has_the_digest_of_a_token_and_not_the_token(table: Table, mailbox: Mailbox) -> None:
    ada = await table.guest("Ada")
    await asked(ada)
    [text] = await sent(table, mailbox)
    async with table.log._connection() as connection:
        rows = await (await connection.execute("SELECT webhook::text FROM webhook")).fetchall()
    assert token(text) not in repr(rows)


@pytest.mark.parametrize("content", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b"])
async def test_a_mail_program_unsubscribes_with_one_click(table: Table, mailbox: Mailbox, content: str) -> None:
    """As RFC 8058 says: a POST without a token, in a form, to the address in the header."""
    ada = await table.guest("Ada")
    await asked(ada)
    await confirm(table, (await sent(table, mailbox))[0])
    [hook] = await listed(ada)
    await ada.post(f"{HOOKS}/{hook['id']}/test")
    await sent(table, mailbox)
    letter = mailbox.taken[1].letter
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    url = letter["List-Unsubscribe"].strip("<>").removeprefix(SITE.site)
    looked = await table.client.get(url, headers={"Accept": "text/html"})
    assert looked.headers["content-type"].startswith("text/html")
    assert (await listed(ada))[0]["gone"] is None, "who only looks unsubscribes nothing"
    body = b"List-Unsubscribe=One-Click"
    for _ in range(2):
        ended = await table.client.post(url, content=body, headers={"Content-Type": content})
        assert (ended.status_code, ended.headers["cache-control"]) == (200, "no-store")
    [after] = await listed(ada)
    assert after["gone"] == ended.json()["gone"] is not None
    await ada.post(f"{HOOKS}/{hook['id']}/test")
    assert len(await sent(table, mailbox)) == 2


async def test_links_that_unsubscribe_cannot_be_guessed(table: Table) -> None:
    ada = await table.guest("Ada")
    hook, email = (await added(ada))["about"], await asked(ada)
    key, id_ = await table.log.digest_key(), UUID(email["id"])
    real, forged = unsubscription(key, id_), unsubscription(bytes(32), id_)
    for guess in (unsubscription(key, UUID(hook["id"])), forged, real[:-2], f"{real}A", "ä" * 43, "!" * 43):
        problem(await table.client.post(f"{STOP}/{guess}"), 404, "unknown_link")
    assert all(each["gone"] is None for each in await listed(ada))


async def test_an_address_gets_so_many_links_a_day_and_nobody_learns_that(table: Table, mailbox: Mailbox) -> None:
    """Whoever asks, and however they write it."""
    for number in range(OF_ADDRESS + 1):
        guest = await table.guest(f"Guest {number}")
        about = await asked(guest, f"mailto:ada+{number}@example.org")
        assert (about["confirmed"], about["gone"]) == (None, None)
    assert len(await sent(table, mailbox)) == OF_ADDRESS


async def test_a_player_asks_for_so_many_links_a_day(table: Table, mailbox: Mailbox) -> None:
    ada = await table.guest("Ada")
    for number in range(OF_PLAYER):
        about = await asked(ada, f"mailto:someone{number}@example.org")
        await ada.delete(f"{HOOKS}/{about['id']}")
    body = {"url": "mailto:more@example.org", "service": "email"}
    problem(await ada.post(HOOKS, json=body), 409, "too_many_emails")
    assert await sent(table, mailbox) == []


async def test_all_players_together_ask_for_so_many_links_a_day(
    table: Table, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nobody learns from that who asked, or for which address."""
    monkeypatch.setattr("mcmulti.api.messages.email.OF_SERVER", 2)
    for number in range(2):
        await asked(await table.guest(f"Guest {number}"), f"mailto:someone{number}@example.org")
    eve = await table.guest("Eve")
    for url in ("mailto:someone0@example.org", "mailto:new@example.org"):
        told = problem(await eve.post(HOOKS, json={"url": url, "service": "email"}), 409, "too_many_emails")
        assert "Too many email addresses were added to this server today" in told["detail"]
    assert await listed(eve) == []
    assert len(await sent(table, mailbox)) == 2


async def test_a_repeated_request_sends_one_link(table: Table, mailbox: Mailbox) -> None:
    ada = await table.guest("Ada")
    key = {"Idempotency-Key": '"once"'}
    for _ in range(OF_PLAYER + 1):
        await added(ada, key, url=ADA, service="email")
    assert len(await sent(table, mailbox)) == 1


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/",
        "mailto:",
        "mailto:ada",
        "mailto:ada@localhost",
        "mailto:ada@127.0.0.1",
        "mailto:ada@[127.0.0.1]",
        "mailto:ada@example.org?subject=x",
        "mailto:ada@example.org,ben@example.org",
        "mailto:ada%0d%0aBcc:ben@example.org",
        "mailto:ada@example.org\r\nBcc: ben@example.org",
        "mailto:<ada@example.org>",
        'mailto:"ada b"@example.org',
        "mailto:ada..b@example.org",
        "mailto:ädä@example.org",
        f"mailto:{'a' * 65}@example.org",
        f"mailto:a@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 60}.{'f' * 60}.org",
    ],
)
async def test_what_is_no_address_is_refused(table: Table, url: str) -> None:
    ada = await table.guest("Ada")
    problem(await ada.post(HOOKS, json={"url": url, "service": "email"}), 422, "refused_url")


async def test_an_address_of_email_is_for_email_alone(table: Table) -> None:
    ada = await table.guest("Ada")
    problem(await ada.post(HOOKS, json={"url": ADA, "service": "standard"}), 422, "refused_url")


async def test_without_a_mail_server_there_is_no_email(log: PostgresLog) -> None:
    async with served(log) as table:
        ada = await table.guest("Ada")
        assert (await ada.get(HOOKS)).json()["email"] is False
        problem(await ada.post(HOOKS, json={"url": ADA, "service": "email"}), 409, "no_email")

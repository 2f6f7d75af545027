"""The page that proves a game: with a good file, with forged ones, with a key that this browser knows, and offline."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from mcmulti.domain.mcmulti import RULESET
from mcmulti.events.log.signing import SigningKey
from mcmulti.events.memory.log import MemoryLog
from mcmulti.events.ports.game_index import TableRow
from mcmulti.events.store.game_file import lines, record_of
from mcmulti.server.process import bound
from tests.api.applications import answering_again
from tests.cli.proving import GAME, ID, KEY
from tests.golden.games import seed_of
from tests.web.browsing import barriers, overflow, visiting

pytestmark = pytest.mark.needs("chromium")

HOSTILE = "</script><img src=x onerror=alert(1)>\u2028"


@pytest.fixture
async def server() -> AsyncIterator[str]:
    """The address of a server with a finished game."""
    log = MemoryLog()
    await log.create(GAME[0].game_id, RULESET.name, RULESET.version, TableRow("finished"), seed_of(GAME), GAME)
    with bound("127.0.0.1", 0) as listener:
        async with answering_again(log, listener) as address:
            yield address


def written(folder: Path, pattern: bytes = b"", instead: bytes = b"", *, key: SigningKey | None = KEY) -> Path:
    """A game file with the first match of a pattern changed."""
    path = folder / f"{HOSTILE.replace('/', '')}.mcmulti.jsonl"
    content = b"".join(lines(record_of(GAME, key)))
    changed = re.sub(pattern, instead, content, count=1) if pattern else content
    assert bool(pattern) == (changed != content)
    path.write_bytes(changed)
    return path


def content_of(file: Path) -> bytes:
    return file.read_bytes()


async def done(page: Page) -> None:
    await page.locator(".verdict").wait_for()
    await expect(page.locator(".result")).to_have_attribute("aria-busy", "false")


async def test_a_game_of_the_server_is_proven(browser: Browser, server: str) -> None:
    async with visiting(browser, server) as visit:
        page = await visit.go(f"/games/{ID}/proof")
        await done(page)
        assert await page.locator(".verdict").inner_text() == "Proven, as far as possible without the rules."
        claims = await page.locator(".claims li").all_inner_texts()
        assert [claim.split()[0] for claim in claims] == ["✓"] * 6
        assert f"{len(GAME)} events, each hashed over the one before it" in claims[0]
        assert f"Head {len(GAME)}-{GAME[-1].hash.hex()}" in claims[4]
        assert "mcmulti verify" in await page.locator(".unchecked").inner_text()
        assert "for the first time" in await page.locator(".signer").inner_text()
        assert "Proven" in await page.locator("#news").inner_text()
        assert await barriers(page) == []
        await page.reload()
        await done(page)
        assert "key since" in await page.locator(".signer").inner_text()


async def test_over_plain_http_all_but_the_signature_is_checked_and_it_says_so(browser: Browser, server: str) -> None:
    """As on a server that is opened by its address on the local network: browsers provide no hashes to such pages."""
    address = server.replace("127.0.0.1", "lan.test")
    async with visiting(browser, address) as visit:
        page = await visit.go(f"/games/{ID}/proof")
        await done(page)
        assert await page.evaluate("[isSecureContext, crypto.subtle === undefined]") == [False, True]
        assert await page.locator(".verdict").get_attribute("data-verdict") == "proven"
        assert await page.locator(".claims [data-holds=null]").all_inner_texts() == [
            "·\nThe signature was not checked: this page was loaded over http. Browsers check no signatures there, "
            "and page and game may be changed in transit. Open it over https, or save the game file and check it with "
            "mcmulti verify."
        ]
        async with page.expect_download() as saving:
            await page.get_by_role("button", name="Save the game file").click()
        saved = content_of(await (await saving.value).path()).splitlines(keepends=True)
        assert saved[1:] == [*lines(record_of(GAME))][1:]
        await page.locator("#file").set_input_files({"name": "x.jsonl", "mimeType": "", "buffer": b"no game"})
        await expect(page.locator(".verdict")).to_have_attribute("data-verdict", "wrong")


async def test_another_key_than_the_one_this_browser_knows_is_told(browser: Browser, server: str) -> None:
    async with visiting(browser, server) as visit:
        page = await visit.go(f"/games/{ID}/proof")
        await done(page)
        own = await page.evaluate("JSON.parse(localStorage['mcmulti.proof.key']).public")
        other = {"public": KEY.public, "since": "2026-01-01T00:00:00Z"}
        await page.evaluate("known => localStorage['mcmulti.proof.key'] = JSON.stringify(known)", other)
        await page.reload()
        await done(page)
        assert await page.locator(".verdict").get_attribute("data-verdict") == "asked"
        assert "neither by the key you asked for" in await page.locator(".claims").inner_text()
        await page.get_by_role("button", name="Accept this key from now on").click()
        assert await page.evaluate("JSON.parse(localStorage['mcmulti.proof.key']).public") == own
        await page.reload()
        await done(page)
        assert await page.locator(".verdict").get_attribute("data-verdict") == "proven"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Event 9 was changed: its hash does not match its content."),
        ("de", "Ereignis 9 wurde verändert: Sein Hash passt nicht zum Inhalt."),
    ],
)
async def test_a_tampered_file_is_found_offline(
    language: str, sentence: str, browser: Browser, server: str, tmp_path: Path
) -> None:
    """The page was loaded once. Then neither server nor network is there."""
    file = written(tmp_path, rb'"price":5', b'"price":4')
    async with visiting(browser, server, language=language, size="phone", own_window=True) as visit:
        page = await visit.go(f"/games/{ID}/proof")
        await done(page)
        await visit.context.set_offline(True)
        await page.locator("input[type=file]").set_input_files(file)
        await expect(page.locator(".fault")).to_contain_text(sentence, timeout=60_000)
        assert await page.locator(".verdict").get_attribute("data-verdict") == "wrong"
        assert "mcmulti verify game.mcmulti.jsonl" in await page.locator(".unchecked").inner_text()
        assert await barriers(page) == []
        assert await overflow(page) == 0
        visit.faults = [fault for fault in visit.faults if "ERR_INTERNET_DISCONNECTED" not in fault]


async def test_a_file_that_is_dropped_is_proven_against_what_was_noted(
    browser: Browser, server: str, tmp_path: Path
) -> None:
    async with visiting(browser, server) as visit:
        page = await visit.go(f"/games/{ID}/proof")
        await done(page)
        drop = """([name, text]) => {
            const data = new DataTransfer();
            data.items.add(new File([text], name));
            dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
        }"""
        file = written(tmp_path)
        await page.evaluate(drop, [file.name, file.read_text("utf-8")])
        await expect(page.locator(".signer")).to_contain_text("A file can name any key")
        assert await page.locator(".short").inner_text() == " ".join(re.findall("....", KEY.id))
        for key, head, verdict in (
            (KEY.id, f'"57-{GAME[56].hash.hex()}"', "proven"),
            (KEY.public, f"58-{GAME[56].hash.hex()}", "asked"),
            ("0" * 16, "", "asked"),
        ):
            await page.get_by_label("Key").fill(key)
            await page.get_by_label("Moment").fill(head)
            await page.get_by_role("button", name="Prove", exact=True).click()
            await expect(page.locator(".verdict")).to_have_attribute("data-verdict", verdict)
            await done(page)
        await page.get_by_label("Key").fill("not a key")
        await page.get_by_role("button", name="Prove", exact=True).click()
        await expect(page.get_by_label("Key")).to_have_attribute("aria-invalid", "true")
        await page.get_by_role("button", name="Prove this game again").click()
        await expect(page.locator(".signer")).to_contain_text("has known this server")
        assert await page.locator(".verdict").get_attribute("data-verdict") == "proven"

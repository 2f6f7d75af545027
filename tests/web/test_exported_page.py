"""Games as pages in one file: they replay and prove themselves, offline, whatever the players' names are."""

import re
from base64 import b64decode, b64encode
from functools import cache
from gzip import compress, decompress
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from playwright.async_api import Browser, Page, expect

from mcmulti.cli.proof.exporting import page
from mcmulti.domain.core.table import presented
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.evaluation.reviews.review import Reviewing
from mcmulti.events.log.codec import event_decoder, fold, opened_with
from mcmulti.events.store.game_file import GameRecord, lines, record_of
from mcmulti.events.store.redaction import for_onlookers
from mcmulti.projections.books.ledger import entries
from mcmulti.projections.books.statements import BookSpan, flows
from mcmulti.projections.reports.replay import frames
from mcmulti.projections.reviews import Review
from mcmulti.projections.svg.board import drawn
from tests.cli.proving import KEY, run
from tests.golden.games import FILES, load
from tests.pure.evaluation.blunder import game_with_a_blunder
from tests.web.browsing import barriers, overflow
from tests.web.proving import evaluated

GAME = load(next(file for file in FILES if file.stem == "marracash-three-players"))
ENDED = len(GAME)
NAMES = ["</script><script>hit()</script>", "\u2028<img src=x onerror=hit()>", "]]>&amp;`${hit()}`"]
PLAYERS = [msgspec.json.decode(event.data)["player"] for event in GAME if event.type == "SeatTaken"]
CALLED = dict(zip(PLAYERS, NAMES, strict=True))
RECORD = record_of(GAME, KEY, CALLED)
BY_POST = load(next(file for file in FILES if file.stem == "by-post-sales"))


@cache
def written() -> str:
    """The page of the game. Drawing it takes a while."""
    return b"".join(page(RECORD)).decode()


def data_in(text: str, name: str) -> bytes:
    """The compressed content of a page."""
    return decompress(b64decode(_packed(text, name)))


def repacked(text: str, name: str, content: bytes) -> str:
    """The page with something else in that place."""
    return text.replace(_packed(text, name), b64encode(compress(content)).decode())


def _packed(text: str, name: str) -> str:
    (packed,) = re.findall(rf'<script type="application/gzip" id="{name}">([A-Za-z0-9+/=]*)</script>', text)
    return str(packed)


def content_of(file: Path) -> bytes:
    return file.read_bytes()


def told(language: str) -> Any:
    return msgspec.json.decode(data_in(written(), "moments"))["told"][language]


class Reader:
    """A person who opens a file without a network: what they see, and what went wrong or was requested meanwhile."""

    def __init__(self, shown: Page) -> None:
        self.page = shown
        self.faults: list[str] = []
        shown.on("console", lambda message: self.faults.append(message.text))
        shown.on("pageerror", lambda error: self.faults.append(str(error)))
        shown.on("request", lambda request: self._asked(request.url))

    def _asked(self, address: str) -> None:
        if not address.startswith(("file:", "blob:")):
            self.faults.append(f"asks for {address}")


def kept(file: Path, text: str) -> None:
    file.write_text(text, "utf-8", newline="")


async def opened(browser: Browser, file: Path, text: str, language: str = "en", *, phone: bool = False) -> Reader:
    kept(file, text)
    size: Any = {"width": 390, "height": 844} if phone else {"width": 1280, "height": 800}
    context = await browser.new_context(offline=True, locale=language, viewport=size, reduced_motion="reduce")
    reader = Reader(await context.new_page())
    await reader.page.goto(file.as_uri())
    await expect(reader.page.locator(".result")).to_have_attribute("aria-busy", "false", timeout=60_000)
    return reader


@pytest.mark.needs("chromium")
async def test_it_replays_and_proves_itself_offline(browser: Browser, tmp_path: Path) -> None:
    reader = await opened(browser, tmp_path / "game.html", written())
    shown = reader.page
    assert await shown.locator(".verdict").get_attribute("data-verdict") == "proven"
    assert await shown.locator(".claims [data-holds=true]").count() == 7  # with the salts of sealed ceilings
    caption, english = shown.locator(".caption"), told("en")["sentences"]
    await expect(caption).to_contain_text(english[-1])
    for name in NAMES:
        assert name.strip() in (await shown.locator("main").text_content() or "")
    await shown.keyboard.press("ArrowLeft")
    await expect(caption).to_contain_text(english[-2])
    await expect(shown).to_have_url(re.compile(f"#at={ENDED - 1}$"))
    await shown.keyboard.press("Home")
    await expect(caption).to_contain_text(english[0])
    await shown.reload()
    await expect(caption).to_contain_text(english[0])
    await shown.keyboard.press("End")
    await expect(caption).to_contain_text(english[-1])
    assert await barriers(shown) == []
    await shown.locator("select.language").select_option("de")
    await expect(shown.locator(".verdict")).to_have_text("Bewiesen, soweit das ohne die Regeln geht.")
    await expect(caption).to_contain_text(told("de")["sentences"][-1])
    async with shown.expect_download() as saving:
        await shown.get_by_role("button", name="Partiedatei speichern").click()
    assert content_of(await (await saving.value).path()) == b"".join(lines(RECORD))
    assert reader.faults == []
    await shown.context.close()


@pytest.mark.needs("chromium")
async def test_a_game_that_was_changed_in_the_page_is_found(browser: Browser, tmp_path: Path) -> None:
    content = data_in(written(), "game").splitlines(keepends=True)
    content[30] = content[30].replace(b'"data":{', b'"data":{"more":1,')
    forged = repacked(written(), "game", b"".join(content))
    reader = await opened(browser, tmp_path / "forged.html", forged, "de", phone=True)
    await expect(reader.page.locator(".fault")).to_contain_text("Ereignis 30 wurde verändert")
    await reader.page.get_by_role("link", name="Ereignis 30 ansehen").click()
    await expect(reader.page.locator(".caption")).to_contain_text(told("de")["sentences"][29])
    assert await overflow(reader.page) == 0
    assert reader.faults == []
    await reader.page.context.close()


@pytest.mark.needs("chromium")
async def test_a_page_that_was_changed_does_not_run(browser: Browser, tmp_path: Path) -> None:
    """Its policy only names its own script, and forbids all requests."""
    changed = written().replace("</main>", "</main><script>document.title = 'hit'</script><img src=x onerror=hit()>")
    reader = await opened(browser, tmp_path / "changed.html", changed)
    assert await reader.page.title() != "hit"
    refused = [fault for fault in reader.faults if "Content Security Policy" in fault]
    assert len(refused) == len(reader.faults) == 3
    await reader.page.context.close()


@pytest.mark.needs("chromium")
async def test_its_review_is_read_beside_the_replay_offline(browser: Browser, tmp_path: Path) -> None:
    record, culprit, blunder = game_with_a_blunder(seed=1)
    reviewing = Reviewing(record, first=blunder - 6, last=blunder + 6)
    for _ in reviewing.passes(3):
        pass
    reviews = {language: reviewing.result(language) for language in LANGUAGES}
    text = b"".join(page(record.content, reviews)).decode()
    assert msgspec.json.decode(data_in(text, "review"), type=dict[str, Review]) == reviews
    [english] = [move for move in reviews["en"].moves if move.seq == blunder]
    [german] = [move for move in reviews["de"].moves if move.seq == blunder]
    assert english.player == culprit
    assert None not in (english.better, german.better)
    reader = await opened(browser, tmp_path / "reviewed.html", text)
    shown = reader.page
    await shown.get_by_role("tab", name="Review").click()
    await shown.locator("#costly + ol .chosen").first.press("Enter")
    await expect(shown).to_have_url(re.compile(f"#at={blunder}$"))
    found = shown.locator(".found")
    await expect(found).to_contain_text(f"Better: {english.better}")
    for player, chance in zip(reviews["en"].players, english.chances, strict=True):
        await expect(found).to_contain_text(f"{player.name} {chance.value:.0%}")
    assert await barriers(shown) == []
    box: Any = await shown.locator("svg.chances").bounding_box()
    await shown.locator("svg.chances").click(position={"x": box["width"] - 11, "y": 60})
    await expect(found).to_contain_text(reviews["en"].moves[-1].said)
    await shown.get_by_role("slider", name="Moment").press("Home")
    await expect(found).to_have_text("The review found nothing about this moment.")
    assert reader.faults == []
    await shown.context.close()
    reader = await opened(browser, tmp_path / "phone.html", text, "de", phone=True)
    await reader.page.goto((tmp_path / "phone.html").as_uri() + f"#at={blunder}")
    await reader.page.get_by_role("tab", name="Rückblick").click()
    await expect(reader.page.locator(".found")).to_contain_text(f"Besser: {german.better}")
    assert await overflow(reader.page) == 0
    assert reader.faults == []
    await reader.page.context.close()


@pytest.mark.needs("node")
def test_every_moment_is_that_of_the_server(tmp_path: Path) -> None:
    """Frames as in the replay, and pictures to the byte, in both languages, whatever the page size."""
    program = """
    import { fileSource } from "./file.js";
    import { Pictures } from "../game/pictures.js";
    const { lines, moments } = JSON.parse(await new Response(process.stdin).text());
    const found = {};
    for (const language of ["en", "de"]) {
      const source = fileSource(lines, moments, language);
      const boards = [], flows = [], frames = [];
      const pictures = new Pictures(source, () => moments.seq);
      for (let at = moments.seq; at >= 1; at--) boards[at - 1] = (await pictures.get(at)).join("");
      for (let at = 1; at <= moments.seq; at++) flows.push(await source.flows(at));
      for (let after = 0; after !== null; ) {
        const page = await source.frames(after, 50);
        frames.push(...page.frames);
        after = page.next;
      }
      found[language] = { boards, flows, frames, game: (await source.open()).game };
    }
    console.log(JSON.stringify(found));
    """
    moments = msgspec.json.decode(data_in(written(), "moments"))
    given = {"lines": data_in(written(), "game").decode().split("\n"), "moments": moments}
    found = evaluated(tmp_path, program, given)
    ruleset = opened_with(GAME[0])
    assert ruleset.picture is not None
    decode = event_decoder(ruleset.name, ruleset.version)
    for language in ("en", "de"):
        state, boards = None, []
        for event in GAME:
            state = presented(ruleset.evolve(state, decode(event.data)), CALLED)
            boards.append(drawn(ruleset.picture(state, language)).decode())
        assert found[language]["boards"] == boards
        replayed = [*frames(ruleset, None, GAME, language=language, called=CALLED)]
        assert found[language]["frames"] == msgspec.json.decode(msgspec.json.encode(replayed))
        spans = [BookSpan(after=seq - 1, until=seq) for seq in range(1, ENDED + 1)]
        booked = [flows(entries(GAME), span) for span in spans]
        assert found[language]["flows"] == msgspec.json.decode(msgspec.json.encode(booked))
        assert found[language]["game"]["view"] == msgspec.json.decode(msgspec.json.encode(ruleset.view(state, None)))
        table = found[language]["game"]["table"]
        assert (table["status"], table["outcome"]["winners"]) == ("finished", [0])
        assert [seat["name"] for seat in table["seats"]] == NAMES


def test_it_holds_no_more_than_the_game_file_of_its_reader() -> None:
    """A game by post whose first sheets are still sealed: no part of the page contains anything of them."""
    sheets = [index for index, event in enumerate(BY_POST) if event.type == "OrdersSubmitted"]
    events = BY_POST[: sheets[1] + 1]
    record = GameRecord(record_of(events, KEY).file, for_onlookers(events))
    text = b"".join(page(record)).decode()
    assert data_in(text, "game") == b"".join(lines(record))
    salts = [msgspec.json.decode(BY_POST[index].data)["salt"].encode() for index in sheets[:2]]
    for name in ("game", "moments"):
        content = data_in(text, name)
        assert b"BuyAssetOrder" not in content
        assert not [salt for salt in salts if salt in content]
    assert fold(opened_with(events[0]), events) is not None


def test_the_same_game_makes_the_same_page_and_nothing_written_by_people_stands_in_it() -> None:
    short = GameRecord(record_of(GAME[:8], KEY, CALLED).file, GAME[:8])
    one, other = (b"".join(page(short)).decode() for _ in range(2))
    assert one == other
    assert "hit()" not in one
    assert "\u2028" not in one
    assert one.count("</script>") == 3


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = GAME[:8]
    game = tmp_path / "game.mcmulti.jsonl"
    game.write_bytes(b"".join(lines(record_of(events, KEY))))
    assert run("export", str(game), "--format", "html", "--output", str(tmp_path / "game.html")) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'game.html'}\n"
    assert data_in((tmp_path / "game.html").read_text("utf-8"), "game") == game.read_bytes()
    assert UUID(msgspec.json.decode(data_in((tmp_path / "game.html").read_text("utf-8"), "moments"))["table"]["game"])


def test_the_command_reviews_a_finished_game_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, made = tmp_path / "game.mcmulti.jsonl", tmp_path / "game.html"
    names = ["Ada", "Ben", "Cy"]
    game.write_bytes(b"".join(lines(record_of(GAME, KEY, dict(zip(PLAYERS, names, strict=True))))))
    given = ("export", str(game), "--review", "0.1")
    assert run(*given) == 2
    assert "Only a page includes a review. Give --format html." in capsys.readouterr().err
    assert run(*given, "--format", "html", "--output", str(made)) == 0
    reviews = msgspec.json.decode(data_in(made.read_text("utf-8"), "review"), type=dict[str, Review])
    assert [player.name for player in reviews["de"].players] == names
    assert reviews["en"].commands == reviews["de"].commands
    capsys.readouterr()
    assert run(*given, "--format", "html", "--output", str(made)) == 1
    assert capsys.readouterr().err == f"Error: {made} already exists. Use --force to overwrite it.\n"
    game.write_bytes(b"".join(lines(record_of(GAME[:8], KEY))))
    assert run(*given, "--format", "html", "--output", str(made), "--force") == 1
    assert "The game is not over." in capsys.readouterr().err


def test_the_command_includes_a_review_that_was_stored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a file that `mcmulti review` wrote, or that has the response of a server."""
    game, made, kept = tmp_path / "game.mcmulti.jsonl", tmp_path / "game.html", tmp_path / "review.json"
    game.write_bytes(b"".join(lines(record_of(GAME, KEY))))
    assert run("review", str(game), "--seconds", "0.1", "--json") == 0
    printed = capsys.readouterr().out
    whole = msgspec.json.decode(printed)
    for content in (printed, msgspec.json.encode({"state": "done", "review": whole}).decode()):
        kept.write_text(content)
        given = ("export", str(game), "--format", "html", "--output", str(made), "--force", "--review")
        assert run(*given, str(kept)) == 0
        included = msgspec.json.decode(data_in(made.read_text("utf-8"), "review"))
        assert included["en"] == whole
        assert included["de"]["moves"][0]["said"] != whole["moves"][0]["said"]
    capsys.readouterr()
    kept.write_text(msgspec.json.encode({**whole, "game": str(UUID(int=7))}).decode())
    assert run(*given, str(kept)) == 1
    assert f"has the review of game {UUID(int=7)}, not of {GAME[0].game_id}." in capsys.readouterr().err
    kept.write_text(msgspec.json.encode({**whole, "players": whole["players"][:1]}).decode())
    assert run(*given, str(kept)) == 1
    assert "does not fit this game" in capsys.readouterr().err
    for content, said in (("{", "is not a review"), ('{"review": null}', "had no review yet")):
        kept.write_text(content)
        assert run(*given, str(kept)) == 2
        assert said in capsys.readouterr().err
    assert run(*given, str(tmp_path / "none.json")) == 2
    assert "neither a number of seconds, 'stored', nor a readable file" in capsys.readouterr().err
    assert run(*given, "stored") == 2
    assert "needs a game on a server" in capsys.readouterr().err

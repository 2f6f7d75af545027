"""How pages are served: to whom, at which address, for how long."""

import re
import struct
from urllib.parse import urljoin, urlparse

import pytest

from mcmulti.web.files import STATIC, site
from tests.api.guests import Table, problem

HTML = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


async def test_people_get_a_page_and_programs_json_at_the_same_address(table: Table) -> None:
    shown = await table.client.get("/", headers=HTML)
    assert shown.headers["content-type"] == "text/html; charset=utf-8"
    assert shown.text.startswith("<!doctype html>")
    for accept in ("*/*", "application/json"):
        told = await table.client.get("/", headers={"Accept": accept})
        assert (told.headers["content-type"], told.json()["name"]) == ("application/json", "mcmulti")
        assert "Accept" in told.headers["vary"]
    assert "Accept" in shown.headers["vary"]


@pytest.mark.parametrize(
    "address",
    ["/", "/account", "/ratings", "/docs", "/docs/api", "/docs/explanation/rules", "/rules/mcmulti", "/games/none"],
)
async def test_pages_are_there_whatever_is_added_to_their_links(table: Table, address: str) -> None:
    """People who follow a link are not to blame for parameters that others added. A program is."""
    for query in ("utm_source=mail&utm_source=chat", "search=Ada%00%0A", "%ff&=&a=b"):
        shown = await table.client.get(f"{address}?{query}", headers=HTML)
        assert (shown.status_code, shown.headers["content-type"]) == (200, "text/html; charset=utf-8")
    problem(await table.client.get("/?utm_source=mail"), 400, "invalid_query")


async def test_files_are_kept_for_ever_under_the_digest_of_all_of_them(table: Table) -> None:
    kept = await table.client.get(site().address("app.css"))
    assert kept.headers["cache-control"] == "max-age=31536000, immutable"
    assert kept.content == site().files["app.css"].body
    assert kept.headers["content-type"] == "text/css; charset=utf-8"
    other = await table.client.get("/static/0123456789abcdef/app.css")  # of a server of another version beside this one
    assert (other.status_code, other.headers["cache-control"]) == (200, "no-store")


async def test_no_other_file_can_be_had(table: Table) -> None:
    for path in ("nothing.js", "../files.py", "%2e%2e/files.py", "..%2ffiles.py", "lib", "/etc/passwd"):
        problem(await table.client.get(f"/static/{site().digest}/{path}"), 404, "not_found")


async def test_a_page_says_what_it_may_run_and_is_asked_for_each_time(table: Table) -> None:
    page = await table.client.get("/", headers=HTML)
    policy = page.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert page.headers["cache-control"] == "no-cache"
    assert "<script>" not in page.text
    assert " style=" not in page.text
    assert (await table.client.head("/", headers=HTML)).content == b""


async def test_people_who_come_to_nothing_get_a_page_and_programs_a_problem(table: Table) -> None:
    shown = await table.client.get("/nowhere", headers=HTML)
    assert (shown.status_code, shown.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "missing/page.js" in shown.text
    problem(await table.client.get("/nowhere"), 404, "not_found")
    problem(await table.client.get("/v1/games/none", headers={"Accept": "application/json"}), 404, "unknown_game")


async def test_a_link_to_a_game_is_shown_with_its_picture(table: Table) -> None:
    game = await table.start(2)
    shown = await table.client.get(f"/games/{game}", headers=HTML)
    (picture,) = re.findall(r'<meta property="og:image" content="([^"]+)">', shown.text)
    drawn = await table.client.get(picture)
    assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/png")
    for name in ("none", '"><script>alert(1)</script>', "%22%3E%3Cscript%3E"):
        assert "board.png" not in (await table.client.get(f"/games/{name}", headers=HTML)).text
    named = await table.client.get(f"/games/{game}", headers={**HTML, "Host": 'a"><script>'})
    assert "<script>" not in named.text


async def test_links_to_every_page_are_shown_with_a_title_and_a_picture(table: Table) -> None:
    titles = set()
    for address in (
        "/",
        "/account",
        "/ratings",
        "/docs",
        "/docs/api",
        "/docs/explanation/rules",
        "/rules/mcmulti",
        "/games/x",
        "/games/x/audit",
    ):
        shown = (await table.client.get(address, headers=HTML)).text
        told = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]+)">', shown))
        assert told.keys() >= {"title", "description", "type", "image"}
        titles.add(told["title"])
        drawn = await table.client.get(told["image"])
        assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/png"), address
    assert len(titles) == 9


async def test_who_looks_for_a_guide_that_there_is_not_gets_a_page(table: Table) -> None:
    shown = await table.client.get("/docs/nothing", headers=HTML)
    assert (shown.status_code, "missing/page.js" in shown.text) == (404, True)
    problem(await table.client.get("/docs/nothing"), 404, "not_found")


async def test_the_site_can_be_kept_on_a_screen(table: Table) -> None:
    """The files that the manifest names exist, with the sizes that it gives."""
    page = (await table.client.get("/", headers=HTML)).text
    (address,) = re.findall(r'<link rel="manifest" href="([^"]+)">', page)
    answered = await table.client.get(address)
    assert answered.headers["content-type"].startswith("application/manifest+json")
    manifest = answered.json()
    assert (await table.client.get(manifest["start_url"], headers=HTML)).status_code == 200
    (touch,) = re.findall(r'<link rel="apple-touch-icon" href="([^"]+)">', page)
    icons = [(urljoin(address, icon["src"]), icon["type"], icon["sizes"]) for icon in manifest["icons"]]
    for there, media_type, sizes in [*icons, (touch, "image/png", "180x180")]:
        icon = await table.client.get(there)
        assert (icon.status_code, icon.headers["content-type"]) == (200, media_type)
        if media_type == "image/png":
            assert "{}x{}".format(*struct.unpack(">II", icon.content[16:24])) == sizes
    assert {urlparse(there).netloc for there, *_ in icons} == {""}


def test_comments_are_not_sent_and_all_else_is() -> None:
    written = (STATIC / "lib" / "dom.js").read_text("utf-8")
    sent = site().files["lib/dom.js"].body.decode()
    assert "@param" in written
    assert "@param" not in sent
    code = [line for line in written.splitlines() if not re.match(r"\s*(//|/\*\*| \*)", line)]
    assert sent.splitlines() == code

"""The guides as pages: all of them, with working links, and nothing that a page may not contain."""

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.async_api import Browser, expect

from mcmulti.domain.rulesets import CURRENT
from mcmulti.web.guides import CONTRACT, guide_name, guide_of, guide_page, guides, in_order
from tests.api.guests import Table, problem
from tests.web.browsing import barriers, overflow, visiting

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FILES = sorted(DOCS.rglob("*.md"))
TAGS = {
    "p",
    "a",
    "h1",
    "h2",
    "h3",
    "h4",
    "ul",
    "ol",
    "li",
    "pre",
    "code",
    "span",
    "div",
    "em",
    "strong",
    "blockquote",
    "hr",
}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td", "br", "img"}
LINK = re.compile(r'<a href="([^"]*)"')


def test_every_guide_has_a_page_of_its_own() -> None:
    assert sorted(guides()) == sorted({guide_name(str(file.relative_to(DOCS))) for file in FILES})
    assert len(guides()) == len(FILES)
    assert CONTRACT not in {name.partition("/")[0] for name in guides()}
    for guide in guides().values():
        assert guide.title
        assert guide.about


def test_no_link_of_a_guide_is_dead() -> None:
    for name in guides():
        _follow_links(name)


def _follow_links(name: str) -> None:
    sites = {"/openapi.json", *(f"/rules/{ruleset}" for ruleset in CURRENT)}
    for link in LINK.findall(guides()[name].body):
        path, _, anchor = link.partition("#")
        other = guides()[name] if not path else guides().get(path.removeprefix("/docs").removeprefix("/"))
        if path.startswith("https://"):
            continue
        assert other is not None or path.partition("?")[0] in sites, link
        if other is not None and anchor:
            assert f'id="{anchor}"' in other.body, link


def test_a_guide_holds_no_markup_but_ours() -> None:
    for name, guide in guides().items():
        tags = set(re.findall(r"<([a-z0-9]+)", guide.body))
        assert tags <= TAGS, name
        attributes = {
            each for tag in re.findall(r"<[a-z][^>]*>", guide.body) for each in re.findall(r' ([a-z-]+)="', tag)
        }
        assert attributes <= {"href", "id", "class", "title", "tabindex", "start", "src", "alt"}, name
        sources = re.findall(r' src="([^"]*)"', guide.body)
        assert all(source.startswith("data:image/svg+xml;base64,") for source in sources), name
        assert "<!--" not in guide.body, name


def test_guides_are_read_one_after_another() -> None:
    """As the first page lists them: the next page of a folder, and the way back."""
    order = in_order()
    assert set(order) == set(guides()) - {""}
    names = [name for name in order if name.startswith("tutorials/")]
    for before, after in pairwise(names):
        assert f'<a href="/docs/{after}">→ ' in (guide_page(before) or "")
        assert f'<a href="/docs/{before}">← ' in (guide_page(after) or "")
    assert '<a href="/docs/decisions">' in (guide_page("decisions/one-writer") or "")


def test_markup_in_a_guide_is_shown_as_it_was_written() -> None:
    text = (
        "# A <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) <b>bold</b>\n\n"
        "<!-- tables: generated -->\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n```js\n<script>\n```\n\n"
        "## Twice\n\n## Twice\n"
    )
    guide = guide_of("evil.md", text)
    assert set(re.findall(r"<([a-z0-9]+)", guide.body)) <= TAGS
    assert "&lt;script&gt;alert(1)" in guide.body
    assert "javascript:" not in re.findall(r'href="([^"]*)"', guide.body)
    assert [heading.anchor for heading in guide.headings] == ["twice", "twice-1"]
    assert '<td class="figure">2</td>' in guide.body


async def test_guides_are_read_without_a_program_too(table: Table) -> None:
    for address in ("/docs", *(guide.address for guide in guides().values())):
        shown = await table.client.get(address)
        assert shown.status_code == 200
        assert " style=" not in shown.text
        assert "unsafe" not in shown.headers["content-security-policy"]
    assert "<h1" in (await table.client.get("/docs/tutorials/first-audit")).text
    for name in ("nothing", "..%2fapi", "how-to", "api.md", "how-to/nothing", "how-to/..%2fapi", "%3Cscript%3E"):
        problem(await table.client.get(f"/docs/{name}"), 404, "not_found")


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("size", ["desktop", "narrow"])
async def test_people_read_guides(browser: Browser, table: Table, size: str) -> None:
    address = str(table.client.base_url)
    async with visiting(browser, address, size=size, language="de", dark=size == "narrow") as visit:  # type: ignore[arg-type]
        page = await visit.go("/docs")
        await expect(page.get_by_text("nur auf Englisch")).to_be_visible()
        assert await barriers(page) == []
        assert await overflow(page) == 0
        await page.get_by_role("link", name="Your first audit").click()
        await page.get_by_role("heading", name="Your first audit").wait_for()
        await page.get_by_role("navigation", name="Auf dieser Seite").get_by_role("link", name="Was it luck?").click()
        await expect(page.get_by_role("heading", name="Was it luck?")).to_be_in_viewport()
        for guide in [*guides().values()][::8] if size == "narrow" else ():
            await visit.go(guide.address)
            await page.get_by_text("nur auf Englisch").wait_for()
            assert await overflow(page) == 0, guide.name
        for name in ("reference/operations", "reference/proof-format", "decisions"):
            await visit.go(f"/docs/{name}")
            await page.get_by_text("nur auf Englisch").wait_for()
            assert await barriers(page) == []


def test_a_wheel_brings_the_guides_and_the_pages_along(tmp_path: Path) -> None:
    build = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path))
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=600)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    told = "from mcmulti.web.guides import guides; from mcmulti.web.files import site; print(*guides(), *site().pages)"
    environment = {"PYTHONPATH": str(tmp_path / "installed")}
    done = subprocess.run(
        (sys.executable, "-P", "-c", f"import mcmulti; assert mcmulti.__file__.startswith({str(tmp_path)!r}); {told}"),
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    assert {*guides()} - {""} | {"guide", "rules", "audit", "docs"} <= {*done.stdout.split()}

"""The guides as HTML: Markdown with nothing but text, code, tables, links, and charts."""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path, PurePosixPath
from posixpath import normpath
from types import MappingProxyType
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from msgspec import Struct
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

CONTRACT = "api"
"""The name of the page with the contract, which no guide and no folder of guides can have."""
_HERE = Path(__file__)
_INSTALLED, _CHECKOUT = _HERE.with_name("docs"), _HERE.parents[2] / "docs"
_FORMAT = HtmlFormatter(nowrap=True)
_COMMENT = "<!--"
_FRAMED = {
    "<pre>": '<pre tabindex="0">',
    "<table>": '<div class="wide" tabindex="0"><table>',
    "</table>": "</table></div>",
}
"""Elements that may be wider than a phone scroll by themselves, also by keyboard."""


class Heading(Struct, frozen=True):
    """A heading below a guide's title: 2 or 3, and its anchor."""

    level: int
    anchor: str
    text: str


class Guide(Struct, frozen=True):
    """A guide at `/docs/<name>`; the list of all guides has no name.

    `about`: its first paragraph, as text. `body`: HTML.
    """

    name: str
    title: str
    about: str
    headings: tuple[Heading, ...]
    body: str

    @property
    def address(self) -> str:
        return f"/docs/{self.name}".rstrip("/")

    @property
    def folder(self) -> str:
        """The folder it is in, as the name of its guide: `decisions` for `decisions/one-writer`."""
        return self.name.rpartition("/")[0]


def _folder() -> Path:
    return _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT


@cache
def guides() -> Mapping[str, Guide]:
    """All guides by name: the installed ones, or those of the checkout that it runs from."""
    folder = _folder()
    paths = sorted(folder.rglob("*.md"))
    found = (guide_of(path.relative_to(folder).as_posix(), path.read_text("utf-8")) for path in paths)
    return MappingProxyType({guide.name: guide for guide in found})


def guide_name(path: str) -> str:
    """The name of the guide in this file of the folder; a `README.md` has the name of its folder."""
    return path.removesuffix(".md").removesuffix("README").removesuffix("/")


def guide_of(path: str, text: str) -> Guide:
    """The guide in a file of the folder."""
    markdown = MarkdownIt("commonmark", {"html": True, "highlight": _coloured}).enable("table")
    markdown.add_render_rule("html_block", _no_html)
    markdown.add_render_rule("html_inline", _no_html)
    tokens = markdown.parse(text)
    headings = _anchored(tokens)
    title = _after(tokens, "heading_open")
    folder = str(PurePosixPath(path).parent)
    for token in tokens:
        _aligned(token)
        _linked(token.children or (), folder)
        _pictured(token.children or (), folder)
    body = markdown.renderer.render(tokens, markdown.options, {})
    for tag, framed in _FRAMED.items():
        body = body.replace(tag, framed)
    about = _after(tokens, "paragraph_open")
    return Guide(guide_name(path), title, about, tuple(headings), body)


def _after(tokens: Sequence[Token], type: str) -> str:
    """The text of the first of these."""
    for token, inside in pairwise(tokens):
        if token.type == type:
            return _inline_text(inside)
    return ""


def _inline_text(token: Token) -> str:
    return "".join(" " if child.type == "softbreak" else child.content for child in token.children or ())


def _anchored(tokens: Sequence[Token]) -> list[Heading]:
    """Give every heading the anchor that other Markdown renderers use; list those below the title."""
    found: list[Heading] = []
    seen: dict[str, int] = {}
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            text = _inline_text(inside)
            slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            count = seen[slug] = seen.get(slug, -1) + 1
            anchor = f"{slug}-{count}" if count else slug
            token.attrSet("id", anchor)
            level = int(token.tag[1:])
            if level in (2, 3):
                found.append(Heading(level, anchor, text))
    return found


def _aligned(token: Token) -> None:
    """Give columns of numbers a class, since the content security policy forbids inline styles."""
    style = token.attrs.pop("style", None)
    if style == "text-align:right":
        token.attrSet("class", "figure")


def _linked(children: Sequence[Token], folder: str) -> None:
    """Change links to the site's own addresses: guides, rules, the contract. Links to other files become
    plain names.
    """
    tag = "a"
    for child in children:
        if child.type == "link_open":
            path, hash, fragment = str(child.attrs["href"]).partition("#")
            inside = bool(path) and not path.startswith("https:")
            target = normpath(f"docs/{folder}/{path}")
            address = _address(target) if inside else path
            tag = "span" if address is None else "a"
            child.attrs = {"title": target} if address is None else {"href": f"{address}{hash}{fragment}"}
            child.tag = tag
        elif child.type == "link_close":
            child.tag = tag


def _pictured(children: Sequence[Token], folder: str) -> None:
    """Put charts, which are SVG files, into the page itself: pages have no other files of their own."""
    for child in children:
        if child.type == "image":
            chart = (_folder() / normpath(f"{folder}/{child.attrs['src']}")).read_bytes()
            child.attrSet("src", f"data:image/svg+xml;base64,{b64encode(chart).decode()}")


def _address(path: str) -> str | None:
    """The site's address of a project file, if it has one."""
    if path.startswith("docs/") and path.endswith(".md"):
        return f"/docs/{guide_name(path.removeprefix('docs/'))}".rstrip("/")
    if path == "openapi/openapi.json":
        return "/openapi.json"
    rules = re.fullmatch(r"mcmulti/domain/(\w+)(/rules(\.de)?\.toml|/components\.toml)?", path)
    return f"/rules/{rules[1]}" if rules else None


def _coloured(code: str, language: str, attributes: str) -> str:
    """Code with classes for its parts; markdown-it escapes code for which this returns nothing."""
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return ""
    return str(highlight(code, lexer, _FORMAT))


def _no_html(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
    """Show markup as text; drop comments, which mark generated parts."""
    content = tokens[index].content
    return "" if content.lstrip().startswith(_COMMENT) else escape(content)


def guide_page(name: str) -> str | None:
    """The content of a guide's page, as HTML; None if there is no such guide."""
    guide = guides().get(name)
    if guide is None:
        return None
    items = "".join(
        f'<li class="level-{heading.level}"><a href="#{escape(heading.anchor)}">{escape(heading.text)}</a></li>'
        for heading in guide.headings
    )
    contents = f'<nav class="contents"><ul>{items}</ul></nav>' if items else ""
    article = f'<article class="guide" lang="en">{_trail(guide)}{guide.body}{_turns(guide)}</article>'
    return f'<div class="beside">{contents}{article}</div>'


def contents_page() -> str:
    """The list of all guides, as HTML."""
    button = f'<p><a class="button" href="/docs/{CONTRACT}">The API</a></p>'
    return f'{button}<article class="guide" lang="en">{guides()[""].body}</article>'


@cache
def in_order() -> tuple[str, ...]:
    """The names of all guides in the order in which lists of guides link to them, each list once."""
    found: dict[str, None] = {}
    for name in ("", *(each for each in guides() if "/" not in each)):
        for link in re.findall(r'href="/docs/([^"#]+)', guides()[name].body):
            found.setdefault(link)
    return tuple(name for name in found if name in guides())


def _trail(guide: Guide) -> str:
    """Links to the lists that a guide is in."""
    above = [guides()[""], *([guides()[guide.folder]] if guide.folder in guides() and guide.folder else [])]
    links = " / ".join(f'<a href="{each.address}">{escape(each.title)}</a>' for each in above)
    return f'<p class="trail">{links}</p>'


def _turns(guide: Guide) -> str:
    """Links to the guides before and after it in its folder."""
    names = [name for name in in_order() if guides()[name].folder == guide.folder]
    if guide.name not in names:
        return ""
    at = names.index(guide.name)
    before, after = names[:at][-1:], names[at + 1 :][:1]
    links = (
        f'<a href="{guides()[name].address}">{arrow} {escape(guides()[name].title)}</a>'
        for arrow, each in (("←", before), ("→", after))
        for name in each
    )
    return f'<p class="trail">{" ".join(links)}</p>'

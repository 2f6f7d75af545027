"""The docs as a static site: ``make site``. Pages are in the order in which `docs` lists them."""

import re
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Any

project = "mcmulti"
html_title = "mcmulti"
html_theme = "furo"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "README"
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]
"""Languages that no highlighter knows, such as order sheets, are shown as they are."""

_LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)")
_CODE = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)


def setup(app: Any) -> None:
    """Prepare each page before it is read."""
    app.connect("source-read", _prepared)


def _prepared(app: Any, name: str, source: list[str]) -> None:
    text = source[0]
    lists = _lists(name, text) if PurePosixPath(name).name == "README" else ""
    prose_and_code = _CODE.split(text)
    prose_and_code[::2] = (_LINK.sub(lambda link: _linked(name, link), prose) for prose in prose_and_code[::2])
    source[0] = "".join(prose_and_code) + lists


def _linked(name: str, link: re.Match[str]) -> str:
    """A link to a file that is not part of the docs is shown as its text."""
    if link[2].startswith("https:") or not _target(name, link[2]).startswith(".."):
        return link[0]
    return link[1]


def _target(name: str, path: str) -> str:
    return normpath(PurePosixPath(name).parent / path)


def _lists(name: str, text: str) -> str:
    """What a page lists, as navigation."""
    lists = ""
    for section in re.split(r"^## ", text, flags=re.MULTILINE):
        paths = [link[2] for link in _LINK.finditer(section) if not _target(name, link[2]).startswith("..")]
        pages = "\n".join(dict.fromkeys(path.removesuffix(".md") for path in paths if path.endswith(".md")))
        caption = f":caption: {section.partition(chr(10))[0]}\n" if name == root_doc else ""
        lists += f"\n```{{toctree}}\n:hidden:\n{caption}\n{pages}\n```\n" if pages else ""
    return lists

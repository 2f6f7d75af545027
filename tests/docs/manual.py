"""The pages of the manual, for tests that try what they say."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def page(*names: str) -> str:
    """The text of a page, such as ``how-to/play-moves``, or of several in this order."""
    return "\n".join((DOCS / f"{name}.md").read_text("utf-8") for name in names)


def pages() -> list[Path]:
    """The files of all pages."""
    return sorted(DOCS.rglob("*.md"))

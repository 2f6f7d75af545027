"""Fit texts of any kind into a given width: names can contain anything."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from rich.cells import cell_len

_NARROW = frozenset(" !'(),-./:;I[]fijlrt|·")
_NUMBERED = re.compile(r" \d{1,3}$")
_JOINER = "\N{ZERO WIDTH JOINER}"
_NO_CHARACTER = 0xFFFE


@lru_cache(maxsize=2048)
def plain(text: str) -> str:
    """A text on one line, without characters that could affect the direction or look of its surroundings.

    Control characters and characters that XML does not allow are removed.
    """
    if text.isprintable():
        return " ".join(text.split())
    kept = (
        " " if character.isspace() else character
        for character in text
        if character.isspace() or (_is_printable(character) and ord(character) & _NO_CHARACTER != _NO_CHARACTER)
    )
    return " ".join("".join(kept).split())


def _is_printable(character: str) -> bool:
    return character == _JOINER or unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn"}


def in_cells(text: str, cells: int) -> str:
    """The text in at most this many columns of a terminal, truncated with an ellipsis."""
    return _truncated(plain(text), lambda shown: cell_len(shown) <= cells)


def in_pixels(text: str, width: float, size: float) -> str:
    """The text in at most this many pixels at a font size, truncated with an ellipsis. Estimated generously, as fonts
    differ.
    """
    return _truncated(plain(text), lambda shown: pixels(shown, size) <= width)


def _truncated(text: str, fits: Callable[[str], bool]) -> str:
    """The text, with an ellipsis for what does not fit. A number at its end is kept: it may be all that names differ
    in.
    """
    if fits(text):
        return text
    numbered = _NUMBERED.search(text)
    for end in (numbered[0], "") if numbered else ("",):
        kept = text[: len(text) - len(end)]
        while kept and not fits(f"{kept.rstrip()}…{end}"):
            kept = kept[:-1]
        if kept:
            return f"{kept.rstrip()}…{end}"
    return "…"


def lines_in_cells(text: str, cells: int) -> list[str]:
    """The text in lines of at most this many columns of a terminal; a longer word is truncated with an ellipsis."""
    return [in_cells(line, cells) for line in _broken(text, lambda line: cell_len(line) <= cells)]


def lines_in_pixels(text: str, width: float, size: float, most: int) -> list[str]:
    """The text in lines of at most this many pixels at a font size; at most `most` lines, the last truncated if
    necessary.
    """
    lines = _broken(text, lambda line: pixels(line, size) <= width)
    kept = [*lines[: most - 1], " ".join(lines[most - 1 :])] if len(lines) > most else lines
    return [in_pixels(line, width, size) for line in kept]


def _broken(text: str, fits: Callable[[str], bool]) -> list[str]:
    """The text in lines of as many words as fit, at least one."""
    lines = [""]
    for part in plain(text).split():
        longer = f"{lines[-1]} {part}".strip()
        if not lines[-1] or fits(longer):
            lines[-1] = longer
        else:
            lines.append(part)
    return lines


def in_rows(widths: Sequence[float], room: float, gap: float = 0) -> list[list[float]]:
    """Widths arranged in rows: as many per row as fit with a gap between them, at least one."""
    rows: list[list[float]] = []
    for width in widths:
        if rows and sum(rows[-1]) + len(rows[-1]) * gap + width <= room:
            rows[-1].append(width)
        else:
            rows.append([width])
    return rows


@lru_cache(maxsize=4096)
def pixels(text: str, size: float) -> float:
    """The width of the text at a font size, estimated generously."""
    return size * sum(_width(character) for character in text)


def _width(character: str) -> float:
    """The width in units of the font size, for a wide sans-serif font."""
    cells = cell_len(character)
    if cells == 0:
        return 0
    if cells > 1 or unicodedata.category(character) == "So":
        return 1.4
    if character in _NARROW:
        return 0.42
    if character in "MWmw@%…":
        return 0.98
    return 0.74 if character.isupper() else 0.64

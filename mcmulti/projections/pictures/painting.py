"""Painting SVG documents as PNG images, also in a process of its own, whose input and output are lines of JSON."""

import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import resvg_py
from msgspec import Struct

_FONTS = [str(path) for path in sorted(Path(__file__).with_name("fonts").glob("*.otf"))]


Painter = Callable[[str], Coroutine[Any, Any, bytes | None]]
"""Paints an SVG document; None if that is not possible now."""


class Painted(Struct, frozen=True):
    """An image, and the `seconds` of processor time that it took."""

    png: bytes
    seconds: float


def painted(document: str) -> bytes:
    """An SVG document as a PNG, with our own font. Raises ValueError if it is not an SVG document.

    It holds the interpreter all the time, so other threads wait.
    """
    return resvg_py.svg_to_bytes(
        svg_string=document,
        skip_system_fonts=True,
        font_files=_FONTS,
        font_family="Inter",
        sans_serif_family="Inter",
    )


def main() -> None:
    """Paint one document per line until standard input ends. The first line is empty."""
    sys.stdin.buffer.readline()
    for line in sys.stdin.buffer:
        since = time.process_time()
        png = painted(msgspec.json.decode(line, type=str))
        sys.stdout.buffer.write(msgspec.json.encode(Painted(png, time.process_time() - since)) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

"""The icons of the pages for devices that show no SVG, made from the SVG. Run as ``python -m tests.docs.icons``."""

import resvg_py

from mcmulti.web.files import STATIC

ICONS = STATIC / "icons"
SIZES = {"touch-180.png": 180, "icon-192.png": 192, "icon-512.png": 512}
"""Pixels by name, for phones and desktops."""
MOST = 8_000
"""Maximum size of an icon, in bytes."""
_ROUND = ' rx="7"'


def icon(size: int) -> bytes:
    """The icon as a PNG without round corners. Phones round them themselves, and turn transparency black."""
    drawn = (ICONS / "favicon.svg").read_text()
    if _ROUND not in drawn:
        raise ValueError("the icon has other corners")
    return resvg_py.svg_to_bytes(svg_string=drawn.replace(_ROUND, ""), width=size, height=size)


if __name__ == "__main__":
    for name, size in SIZES.items():
        (ICONS / name).write_bytes(icon(size))

"""The icons of the pages for devices that show no SVG, made from the SVG. Run as ``python -m tests.docs.icons``."""

import io

import resvg_py
from PIL import Image

from mcmulti.web.files import STATIC

ICONS = STATIC / "icons"
SIZES = {"touch-180.png": 180, "icon-192.png": 192, "icon-512.png": 512}
"""Pixels by name, for phones and desktops."""
MOST = 3_000
"""Maximum size of an icon, in bytes."""
_ROUND = ' rx="7"'


def icon(size: int) -> bytes:
    """The icon as a PNG without round corners. Phones round them themselves, and turn transparency black."""
    drawn = (ICONS / "favicon.svg").read_text()
    if _ROUND not in drawn:
        raise ValueError("the icon has other corners")
    painted = resvg_py.svg_to_bytes(svg_string=drawn.replace(_ROUND, ""), width=size, height=size)
    plain = Image.open(io.BytesIO(painted)).convert("RGB")
    kept = io.BytesIO()
    plain.quantize(256).save(kept, "PNG", optimize=True)  # with its few colors in a palette, half as large
    return kept.getvalue()


if __name__ == "__main__":
    for name, size in SIZES.items():
        (ICONS / name).write_bytes(icon(size))

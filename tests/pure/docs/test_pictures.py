"""The pictures of the README: they exist, are small, and the only others are plots."""

import re

from benchmarks.calibration import PLANS
from tests.docs.icons import ICONS, SIZES, icon
from tests.docs.icons import MOST as MOST_OF_AN_ICON
from tests.docs.pictures import MOST, PICTURES, ROOT, SCHEMES

JPEG = b"\xff\xd8\xff"


def test_the_icons_are_those_that_the_command_makes_and_small() -> None:
    for name, size in SIZES.items():
        kept = (ICONS / name).read_bytes()
        assert kept == icon(size)
        assert len(kept) <= MOST_OF_AN_ICON


def test_the_pictures_that_the_readme_names_are_there_and_small() -> None:
    """One for light and one for dark pages. They differ."""
    named = set(re.findall(r"docs/pictures/([\w.-]+)", (ROOT / "README.md").read_text()))
    plots = {f"{plan.name}.svg" for plan in PLANS}
    kept = {path.name: path.read_bytes() for path in PICTURES.iterdir() if path.name not in plots}
    assert named == kept.keys() == {f"game-{scheme}.jpg" for scheme in SCHEMES}
    assert len(set(kept.values())) == len(SCHEMES)
    assert all(picture.startswith(JPEG) and 10_000 < len(picture) <= MOST for picture in kept.values())

"""The colors of six seats can be told apart: on light and dark pages, and by color-blind people."""

from itertools import combinations

import pytest

from mcmulti.projections.charts import style as chart_style
from mcmulti.projections.pictures.palette import DARK, LIGHT, SEATS, Palette
from mcmulti.projections.pictures.seats import seat_mark

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

VISION: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""How linear light is seen, after Machado, Oliveira and Fernandes (2009), severity 1."""
_TO_CONES: Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_OKLAB: Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def _times(matrix: Matrix, vector: Triple) -> Triple:
    one, two, three = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return one, two, three


def oklab(color: str, vision: Matrix) -> Triple:
    """A color such as #1c1f24 in Oklab (Ottosson 2020), as a person sees it."""
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    one, two, three = (min(1.0, max(0.0, part)) for part in _times(vision, (red, green, blue)))
    long, middle, short = (part ** (1 / 3) for part in _times(_TO_CONES, (one, two, three)))
    return _times(_TO_OKLAB, (long, middle, short))


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_no_two_seats_look_alike(palette: Palette, vision: str) -> None:
    """A distance of 0.02 in Oklab is just visible.

    Four times that is plain, and three times for the rarest color blindness.
    """
    seen = [oklab(color, VISION[vision]) for color in (*palette.seats, palette.nobody)]
    for one, other in combinations(seen, 2):
        distance = sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
        assert distance >= (0.06 if vision == "tritanopia" else 0.08)


def test_six_seats_have_six_signs_colors_and_strokes() -> None:
    assert SEATS == len(LIGHT.seats) == len(DARK.seats) == 6
    marks = [seat_mark(seat) for seat in range(6)]
    assert len({sign for sign, _ in marks}) == len({color for _, color in marks}) == 6
    assert "dashed-0" not in chart_style.STYLE, "the first line is a whole one"
    strokes = [line.partition("{")[2] for line in chart_style.STYLE.split("\n") if "stroke-dasharray" in line]
    assert len(set(strokes[:5])) == 5


def test_a_dozen_lines_differ_in_color_or_stroke() -> None:
    """A game may have more prices than seats."""
    style, looks = chart_style.STYLE.partition("@media")[0], set()
    for line in range(12):
        color = next(row for row in style.split("\n") if f".color-{line} " in row).partition("{")[2]
        stroke = next((row for row in style.split("\n") if f".dashed-{line} " in row), "").partition("{")[2]
        looks.add((color, stroke))
    assert len(looks) == 12

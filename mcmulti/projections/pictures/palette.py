"""The colors of boards and charts, for light and for dark pages.

All six seats can be distinguished in both, even by color-blind people; so can the colors of pieces, except brown, and
red from green on dark pages. Seats also differ by shape or stroke, and colored things are named in words.
"""

from collections.abc import Mapping
from typing import NamedTuple, get_args

from mcmulti.domain.core.shown.board import Colour


class Palette(NamedTuple):
    """Colors in SVG syntax. `on`: the text color on each of `colours`; `glyph`: the color of a drawing on a seat's."""

    page: str
    panel: str
    space: str
    rule: str
    ink: str
    muted: str
    glyph: str
    seats: tuple[str, ...]
    nobody: str
    colours: Mapping[Colour, str]
    on: Mapping[Colour, str]


def _inks(dark: str, *white: Colour) -> Mapping[Colour, str]:
    """The text color on each color: white on some, a `dark` one on others."""
    return {colour: "#ffffff" if colour in white else dark for colour in get_args(Colour)}


LIGHT = Palette(
    page="#faf9f6",
    panel="#ffffff",
    space="#ebe8e0",
    rule="#cfccc3",
    ink="#1c1f24",
    muted="#5a606b",
    glyph="#ffffff",
    seats=("#2265f4", "#c1460a", "#014e4f", "#8220a1", "#210f46", "#520003"),
    nobody="#686d76",
    colours={
        "red": "#b8102b",
        "blue": "#1d62c4",
        "green": "#4ca64f",
        "yellow": "#f0b92d",
        "purple": "#6b2a86",
        "brown": "#54402f",
        "black": "#2b2f36",
        "beige": "#e6d9bd",
    },
    on=_inks("#14180c", "red", "blue", "purple", "brown", "black"),
)
DARK = Palette(
    page="#15171c",
    panel="#1d2027",
    space="#272b34",
    rule="#3c424e",
    ink="#ebe8e2",
    muted="#a3abb8",
    glyph="#101216",
    seats=("#6a93ff", "#f2914f", "#3cc79c", "#dfb4ff", "#f6f3a0", "#dd6651"),
    nobody="#8d949f",
    colours={
        "red": "#ff7482",
        "blue": "#4d84ee",
        "green": "#2a9457",
        "yellow": "#f2c653",
        "purple": "#cba4f2",
        "brown": "#b48e6c",
        "black": "#08090c",
        "beige": "#efe3c8",
    },
    on=_inks("#101216", "black"),
)
SEATS = len(LIGHT.seats)
"""The number of seats with different colors; after that they repeat."""


def both(scope: str, light: Mapping[str, str], dark: Mapping[str, str]) -> str:
    """A style sheet with the rules of light and of dark pages, with each selector inside the class `scope`."""
    return f"{_sheet(scope, light)}\n@media (prefers-color-scheme: dark) {{\n{_sheet(scope, dark)}\n}}\n"


def light_alone(scope: str, rules: Mapping[str, str]) -> str:
    """A style sheet with rules in light colors, whatever the reader prefers."""
    return _sheet(scope, rules) + "\n"


def _sheet(scope: str, rules: Mapping[str, str]) -> str:
    return "\n".join(
        f"{', '.join(f'.{scope} {one}' for one in selector.split(', '))} {{ {declarations}; }}"
        for selector, declarations in rules.items()
    )

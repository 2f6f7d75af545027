"""The style of charts: the board's colors, light and dark, and one set of rules for both."""

from typing import NamedTuple

from mcmulti.projections.pictures.palette import DARK, LIGHT, Palette, both


class _Shades(NamedTuple):
    rule: str
    start: str
    black: str
    periods: tuple[str, ...]


_ON_LIGHT = _Shades(
    rule="#c4c1b8",
    start="#8a8f98",
    black=LIGHT.colours["black"],
    periods=("#b3ccef", "#cfdff5", "#e6eefa", "#f3f1ea", "#fdf1d3", "#fbe5b3", "#f8d88f"),
)
_ON_DARK = _Shades(
    rule="#4a505c",
    start="#7d8490",
    black="#d9dce2",
    periods=("#24426b", "#203550", "#1d2a3a", "#20232a", "#33301f", "#463a19", "#5c4813"),
)
PERIODS = len(_ON_LIGHT.periods)
"""The number of shades for periods, from the worst times (blue) to the best (amber)."""
_DASHES = ("", "9 4", "2.5 4", "10 4 2 4", "16 5", "7 3 2 3 2 3")
"""Dash patterns of the seats' lines; an empty one is a solid line."""
_LINES = 2 * len(_DASHES)
"""How many lines can be distinguished: after six the colors repeat, each with the next color's dash pattern."""

_SHAPES = """
.chart { font-family: system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; max-width: 100%; height: auto; }
.chart .title { text-anchor: middle; }
.chart .plot_title { font-size: 16px; font-weight: 700; }
.chart .axis text, .chart .name, .chart .title:not(.plot_title) { font-size: 12px; }
.chart .axis text { font-variant-numeric: tabular-nums; }
.chart .axis.x text { text-anchor: middle; }
.chart .axis.y text { text-anchor: end; }
.chart .axis.x path { display: none; }
.chart .axis.y path { stroke-width: 1; stroke-opacity: .6; }
.chart text.no_data { font-size: 20px; text-anchor: middle; }
.chart .line.nofill { fill: none; stroke-width: 2.2; stroke-linejoin: round; stroke-linecap: round; }
.chart .expected { stroke-width: 2; }
.chart .expected-edge { stroke-width: 5; }
.chart .goal { fill: none; stroke-width: 1.6; stroke-dasharray: 1.5 3; }
.chart .key { fill: none; stroke-width: 2.4; }
"""


def _strokes() -> str:
    """The dash patterns of lines, and of their keys."""
    return "".join(
        f".chart .serie-{line} .line, .chart .dashed-{line} {{ stroke-dasharray: {dashes}; }}\n"
        for line in range(_LINES)
        if (dashes := _DASHES[(line + line // len(_DASHES)) % len(_DASHES)])
    )


def _colours(palette: Palette, shades: _Shades) -> dict[str, str]:
    dice = {str(name): colour for name, colour in palette.colours.items()}
    dice |= {"black": shades.black, "start": shades.start}
    lines = [palette.seats[line % len(palette.seats)] for line in range(_LINES)]
    return {
        ".background": f"fill: {palette.page}",
        ".plot > .background": "fill: none",
        "text": f"fill: {palette.ink}",
        ".axis text, .title:not(.plot_title)": f"fill: {palette.muted}",
        ".axis path, .swatch": f"stroke: {shades.rule}",
        ".goal": f"stroke: {palette.ink}",
        ".expected": f"stroke: {palette.ink}",
        ".expected-edge": f"stroke: {palette.page}",
        **{f".color-{index}": f"stroke: {colour}; fill: {colour}" for index, colour in enumerate(lines)},
        "[class*=die-]": f"fill: {palette.muted}",
        **{f".die-{name}": f"fill: {colour}" for name, colour in dice.items()},
        **{f".period-{index}": f"fill: {colour}" for index, colour in enumerate(shades.periods)},
    }


STYLE = _SHAPES + _strokes() + both("chart", _colours(LIGHT, _ON_LIGHT), _colours(DARK, _ON_DARK))
"""The style sheet. It uses no external fonts or files."""

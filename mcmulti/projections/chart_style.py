"""How charts look: the colours of the board, light and dark, and one set of rules for both."""

from typing import NamedTuple


class _Palette(NamedTuple):
    page: str
    ink: str
    muted: str
    rule: str
    lines: tuple[str, ...]
    dice: dict[str, str]
    periods: tuple[str, ...]


_LIGHT = _Palette(
    page="#faf9f6",
    ink="#1c1f24",
    muted="#5a606b",
    rule="#c4c1b8",
    lines=("#0067a3", "#c45500", "#00805d", "#8c4590", "#1c1f24"),
    dice={"start": "#8a8f98", "red": "#c4122f", "black": "#2b2f36", "green": "#1d7f3c"},
    periods=("#b3ccef", "#cfdff5", "#e6eefa", "#f3f1ea", "#fdf1d3", "#fbe5b3", "#f8d88f"),
)
_DARK = _Palette(
    page="#15171c",
    ink="#ebe8e2",
    muted="#a3abb8",
    rule="#4a505c",
    lines=("#5db7ea", "#f2914f", "#3cc79c", "#d793d6", "#ebe8e2"),
    dice={"start": "#7d8490", "red": "#ff6474", "black": "#d9dce2", "green": "#5fd083"},
    periods=("#24426b", "#203550", "#1d2a3a", "#20232a", "#33301f", "#463a19", "#5c4813"),
)
PERIODS = len(_LIGHT.periods)
"""How many shades there are for periods, from the worst times (blue) to the best (amber)."""

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
.chart .serie-1 .line, .chart .dashed-1 { stroke-dasharray: 9 4; }
.chart .serie-2 .line, .chart .dashed-2 { stroke-dasharray: 2.5 4; }
.chart .serie-3 .line, .chart .dashed-3 { stroke-dasharray: 10 4 2 4; }
.chart .key { fill: none; stroke-width: 2.4; }
"""


def _colours(palette: _Palette) -> str:
    rules = {
        ".background": f"fill: {palette.page}",
        ".plot > .background": "fill: none",
        "text": f"fill: {palette.ink}",
        ".axis text, .title:not(.plot_title)": f"fill: {palette.muted}",
        ".axis path, .swatch": f"stroke: {palette.rule}",
        ".expected": f"stroke: {palette.ink}",
        ".expected-edge": f"stroke: {palette.page}",
        **{f".color-{index}": f"stroke: {colour}; fill: {colour}" for index, colour in enumerate(palette.lines)},
        **{f".die-{name}": f"fill: {colour}" for name, colour in palette.dice.items()},
        **{f".period-{index}": f"fill: {colour}" for index, colour in enumerate(palette.periods)},
    }
    return "\n".join(
        f"{', '.join(f'.chart {one}' for one in selector.split(', '))} {{ {declarations}; }}"
        for selector, declarations in rules.items()
    )


STYLE = f"{_SHAPES}{_colours(_LIGHT)}\n@media (prefers-color-scheme: dark) {{\n{_colours(_DARK)}\n}}\n"
"""The style sheet; it uses no font and no file from elsewhere."""

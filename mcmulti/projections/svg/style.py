"""The style of drawn boards: one set of rules, in the colors of light and of dark pages."""

from mcmulti.projections.pictures.palette import DARK, LIGHT, Palette, both, light_alone

_SHAPES = """
.board { font-family: system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; font-size: 12px; max-width: 100%;
  height: auto; }
.board text { unicode-bidi: isolate; }
.board .h1 { font-size: 20px; font-weight: 700; }
.board .h2 { font-size: 14px; }
.board .small { font-size: 11px; }
.board .strong { font-weight: 700; }
.board .figure { font-variant-numeric: tabular-nums; }
.board .end { text-anchor: end; }
.board .middle { text-anchor: middle; }
.board .stroked { fill: none; stroke-width: 1.9; stroke-linecap: round; stroke-linejoin: round; }
.board .band { fill-opacity: .2; stroke-width: 1.2; }
.board .black.band { stroke-dasharray: 5 3; }
.board .hit { fill: none; stroke-width: 2.4; }
.board .outlined { stroke-width: 2; stroke-dasharray: 4 3; }
.board .cell { fill: none; pointer-events: all; }
.board .band, .board .frame, .board .next, .board .hit { pointer-events: none; }
.board .frame { fill: none; stroke-width: 1; }
.board .turn { stroke-width: 3; }
.board .next { fill: none; stroke-width: 2; }
.board .way { fill: none; stroke-width: 9; stroke-linecap: round; stroke-linejoin: round; }
"""


def _colours(palette: Palette) -> dict[str, str]:
    rules = {
        ".page": f"fill: {palette.page}",
        ".panel": f"fill: {palette.panel}; stroke: {palette.rule}",
        ".space": f"fill: {palette.space}",
        "text, .ink": f"fill: {palette.ink}",
        ".muted": f"fill: {palette.muted}",
        ".glyph": f"fill: {palette.glyph}",
        ".glyph.stroked": f"fill: none; stroke: {palette.glyph}",
        ".frame": f"stroke: {palette.rule}",
        ".way": f"stroke: {palette.rule}",
        ".turn, .hit, .next": f"stroke: {palette.ink}",
        ".free": f"fill: {palette.panel}; stroke: {palette.rule}",
        ".marked": f"fill: {palette.page}; stroke: {palette.colours['red']}",
    }
    for each, colour in palette.colours.items():
        edge = {"black": palette.muted, "beige": palette.rule}.get(each, colour)
        rules[f".{each}"] = f"fill: {colour}; stroke: {edge}"
        rules[f".on-{each}"] = f"fill: {palette.on[each]}; stroke: none"
        rules[f".on-{each}.stroked"] = f"fill: none; stroke: {palette.on[each]}"
    rules[".black.band"] = f"fill: {palette.ink}; stroke: {palette.ink}"
    owners = {f"seat-{seat}": colour for seat, colour in enumerate(palette.seats)} | {"nobody": palette.nobody}
    for name, colour in owners.items():
        rules[f".{name}"] = f"fill: {colour}"
        rules[f".{name}.outlined"] = f"fill: {palette.panel}; stroke: {colour}"
        rules[f".{name}.stroked"] = f"fill: none; stroke: {colour}"
    return rules


LIGHT_STYLE = _SHAPES + light_alone("board", _colours(LIGHT))
"""The style sheet of pictures that are the same for everybody."""
STYLE = _SHAPES + both("board", _colours(LIGHT), _colours(DARK))
"""The style sheet. It uses no external fonts or files."""

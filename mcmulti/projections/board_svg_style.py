"""How drawn boards look: two palettes, light and dark, and one set of rules for both.

Seats and goods have colours that the colour-blind can tell apart, and are told apart by shape or word as well.
"""

from typing import NamedTuple


class _Palette(NamedTuple):
    page: str
    panel: str
    site: str
    rule: str
    ink: str
    muted: str
    glyph: str
    seats: tuple[str, str, str, str]
    nobody: str
    red: str
    black: str
    green: str
    on_die: str
    crude: str
    on_crude: str
    gasoline: str
    on_gasoline: str


_LIGHT = _Palette(
    page="#faf9f6",
    panel="#ffffff",
    site="#ebe8e0",
    rule="#cfccc3",
    ink="#1c1f24",
    muted="#5a606b",
    glyph="#ffffff",
    seats=("#0067a3", "#b84f00", "#00805d", "#8c4590"),
    nobody="#686d76",
    red="#c4122f",
    black="#2b2f36",
    green="#1d7f3c",
    on_die="#ffffff",
    crude="#54402f",
    on_crude="#ffffff",
    gasoline="#f0b92d",
    on_gasoline="#231a00",
)
_DARK = _Palette(
    page="#15171c",
    panel="#1d2027",
    site="#272b34",
    rule="#3c424e",
    ink="#ebe8e2",
    muted="#a3abb8",
    glyph="#101216",
    seats=("#5db7ea", "#f2914f", "#3cc79c", "#d793d6"),
    nobody="#8d949f",
    red="#ff6474",
    black="#d9dce2",
    green="#5fd083",
    on_die="#101216",
    crude="#b48e6c",
    on_crude="#17100a",
    gasoline="#f2c653",
    on_gasoline="#231a00",
)

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
.board .idle { stroke-width: 2; stroke-dasharray: 4 3; }
.board .frame { fill: none; stroke-width: 1; }
.board .turn { stroke-width: 3; }
.board .next { fill: none; stroke-width: 2; }
"""


def _colours(palette: _Palette) -> str:
    rules = {
        ".page": f"fill: {palette.page}",
        ".panel": f"fill: {palette.panel}; stroke: {palette.rule}",
        ".site, .field": f"fill: {palette.site}",
        ".rule": f"stroke: {palette.rule}",
        "text, .ink": f"fill: {palette.ink}",
        ".muted": f"fill: {palette.muted}",
        ".glyph": f"fill: {palette.glyph}",
        ".glyph.stroked": f"fill: none; stroke: {palette.glyph}",
        ".frame": f"stroke: {palette.rule}",
        ".turn, .hit, .next": f"stroke: {palette.ink}",
        ".free": f"fill: {palette.panel}; stroke: {palette.rule}",
        ".marked": f"fill: {palette.page}; stroke: {palette.red}",
        ".crude": f"fill: {palette.crude}; stroke: {palette.crude}",
        ".gasoline": f"fill: {palette.gasoline}; stroke: {palette.gasoline}",
        ".on-crude": f"fill: {palette.on_crude}",
        ".on-gasoline": f"fill: {palette.on_gasoline}",
        ".on-die": f"fill: {palette.on_die}",
        **{f".{die}": f"fill: {getattr(palette, die)}" for die in ("red", "black", "green")},
        **{f".{die}.band": f"stroke: {getattr(palette, die)}" for die in ("red", "black", "green")},
    }
    for name, colour in (
        *((f"seat-{seat}", colour) for seat, colour in enumerate(palette.seats)),
        ("nobody", palette.nobody),
    ):
        rules[f".{name}"] = f"fill: {colour}"
        rules[f".{name}.idle"] = f"fill: {palette.panel}; stroke: {colour}"
        rules[f".{name}.stroked"] = f"fill: none; stroke: {colour}"
    return "\n".join(
        f"{', '.join(f'.board {one}' for one in selector.split(', '))} {{ {declarations}; }}"
        for selector, declarations in rules.items()
    )


STYLE = f"{_SHAPES}{_colours(_LIGHT)}\n@media (prefers-color-scheme: dark) {{\n{_colours(_DARK)}\n}}\n"
"""The style sheet; it uses no font and no file from elsewhere."""

"""Lines and bars as SVG, drawn by pygal. What it cannot do is added before they are written: shading, marks, keys."""

from collections.abc import Callable, Iterator, Sequence
from math import log10
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement

import pygal  # type: ignore[import-untyped]
from pygal.style import Style  # type: ignore[import-untyped]

from mcmulti.projections.charts.style import PERIODS, STYLE
from mcmulti.projections.pictures.fit import in_pixels, pixels

WIDTH, HEIGHT = 800, 436
"""Pixels of a chart, without its keys."""
_ROW = 20
_MARGIN = 14
_SIZE = 12
_KEYS_WIDTH = WIDTH - 2 * _MARGIN - 20
_BEHIND_KEY = 40
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
_MOST_LABELS = 12
_WITHOUT = {"script", "desc", "style", "title"}


class Curve(NamedTuple):
    """A line: a value for each turn, None if there is none."""

    name: str
    points: tuple[tuple[int, int | None], ...]


class Period(NamedTuple):
    """Turns to shade, from the end of turn `after` to the end of turn `until`. `shade`: 0 worst times to 1 best."""

    name: str
    shade: float
    after: int
    until: int

    @property
    def style(self) -> str:
        """The CSS class with its color."""
        return f"period-{round(self.shade * (PERIODS - 1))}"


class Goal(NamedTuple):
    """A value to be reached, and its label."""

    name: str
    figure: int


class Bars(NamedTuple):
    """A die: its name, its color, and how often it showed each face."""

    name: str
    colour: str
    counts: tuple[int, ...]


class _Key(NamedTuple):
    """The meaning of a line, a box, or a mark."""

    tag: str
    style: str
    name: str


def draw_lines(
    title: str,
    told: str,
    x_title: str,
    nothing: str,
    lines: Sequence[Curve],
    periods: Sequence[Period],
    *,
    by_digits: bool = False,
    goal: Goal | None = None,
    write: Callable[[float], str],
) -> bytes:
    """Lines over turns, with shaded periods and a line at the goal. `told`: a text description.

    `write`: formats numbers in a language.

    `by_digits`: a logarithmic scale for nonnegative values, so that ten times as much is one step up.
    """
    turns = [turn for line in lines for turn, _ in line.points]
    last = max(1, *turns) if turns else 1
    step = next((step for step in _STEPS if last / step <= _MOST_LABELS), last)
    shades = {period.name: period.style for period in sorted(periods, key=lambda period: period.shade)}
    keys = [
        [_Key("path", f"key color-{number} dashed-{number}", line.name) for number, line in enumerate(lines)],
        [_Key("path", "goal", goal.name)] if goal else [],
        [_Key("rect", f"swatch {style}", name) for name, style in shades.items()],
    ]
    chart = pygal.XY(
        **_look(title, x_title, nothing, keys, write),
        show_dots=False,
        allow_interruptions=True,
        xrange=(0, last),
        x_labels=list(range(0, last + 1, step)) if turns else None,
        truncate_label=-1,
    )
    most = max((figure or 0 for line in lines for _, figure in line.points), default=0)
    if goal:
        most = max(most, goal.figure)
        chart.range = (None, _height(most) if by_digits else most)
    if by_digits:
        marks = [0, *(10**digits for digits in range(len(str(most)) + 1))]
        chart.y_labels = [{"value": _height(mark), "label": write(mark)} for mark in marks]
    for line in lines:
        chart.add(line.name, [(turn, _height(figure)) for turn, figure in line.points] if by_digits else line.points)

    def furnish(root: Element) -> None:
        plot = _first(root, "plot")
        if goal:
            y = chart.view.y(_height(goal.figure) if by_digits else goal.figure)
            drawn = SubElement(plot, "path", {"class": "goal", "d": f"M0 {y:.2f}H{chart.view.width:.2f}"})
            SubElement(drawn, "title").text = goal.name
        _shade(plot, chart.view, periods)

    return _rendered(chart, title, told, keys, furnish)


def draw_bars(
    title: str,
    told: str,
    x_title: str,
    expected: str,
    nothing: str,
    dice: Sequence[Bars],
    *,
    write: Callable[[float], str],
) -> bytes:
    """A group of bars for each face, a bar in it for each die, and on each bar a mark at the expected value."""
    keys = [[_Key("rect", f"die-{die.colour}", die.name) for die in dice]]
    if dice:
        keys[0].append(_Key("path", "expected", expected))
    chart = pygal.Bar(**_look(title, x_title, nothing, keys, write), x_labels=[str(face) for face in range(1, 7)])
    for die in dice:
        chart.add(die.name, die.counts)
    return _rendered(chart, title, told, keys, lambda root: _mark_expected(root, chart.view, dice))


def _height(figure: int | None) -> float | None:
    """The height of a value on a logarithmic scale: nothing at 0, one step up for ten times as much."""
    return None if figure is None else log10(1 + figure)


def _keys_per_row(keys: Sequence[_Key]) -> int:
    """As many keys per row as their names allow, two to five."""
    widest = max(pixels(key.name, _SIZE) for key in keys)
    return next((columns for columns in (5, 4, 3) if widest <= _KEYS_WIDTH / columns - _BEHIND_KEY), 2)


def _look(
    title: str, x_title: str, nothing: str, keys: Sequence[Sequence[_Key]], write: Callable[[float], str]
) -> dict[str, Any]:
    below = sum(-(-len(group) // _keys_per_row(group)) for group in keys if group) * _ROW
    return {
        "title": title,
        "x_title": x_title,
        "no_data_text": nothing,
        "width": WIDTH,
        "height": HEIGHT + below,
        "margin": _MARGIN,
        "margin_bottom": _MARGIN + 6 + below,
        "spacing": 8,
        "show_legend": False,
        "include_x_axis": True,
        "value_formatter": write,
        "style": Style(title_font_size=16, label_font_size=_SIZE, major_label_font_size=_SIZE, no_data_font_size=20),
        "js": [],
        "explicit_size": True,
        "disable_xml_declaration": True,
    }


def _rendered(
    chart: Any, title: str, told: str, keys: Sequence[Sequence[_Key]], furnish: Callable[[Element], None]
) -> bytes:
    """The chart as UTF-8, with our additions if there is anything to show."""

    def finish(root: Element) -> Element:
        _clean(root, title, told, empty=not any(keys))
        if any(keys):
            furnish(root)
            _draw_keys(_first(root, "graph"), keys)
        return root

    chart.add_xml_filter(finish)
    svg: str = chart.render()
    return svg.encode()


def _clean(root: Element, title: str, told: str, *, empty: bool) -> None:
    """Remove scripts, comments, and what scripts would show; add our own style and text alternatives.

    If there is nothing to show, the library invents axes, which are removed as well.
    """
    unwanted = {"tooltip", "axis"} if empty else {"tooltip"}
    for parent in list(root.iter()):
        parent.attrib.pop("id", None)
        for child in list(parent):
            classes = set(child.get("class", "").split())
            if not isinstance(child.tag, str) or child.tag in _WITHOUT or classes & unwanted:
                parent.remove(child)
    root.set("class", "chart")
    root.set("role", "img")
    root.set("aria-label", title)
    for place, (tag, text) in enumerate((("title", title), ("desc", told), ("style", STYLE))):
        element = Element(tag)
        element.text = text
        root.insert(place, element)


def _all(root: Element, name: str) -> Iterator[Element]:
    """The elements with a class."""
    return (element for element in root.iter() if name in element.get("class", "").split())


def _first(root: Element, name: str) -> Element:
    return next(_all(root, name))


def _shade(plot: Element, view: Any, periods: Sequence[Period]) -> None:
    """Shade the periods, behind everything except the background."""
    for place, period in enumerate(periods, start=1):
        left, right = view.x(period.after), view.x(period.until)
        band = Element("rect", {"class": period.style, "x": f"{left:.2f}", "width": f"{right - left:.2f}"})
        band.set("y", "0")
        band.set("height", f"{view.height:.2f}")
        SubElement(band, "title").text = period.name
        plot.insert(place, band)


def _mark_expected(root: Element, view: Any, dice: Sequence[Bars]) -> None:
    """Color the bars like the dice, and mark where each would end if all faces were equally frequent."""
    for number, die in enumerate(dice):
        y = view.y(sum(die.counts) / len(die.counts))
        for series in _all(root, f"serie-{number}"):
            series.set("class", f"series serie-{number} die-{die.colour}")
            for bar in list(_all(series, "bar")):
                for rect in list(bar.iter("rect")):
                    x, width = float(rect.get("x", 0)), float(rect.get("width", 0))
                    for style in ("expected-edge", "expected"):
                        SubElement(bar, "path", {"class": style, "d": f"M{x:.2f} {y:.2f}h{width:.2f}"})


def _draw_keys(graph: Element, keys: Sequence[Sequence[_Key]]) -> None:
    """All keys in rows below the chart. Each group begins a new row."""
    top = float(HEIGHT - 6)
    for group in filter(None, keys):
        columns = _keys_per_row(group)
        width = _KEYS_WIDTH / columns
        for number, key in enumerate(group):
            x, y = _MARGIN + 20 + number % columns * width, top + number // columns * _ROW
            size = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": "24", "height": "12"}
            shape = size if key.tag == "rect" else {"d": f"M{x:.1f} {y + 6:.1f}h24"}
            SubElement(graph, key.tag, {"class": key.style, **shape})
            text = SubElement(graph, "text", {"class": "name", "x": f"{x + 32:.1f}", "y": f"{y + 10.5:.1f}"})
            text.text = in_pixels(key.name, width - _BEHIND_KEY, _SIZE)
            if text.text != key.name:
                SubElement(text, "title").text = key.name
        top += -(-len(group) // columns) * _ROW

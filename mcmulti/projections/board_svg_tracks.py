"""The tracks of prices below a drawn board: a box for each price, filled where a barrel lies."""

from collections.abc import Iterator, Sequence

import svg

from mcmulti.domain.core.picture import Picture, Track
from mcmulti.projections import board_words
from mcmulti.projections.board_fit import pixels
from mcmulti.projections.board_svg_marks import box, group, words
from mcmulti.projections.board_words import LABELS

WIDTH = 768
_LEFT, _RIGHT = 138, 670
_BUY, _SELL = 714, WIDTH
_HIGH = 18
_GAP = 4
"""Pixels between two numbers at least."""
_MANY = 40
"""More prices than that are too narrow for a number in each box."""


def tracks(picture: Picture, top: float) -> tuple[list[svg.Element], float]:
    """All tracks, and where they end."""
    if not picture.tracks:
        return [], top
    labels = LABELS[picture.language]
    shapes: list[svg.Element] = [
        words(_BUY, top + 10, labels.buy, "small", "muted", "end", width=42),
        words(_SELL, top + 10, labels.sell, "small", "muted", "end", width=52),
    ]
    top += 16
    for track in picture.tracks:
        shapes.append(_track(picture, track, top))
        top += 24 if len(track.prices) <= _MANY else 38
    return shapes, top


def _track(picture: Picture, track: Track, top: float) -> svg.G:
    labels = LABELS[picture.language]
    dealt = (
        [words(_SELL, top + 13, labels.closed, "strong", "end", width=96)]
        if track.closed
        else [
            words(_BUY, top + 13, _price(track.buy), "strong", "figure", "end"),
            words(_SELL, top + 13, _price(track.sell), "strong", "figure", "end"),
        ]
    )
    name = words(0, top + 13, track.name, width=_LEFT - 8)
    drawn = _numbered if len(track.prices) <= _MANY else _narrow
    return group(board_words.track(picture, track), [name, *drawn(track, top), *dealt], "track")


def _price(price: int | None) -> str:
    return "—" if price is None else str(price)


def _numbered(track: Track, top: float) -> Iterator[svg.Element]:
    """Each price in its box, every other one in figures if they are wide; the next to buy and to sell are framed."""
    step = (_RIGHT - _LEFT) / len(track.prices)
    every = 1 + int(pixels(str(track.prices[-1]), 11) // step)
    for index, price in enumerate(track.prices):
        x = _LEFT + index * step
        taken = price in track.occupied
        place = (x + 0.75, top, step - 1.5, _HIGH)
        yield box(*place, *([track.good, "barrel"] if taken else ["free"]), rx=2)
        if price in (track.buy, track.sell):
            yield box(*place, "next", rx=2)
        if index % every:
            continue
        number = f"on-{track.good}" if taken else "muted"
        yield words(round(x + step / 2, 2), top + 13, str(price), "small", "figure", "middle", number)


def _narrow(track: Track, top: float) -> Iterator[svg.Element]:
    """Narrow boxes; the marked prices are taller, and have their numbers below where these leave each other room."""
    step = (_RIGHT - _LEFT) / len(track.prices)
    apart = (pixels(str(track.prices[-1]), 11) + _GAP) / step
    written = _apart([index for index, price in enumerate(track.prices) if price in track.marked], apart)
    for index, price in enumerate(track.prices):
        x = _LEFT + index * step
        marked = price in track.marked
        classes = [track.good, "barrel"] if price in track.occupied else ["marked" if marked else "free"]
        yield box(x + 0.5, top, step - 1, _HIGH + (3 if marked else 0), *classes, rx=1.5)
        if index in written:
            yield words(round(x + step / 2, 2), top + 32, str(price), "small", "figure", "middle", "muted")


def _apart(places: Sequence[int], apart: float) -> set[int]:
    """The last of the places, and of those before it each that is so far from the next one."""
    kept: list[int] = []
    for place in reversed(places):
        if not kept or kept[-1] - place >= apart:
            kept.append(place)
    return set(kept)

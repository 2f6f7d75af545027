"""The tracks below a drawn board: a box for each value, filled if it is occupied."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

import svg

from mcmulti.domain.core.shown.picture import Picture, Track
from mcmulti.projections.labels import PICTURE
from mcmulti.projections.pictures import words as board_words
from mcmulti.projections.pictures.fit import pixels
from mcmulti.projections.svg.marks import END_OF_GROUP, Once, alone, box, opening_tag, part, pickable, title, words

WIDTH = 768
_LEFT, _RIGHT = 138, 670
_BUY, _SELL = 714, WIDTH
_HIGH = 18
_GAP = 4
"""The fewest pixels between two numbers."""
_MANY = 40
"""With more values, the boxes are too narrow for numbers."""
_EXPLAINED = (4, 1, 12, _HIGH)


def tracks(picture: Picture, top: float, once: Once) -> tuple[list[tuple[str, ...]], float]:
    """All tracks, in pieces by section, and where they end."""
    if not picture.tracks:
        return [], top
    sections: list[tuple[str, ...]] = []
    if any(_is_dealt(track) for track in picture.tracks):
        sections.append(once("prices", (picture.language, top), lambda: _heads(picture, top)))
        top += 16
    for number, track in enumerate(picture.tracks):
        drawn = partial(_track, alone(picture), track, top, f"track-{number}")
        sections.append(once(f"track-{number}", (track, picture.language, top), drawn))
        top += 24 if len(track.values) <= _MANY else 38
    return sections, top


def _heads(picture: Picture, top: float) -> tuple[str]:
    """The names of the prices."""
    labels = PICTURE[picture.language]
    buy = words(_BUY, top + 10, labels.buy, "small", "muted", "end", width=42)
    sell = words(_SELL, top + 10, labels.sell, "small", "muted", "end", width=52)
    return (f"{buy}{sell}",)


def explained(picture: Picture) -> Iterator[tuple[str, Callable[[], list[svg.Element]]]]:
    """The names of framed and marked values, and what draws their look in a box twenty pixels wide."""
    if any(_framed(track) for track in picture.tracks):
        yield PICTURE[picture.language].next_price, _framed_value
    for meaning in marked(picture):
        yield meaning, _marked_value


def _framed_value() -> list[svg.Element]:
    return [box(*_EXPLAINED, "free", rx=2), box(*_EXPLAINED, "next", rx=2)]


def _marked_value() -> list[svg.Element]:
    return [box(*_EXPLAINED, "marked", rx=1.5)]


def marked(picture: Picture) -> list[str]:
    """The names of marked values, unless all of them are occupied."""
    return list(dict.fromkeys(each.meaning for each in picture.tracks if set(each.marked) - set(each.occupied)))


def _framed(track: Track) -> bool:
    """Whether prices are framed, for which narrow boxes have no room."""
    return len(track.values) <= _MANY and not {track.buy, track.sell} <= {None}


def _is_dealt(track: Track) -> bool:
    return track.closed or track.buy is not None or track.sell is not None


@lru_cache(maxsize=512)
def _track(picture: Picture, track: Track, top: float, key: str) -> tuple[str, ...]:
    """A track; few of them change between two moments."""
    dealt: list[svg.Element] = []
    if track.closed:
        dealt = [words(_SELL, top + 13, PICTURE[picture.language].closed, "strong", "end", width=96)]
    elif _is_dealt(track):
        dealt = [
            words(end, top + 13, "—" if price is None else str(price), "strong", "figure", "end")
            for end, price in ((_BUY, track.buy), (_SELL, track.sell))
        ]
    name = words(0, top + 13, track.name, width=_LEFT - 8)
    return (
        opening_tag(svg.G(class_=["track"], data=pickable(track.picks) or None)),
        f"{title(board_words.track(picture, track))}{name}",
        *(_numbered if len(track.values) <= _MANY else _narrow)(track, top, key),
        *([str(part(f"{key}-prices", "", dealt))] if dealt else []),
        END_OF_GROUP,
    )


def _numbered(track: Track, top: float, key: str) -> Iterator[str]:
    """Each value in its box, every other one as a number if they are wide; the next to buy and to sell are framed."""
    step = (_RIGHT - _LEFT) / len(track.values)
    every = 1 + int(pixels(str(track.values[-1]), 11) // step)
    for index, value in enumerate(track.values):
        taken = value in track.occupied
        look = (track.colour, "taken") if taken else ("marked" if value in track.marked else "free",)
        ink = f"on-{track.colour}" if taken else "muted"
        framed = value in (track.buy, track.sell)
        yield _value(_LEFT + index * step, top, step, value, key, look, framed, None if index % every else ink)


@lru_cache(maxsize=4096)
def _value(
    x: float, top: float, step: float, value: int, key: str, look: tuple[str, ...], framed: bool, ink: str | None
) -> str:
    """A value in its box, as a number if it has an ink; few of them change between two moments."""
    place = (x + 0.75, top, step - 1.5, _HIGH)
    shapes: list[svg.Element] = [box(*place, *look, rx=2)]
    if framed:
        shapes.append(box(*place, "next", rx=2))
    if ink is not None:
        shapes.append(words(round(x + step / 2, 2), top + 13, str(value), "small", "figure", "middle", ink))
    return str(part(f"{key}-{value}", "", shapes))


def _narrow(track: Track, top: float, key: str) -> Iterator[str]:
    """Narrow boxes. Marked values are taller, and have their numbers below if there is room."""
    step = (_RIGHT - _LEFT) / len(track.values)
    apart = (pixels(str(track.values[-1]), 11) + _GAP) / step
    written = _apart([index for index, value in enumerate(track.values) if value in track.marked], apart)
    for index, value in enumerate(track.values):
        marked = value in track.marked
        look = (track.colour, "taken") if value in track.occupied else ("marked" if marked else "free",)
        yield _narrow_value(_LEFT + index * step, top, step, value, key, look, marked, index in written)


@lru_cache(maxsize=4096)
def _narrow_value(
    x: float, top: float, step: float, value: int, key: str, look: tuple[str, ...], marked: bool, written: bool
) -> str:
    """A value in its narrow box; few of them change between two moments."""
    shapes: list[svg.Element] = [box(x + 0.5, top, step - 1, _HIGH + (3 if marked else 0), *look, rx=1.5)]
    if written:
        shapes.append(words(round(x + step / 2, 2), top + 32, str(value), "small", "figure", "middle", "muted"))
    return str(part(f"{key}-{value}", "", shapes))


def _apart(places: Sequence[int], apart: float) -> set[int]:
    """The last place, and those before it that are far enough from the next one."""
    kept: list[int] = []
    for place in reversed(places):
        if not kept or kept[-1] - place >= apart:
            kept.append(place)
    return set(kept)

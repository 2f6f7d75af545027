"""Drawn boards of many moments of a game, as changes from one to the next.

Most of a drawing stays the same for hundreds of events. So its pieces are sent once, and each moment only lists which
of them come in the place of which. To show a drawing, join its pieces: no knowledge of how boards are drawn is needed.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from mcmulti.domain.core.figures import Count
from mcmulti.domain.core.shown.picture import Picture
from mcmulti.projections.svg.board import Easel

PieceNumber = Annotated[int, Meta(ge=0, le=1_000_000)]
"""The index of a piece in the list of pieces."""
MOST_PIECES = 100_000
"""The most pieces of one drawing."""
Markup = Annotated[str, Meta(max_length=100_000)]
"""A piece of an SVG document: text, complete elements, or the opening or closing tag of one."""


class Splice(Struct, frozen=True):
    """A change of a list of pieces: at index `at`, remove `removed` pieces, and insert `added` there."""

    at: Count
    removed: Count
    added: Annotated[tuple[PieceNumber, ...], Meta(max_length=MOST_PIECES)]


class Film:
    """Drawings of a game in order. The pieces of several films can be numbered together, in `numbers`."""

    def __init__(self, numbers: dict[str, int] | None = None) -> None:
        self._numbers: dict[str, int] = {} if numbers is None else numbers
        self._easel = Easel()
        self._drawn: list[tuple[str, ...]] = []

    @property
    def pieces(self) -> tuple[str, ...]:
        """All pieces so far, by number."""
        return tuple(self._numbers)

    def show(self, picture: Picture) -> tuple[Splice, ...]:
        """The next drawing: what turns the pieces of the previous one into its own, one change after the other.

        The pieces of the first drawing are all inserted.
        """
        drawn = self._easel.sections(picture)
        before, self._drawn = self._drawn or [()] * len(drawn), drawn
        return tuple(self._changes(before, drawn))

    def _changes(self, before: Sequence[tuple[str, ...]], after: Sequence[tuple[str, ...]]) -> Iterator[Splice]:
        """The changes of all sections, in order."""
        if len(before) != len(after):
            before, after = [sum(before, ())], [sum(after, ())]
        numbers, start = self._numbers, 0
        for old, new in zip(before, after, strict=True):
            if old is not new:
                for first, removed, added in _stretches(old, new):
                    numbered = tuple([numbers.setdefault(each, len(numbers)) for each in added])
                    yield Splice(start + first, removed, numbered)
            start += len(new)


def _stretches(before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The changes of a section: where, how many pieces are removed, and what is added. One if its length changes,
    otherwise one for each stretch that differs.
    """
    first, short = 0, min(len(before), len(after))
    while first < short and before[first] == after[first]:
        first += 1
    last = 0
    while last < short - first and before[-1 - last] == after[-1 - last]:
        last += 1
    end = len(after) - last
    if len(before) != len(after):
        yield first, len(before) - last - first, after[first:end]
        return
    at = first
    while at < end:
        begin = at
        while at < end and before[at] != after[at]:
            at += 1
        if at > begin:
            yield begin, at - begin, after[begin:at]
        at += 1

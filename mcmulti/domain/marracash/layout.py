"""Random layout of the visitors, under the limits of `visitors/count`. Every draw picks one visitor."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate

from msgspec import Struct

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.marracash.components import AT_AN_ENTRANCE, IN_A_ROW, VISITORS
from mcmulti.domain.marracash.names import COLOURS, Colour
from mcmulti.domain.marracash.state import NOBODY, Crowd
from mcmulti.domain.marracash.town import ENTRANCES

Drawing = Callable[[int], Draw]
"""Draws a die with N sides."""


class Layout(Struct, frozen=True):
    """The visitors at each entrance, the queue outside from its front, and the draws behind it, in order."""

    entrances: tuple[Crowd, ...]
    queue: tuple[Colour, ...]
    draws: tuple[Draw, ...]


def laid_out(draw: Drawing) -> Layout:
    """The entrances in order, then the queue from its front: each visitor is drawn from all who can come next."""
    left, draws = dict(VISITORS), []

    def drawn(colours: Sequence[Colour]) -> Colour:
        ends = [*accumulate([left[colour] for colour in colours])]
        draws.append(draw(ends[-1]))
        colour = colours[bisect_left(ends, draws[-1].value)]
        left[colour] -= 1
        return colour

    entrances = []
    for _ in ENTRANCES:
        group = NOBODY
        for _ in range(AT_AN_ENTRANCE):
            joining = drawn([colour for colour in COLOURS if not group.visitors(colour)])
            group = group.and_more(Crowd(**{joining: 1}))
        entrances.append(group)
    queue: list[Colour] = []
    while any(left.values()):
        queue.append(drawn([colour for colour in COLOURS if left[colour] and may_follow(queue, left, colour)]))
    return Layout(tuple(entrances), tuple(queue), tuple(draws))


def may_follow(queue: list[Colour], left: dict[Colour, int], colour: Colour) -> bool:
    """Whether a visitor of this color can come next: the row is not too long, and all others can still be placed.

    They can if no color has more visitors than there are gaps between the others: one before each, and one at the end.
    """
    run = 1
    while run <= len(queue) and queue[-run] == colour:
        run += 1
    if run > IN_A_ROW:
        return False
    after = {**left, colour: left[colour] - 1}
    waiting = sum(after.values())
    for each, number in after.items():
        if number > IN_A_ROW * (waiting - number) + (IN_A_ROW - run if each == colour else IN_A_ROW):
            return False
    return True

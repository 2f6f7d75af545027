"""How a game opens and begins: capital, visitors, the start player."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.course.posting import CAPITAL, Transfer, transfer
from mcmulti.domain.core.course.starting import close_up
from mcmulti.domain.core.event import Event, Opened
from mcmulti.domain.core.figures import Count, Seat
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.wording.phrases import Phrases
from mcmulti.domain.marracash.components import AT_AN_ENTRANCE, CASH, COLOURS, IN_A_ROW, VISITORS, Colour
from mcmulti.domain.marracash.phases import souvenirs
from mcmulti.domain.marracash.state import NOBODY, Bazaar, Crowd, Dirham, MarraCashSetup, Play
from mcmulti.domain.marracash.town import ENTRANCES

Drawing = Callable[[int], Draw]
"""Draws a die with N sides."""


class Layout(Struct, frozen=True):
    """The visitors at each entrance, the queue outside from its front, and the draws behind it, in order."""

    entrances: tuple[Crowd, ...]
    queue: tuple[Colour, ...]
    draws: tuple[Draw, ...]


def laid_out(draw: Drawing) -> Layout:
    """The entrances in order, then the queue from its front: each visitor is drawn from all who can come next
    (`visitors/count`).
    """
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


class BazaarOpened(Opened[MarraCashSetup], frozen=True):
    """A table was opened. `commitment`: the SHA-256 of the secret seed, in hexadecimal."""

    def evolve(self, state: None) -> Bazaar:
        return self.table(Bazaar)

    def seats(self, say: Phrases) -> str:
        """The number of players."""
        return say.number(self.setup.seats)


class CapitalPaid(Event, frozen=True):
    """The game begins: each of the `players` gets its capital."""

    players: Count
    dirham: Dirham
    entropy: Annotated[str, Meta(max_length=259, pattern="^[0-9A-Za-z_,-]*$")]

    def evolve(self, state: Bazaar) -> Bazaar:
        return replace(state, cash=(self.dirham,) * self.players, entropy=self.entropy)

    def transfers(self) -> tuple[Transfer, ...]:
        return tuple(
            moved
            for seat in range(self.players)
            for moved in transfer("bank", f"seat:{seat}:cash", "dirham", self.dirham, CAPITAL)
        )


class VisitorsArrived(Event, frozen=True):
    """The visitors, as `draws` laid them out: a group at each of the entrances, all others in the `queue`.

    Each was drawn, in order, from all who could come next: those at the entrances, then the queue from its front.
    """

    entrances: Annotated[tuple[Crowd, ...], Meta(max_length=3)]
    queue: Annotated[tuple[Colour, ...], Meta(max_length=45)]
    draws: Annotated[tuple[Draw, ...], Meta(max_length=54)]

    def evolve(self, state: Bazaar) -> Bazaar:
        groups = list(state.groups)
        for number, group in zip(ENTRANCES, self.entrances, strict=True):
            groups[number - 1] = group
        return replace(state, groups=tuple(groups), queue=self.queue, draws=self.draws[-1].number)

    def transfers(self) -> tuple[Transfer, ...]:
        standing = (
            moved
            for number, group in zip(ENTRANCES, self.entrances, strict=True)
            for moved in transfer("abroad", f"fountain:{number}", "visitors", len(group), CAPITAL)
        )
        return (*standing, *transfer("abroad", "queue", "visitors", len(self.queue), CAPITAL))


class StartPlayerDrawn(Event, frozen=True):
    """A seat was drawn as the start player: it begins every round."""

    lot: Draw
    seat: Seat

    def evolve(self, state: Bazaar) -> Bazaar:
        return replace(state, first=self.seat, draws=self.lot.number)


def start_game(play: Play, seat: int, command: StartGame, offer: Offer) -> None:
    close_up(play)
    entropy = play.state.given_entropy
    players = len(play.state.chairs)
    play.record(CapitalPaid(players, CASH, entropy), "start/capital")
    layout = laid_out(play.draw)
    play.record(VisitorsArrived(layout.entrances, layout.queue, layout.draws), "visitors/count")
    lot = play.draw(players)
    play.record(StartPlayerDrawn(lot, lot.value - 1), "round/start")
    souvenirs.turn_over(play)


def opening(state: Bazaar) -> tuple[Transfer, ...]:
    """What the books of a game that begins from a position open with.

    Cash and shops come from the bank, all visitors from abroad, wherever they are by now.
    """
    moved: list[Transfer] = []
    for seat, cash in enumerate(state.cash):
        moved += transfer("bank", f"seat:{seat}:cash", "dirham", cash, CAPITAL)
        moved += transfer("bank", f"seat:{seat}:shops", "shops", state.owned(seat), CAPITAL)
        moved += transfer("abroad", f"seat:{seat}:customers", "visitors", state.customers(seat), CAPITAL)
    for number, group in enumerate(state.groups, 1):
        moved += transfer("abroad", f"fountain:{number}", "visitors", len(group), CAPITAL)
    return (*moved, *transfer("abroad", "queue", "visitors", len(state.queue), CAPITAL))

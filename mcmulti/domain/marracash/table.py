"""How a game opens and begins: capital, visitors, the start player."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.course.posting import CAPITAL, Transfer, transfer
from mcmulti.domain.core.course.starting import close_up
from mcmulti.domain.core.event import Event, Opened
from mcmulti.domain.core.figures import Count, Seat
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.wording.phrases import Phrases
from mcmulti.domain.marracash.components import CASH
from mcmulti.domain.marracash.layout import laid_out
from mcmulti.domain.marracash.names import Colour
from mcmulti.domain.marracash.phases import souvenirs
from mcmulti.domain.marracash.state import Bazaar, Crowd, Dirham, MarraCashSetup, Play
from mcmulti.domain.marracash.town import ENTRANCES


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

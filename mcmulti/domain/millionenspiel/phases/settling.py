"""Settlement: what the color of the field gives or takes from everybody (`settle/colour`)."""

from typing import Literal

from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Seat
from mcmulti.domain.millionenspiel.components import GAINS
from mcmulti.domain.millionenspiel.phases.deciding import decide
from mcmulti.domain.millionenspiel.phases.losses import lose_rest, lose_stake
from mcmulti.domain.millionenspiel.pieces import BANK, Pieces, fewest, moved, purse
from mcmulti.domain.millionenspiel.state import Millionenspiel, Play, with_purse


class StakeWon(Event, frozen=True):
    """A player keeps its stake, and is also paid a multiple of it."""

    seat: Seat
    times: Count
    pieces: Pieces

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return with_purse(state, self.seat, state.players[self.seat].purse + self.pieces)

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(BANK, purse(self.seat), self.pieces, "gain")

    def form(self, say: object) -> Literal["once", "often"]:
        return "once" if self.times == 1 else "often"


def settle(play: Play) -> None:
    """Settle the field under the pawn."""
    colour = play.state.colour
    if colour == "black":
        decide(play)
        return
    for seat, player in enumerate(play.state.players):
        if colour == "beige":
            lose_stake(play, seat, "settle/colour")
        elif colour == "green":
            lose_rest(play, seat, "settle/colour")
        elif player.stake:
            times = GAINS[colour]
            play.record(StakeWon(seat, times, fewest(player.stake.worth * times)), "settle/colour")

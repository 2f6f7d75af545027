"""After the settlement: remaining stakes are returned, and too many pieces of a kind are exchanged."""

from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.millionenspiel.pieces import BANK, Pieces, exchange, exchanged, moved, purse, stake
from mcmulti.domain.millionenspiel.state import Millionenspiel, Play, Player, given, with_player


class StakeReturned(Event, frozen=True):
    """A player took its stake back."""

    seat: Seat
    pieces: Pieces

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        player = state.players[self.seat]
        back = Player(player.purse + self.pieces, player.pension, player.stake - self.pieces)
        return with_player(state, self.seat, back)

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(stake(self.seat), purse(self.seat), self.pieces, "return")


class PiecesExchanged(Event, frozen=True):
    """A player had more than ten of a kind, gave tens of them, and got one of the next kind for each ten."""

    seat: Seat
    given: Pieces
    got: Pieces

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return given(state, self.seat, self.got - self.given)

    def transfers(self) -> tuple[Transfer, ...]:
        given = exchanged(purse(self.seat), BANK, self.given, "exchange")
        return given + exchanged(BANK, purse(self.seat), self.got, "exchange")


def return_stakes(play: Play) -> None:
    """Return the remaining stakes (`stake/return`)."""
    for seat, player in enumerate(play.state.players):
        if player.stake:
            play.record(StakeReturned(seat, player.stake), "stake/return")


def exchange_all(play: Play) -> None:
    """Players with more than ten of a kind exchange them (`purse/exchange`)."""
    for seat, player in enumerate(play.state.players):
        given, got = exchange(player.purse)
        if given:
            play.record(PiecesExchanged(seat, given, got), "purse/exchange")

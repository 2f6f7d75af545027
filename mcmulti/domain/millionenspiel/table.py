"""Opening and start: everybody gets a card and five chips, and the highest throw gets the dice."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.commands import StartGame
from mcmulti.domain.core.course.posting import CAPITAL, Transfer
from mcmulti.domain.core.course.starting import close_up
from mcmulti.domain.core.event import Event, Opened
from mcmulti.domain.core.figures import Count, GivenEntropy, Seat
from mcmulti.domain.core.offers import Offer
from mcmulti.domain.core.wording.phrases import Phrases
from mcmulti.domain.millionenspiel.components import FIRST_CARD, ONES_AT_START, Card
from mcmulti.domain.millionenspiel.phases.rounds import begin_round
from mcmulti.domain.millionenspiel.pieces import BANK, Pieces, moved, purse, stake
from mcmulti.domain.millionenspiel.state import Millionenspiel, Play, Player, Setup, Throw, throw


class MillionenspielOpened(Opened[Setup], frozen=True):
    """A table was set up. `commitment`: the SHA-256 of the secret seed, in hexadecimal."""

    def evolve(self, state: None) -> Millionenspiel:
        return self.table(Millionenspiel)

    def seats(self, say: Phrases) -> str:
        """The number of players."""
        return say.number(self.setup.seats)


class MillionenspielStarted(Event, frozen=True):
    """The seats are final: each of the `players` gets these pieces and a pension card (`setup/start`)."""

    players: Count
    pieces: Pieces
    pension: Card
    entropy: GivenEntropy

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        players = (Player(self.pieces, self.pension),) * self.players
        return replace(state, phase="starting", players=players, entropy=self.entropy)

    def transfers(self) -> tuple[Transfer, ...]:
        dealt = (moved(BANK, purse(seat), self.pieces, CAPITAL) for seat in range(self.players))
        return tuple(line for lines in dealt for line in lines)


class StartingThrow(Struct, frozen=True, gc=False):
    """A player's throw for the first roll."""

    seat: Seat
    throw: Throw


class StartThrown(Event, frozen=True):
    """Players threw for the first roll. If several have the highest throw, those throw again."""

    throws: Annotated[tuple[StartingThrow, ...], Meta(max_length=5)]

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return replace(state, draws=self.throws[-1].throw.second.number)

    def thrown(self, say: Phrases) -> str:
        """Everybody's throw."""
        return ", ".join([say.told(each.seat, say.number(each.throw.sum)) for each in self.throws])


def start_game(play: Play, seat: int, command: StartGame, offer: Offer) -> None:
    """Deal, and throw for the first roller (`setup/first-roller`)."""
    close_up(play)
    state = play.state
    entropy = state.given_entropy
    play.record(
        MillionenspielStarted(len(state.chairs), Pieces(ones=ONES_AT_START), FIRST_CARD, entropy), "setup/start"
    )
    throwing = list(range(len(state.chairs)))
    while len(throwing) > 1:
        throws = tuple(StartingThrow(seat, throw(play)) for seat in throwing)
        play.record(StartThrown(throws), "setup/first-roller")
        highest = max(each.throw.sum for each in throws)
        throwing = [each.seat for each in throws if each.throw.sum == highest]
    begin_round(play, throwing[0], 0)


def opening(state: Millionenspiel) -> tuple[Transfer, ...]:
    """What the books of a game that begins from a position open with: all pieces come from the bank."""
    return tuple(
        line
        for seat, player in enumerate(state.players)
        for account, pieces in ((purse(seat), player.purse), (stake(seat), player.stake))
        for line in moved(BANK, account, pieces, CAPITAL)
    )

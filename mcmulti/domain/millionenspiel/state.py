"""The state of a game, and its setup."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.course.course import Course
from mcmulti.domain.core.figures import MOST, Seats
from mcmulti.domain.core.in_turn import SetupInTurn, TableInTurn
from mcmulti.domain.core.tuples import put
from mcmulti.domain.millionenspiel.components import FIELDS, MILLION, MOST_GAIN, TRACK, Card, Colour
from mcmulti.domain.millionenspiel.pieces import NOTHING, Pieces

Amount = Annotated[int, Meta(ge=0, le=MOST, description="Money.")]
FieldNumber = Annotated[int, Meta(ge=0, le=FIELDS - 1, description="A field of the ring, from 0, which has the arrow.")]
Steps = Annotated[int, Meta(ge=2, le=MOST, description="Steps of the pawn.")]
Round = Annotated[int, Meta(ge=0, le=MOST, description="A round, from 1; 0 before the first.")]
Phase = Literal["seating", "starting", "staking", "declining", "over"]


class Setup(SetupInTurn, frozen=True, gc=False, forbid_unknown_fields=True):
    """The setup of a game. `seats`: how many play (`setup/players`)."""

    seats: Annotated[int, Meta(ge=3, le=5)] = 4


class Player(Struct, frozen=True, gc=False):
    """A player's property: in hand, on the board, and the pension card."""

    purse: Pieces
    pension: Card
    stake: Pieces = NOTHING

    @property
    def money(self) -> int:
        """All its money, staked or not."""
        return self.purse.worth + self.stake.worth


class Throw(Struct, frozen=True, gc=False):
    """Two dice."""

    first: Draw
    second: Draw

    @property
    def sum(self) -> int:
        """The sum of both dice."""
        return self.first.value + self.second.value

    @property
    def double(self) -> bool:
        """Whether both show the same."""
        return self.first.value == self.second.value


class Millionenspiel(TableInTurn, frozen=True, kw_only=True):
    """A game at one moment.

    `roller`: has the dice. `waiting`: the seats that have not staked in this round, in order. `bought`: whether the
    first of them bought a card. `staked`: whether anybody staked something. `idle`: the number of rounds before this
    one in which everybody passed. `throws`: those of this round that count. `decider`: its die on black.
    """

    setup: Setup
    phase: Phase = "seating"
    players: tuple[Player, ...] = ()
    round: Round = 0
    roller: int = 0
    pawn: int = 0
    waiting: tuple[int, ...] = ()
    bought: bool = False
    staked: bool = False
    idle: int = 0
    at_stake: Seats = ()
    throws: tuple[Throw, ...] = ()
    decider: int | None = None
    winners: tuple[int, ...] = ()

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat that must stake next; after all of them, the roller, who may decline."""
        return (self.roller,) if self.phase == "declining" else self.waiting[:1]

    @property
    def colour(self) -> Colour:
        """The color of the pawn's field."""
        return TRACK[self.pawn]

    @property
    def in_reach(self) -> tuple[int, ...]:
        """Of those `at_stake`, the players who can still have a million with what is on the board (`end/at-stake`)."""
        if self.phase == "over":
            return ()
        return tuple(seat for seat in self.at_stake if seat in self.taken and self._most(seat) >= MILLION)

    def _most(self, seat: int) -> int:
        """The most that a seat can have after the settlement, with red, or with the decider if it rolls."""
        player = self.players[seat]
        if seat in self.waiting:
            return player.money * (1 + MOST_GAIN)
        red = player.money + player.stake.worth * MOST_GAIN
        if seat != self.roller:
            return red
        others = [other for at, other in enumerate(self.players) if at != seat]
        taken = max(sum(each.stake.worth for each in others), sum(each.purse.worth for each in others))
        return max(red, player.money + taken)

    @property
    def order(self) -> tuple[int, ...]:
        """The staking order of this round."""
        return order(self.roller, len(self.players))


Play = Course[Millionenspiel]


def order(roller: int, players: int) -> tuple[int, ...]:
    """The staking order: the roller's left neighbor first, the roller last."""
    return tuple([(roller + 1 + place) % players for place in range(players)])


def throw(play: Play) -> Throw:
    """Throw two dice. You must record an event that holds them."""
    first = play.draw()
    return Throw(first, play.draw())


def with_player(state: Millionenspiel, seat: int, player: Player) -> Millionenspiel:
    """The state with this seat's property changed."""
    return replace(state, players=put(state.players, seat, player))


def given(state: Millionenspiel, seat: int, pieces: Pieces) -> Millionenspiel:
    """The state after this seat got these pieces in hand."""
    player = state.players[seat]
    return with_player(state, seat, replace(player, purse=player.purse + pieces))

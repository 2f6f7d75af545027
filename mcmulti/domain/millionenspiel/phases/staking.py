"""Staking: one after the other, the roller last, any pieces in hand (`stake/pieces`)."""

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import astuple, replace

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import MOST, Seat
from mcmulti.domain.core.offers import Offer, Range
from mcmulti.domain.core.tuples import put
from mcmulti.domain.millionenspiel.phases import pensions
from mcmulti.domain.millionenspiel.pieces import KINDS, Pieces, moved, purse, stake
from mcmulti.domain.millionenspiel.state import Millionenspiel, Play

Staked = Annotated[int, Meta(ge=0, le=MOST, description="Pieces of a kind that are staked.")]


class Stake(Command, frozen=True):
    """Stake these pieces, or pass with none (`stake/pieces`)."""

    ones: Staked = 0
    tens: Staked = 0
    hundreds: Staked = 0
    thousands: Staked = 0
    ten_thousands: Staked = 0
    hundred_thousands: Staked = 0


class StakePlaced(Event, frozen=True):
    """A player staked these pieces, or none."""

    seat: Seat
    pieces: Pieces

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        player = state.players[self.seat]
        placed = replace(player, purse=player.purse - self.pieces, stake=self.pieces)
        return replace(
            state,
            players=put(state.players, self.seat, placed),
            waiting=state.waiting[1:],
            bought=False,
            staked=state.staked or bool(self.pieces),
        )

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(purse(self.seat), stake(self.seat), self.pieces, "stake")

    def form(self, say: object) -> Literal["some", "none"]:
        return "some" if self.pieces else "none"


class NothingToStake(Event, frozen=True):
    """A player has no money, and passes without being asked."""

    seat: Seat

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return replace(state, waiting=state.waiting[1:], bought=False)


def offers(state: Millionenspiel, seat: int, complete: bool) -> tuple[Offer, ...]:
    """Stake any number of each kind of the pieces in hand, or buy a pension card first."""
    has = state.players[state.waiting[0]].purse
    fields = {kind: Range(0, number, "purse") for kind, number in zip(KINDS, has.counts, strict=True)}
    return (Offer("Stake", "stake/pieces", {**fields}), *pensions.offers(state))


def stake_pieces(play: Play, seat: int, command: Stake, offer: Offer) -> None:
    play.record(StakePlaced(seat, Pieces(*astuple(command))), offer.rule)


def skip_the_poor(play: Play) -> None:
    """Players without money pass without being asked (`stake/pieces`)."""
    while play.state.waiting and not play.state.players[play.state.waiting[0]].purse:
        play.record(NothingToStake(play.state.waiting[0]), "stake/pieces")

"""Losses to the bank: a stake, what was not staked, notes."""

from typing import Literal

from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.millionenspiel.pieces import BANK, Pieces, moved, purse, stake
from mcmulti.domain.millionenspiel.state import Millionenspiel, Play, Player, with_player


class _Lost(Event, frozen=True):
    """A player lost pieces to the bank."""

    seat: Seat
    pieces: Pieces


class StakeLost(_Lost, frozen=True):
    """A player lost its stake."""

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        player = state.players[self.seat]
        return with_player(state, self.seat, Player(player.purse, player.pension, player.stake - self.pieces))

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(stake(self.seat), BANK, self.pieces, "loss")


class RestLost(_Lost, frozen=True):
    """A player lost what it did not stake."""

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        player = state.players[self.seat]
        return with_player(state, self.seat, Player(player.purse - self.pieces, player.pension, player.stake))

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(purse(self.seat), BANK, self.pieces, "loss")


class NotesLost(Event, frozen=True):
    """A player lost all notes: these of its stake, and those it had not staked."""

    seat: Seat
    staked: Pieces
    kept: Pieces

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        player = state.players[self.seat]
        left = Player(player.purse - self.kept, player.pension, player.stake - self.staked)
        return with_player(state, self.seat, left)

    def transfers(self) -> tuple[Transfer, ...]:
        staked = moved(stake(self.seat), BANK, self.staked, "loss")
        return staked + moved(purse(self.seat), BANK, self.kept, "loss")

    def form(self, say: object) -> Literal["both", "staked", "kept"]:
        if self.staked and self.kept:
            return "both"
        return "staked" if self.staked else "kept"


def lose_stake(play: Play, seat: int, rule: str) -> None:
    """A seat loses its stake, if it has one."""
    if pieces := play.state.players[seat].stake:
        play.record(StakeLost(seat, pieces), rule)


def lose_rest(play: Play, seat: int, rule: str) -> None:
    """A seat loses what it did not stake, if it has any."""
    if pieces := play.state.players[seat].purse:
        play.record(RestLost(seat, pieces), rule)


def lose_notes(play: Play, seat: int, rule: str) -> None:
    """A seat loses all notes, if it has any."""
    player = play.state.players[seat]
    staked, kept = player.stake.notes, player.purse.notes
    if staked or kept:
        play.record(NotesLost(seat, staked, kept), rule)

"""Settlement: what the color of the field gives or takes from everybody (`settle/colour`), and on black the decider."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Seat
from mcmulti.domain.millionenspiel.components import FACES, GAINS, THOUSAND, Fate
from mcmulti.domain.millionenspiel.pieces import BANK, Pieces, fewest, moved, purse, stake
from mcmulti.domain.millionenspiel.state import Millionenspiel, Play, Player, given, with_player

RULE = "settle/decider"


class StakeWon(Event, frozen=True):
    """A player keeps its stake, and is also paid a multiple of it."""

    seat: Seat
    times: Count
    pieces: Pieces

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return given(state, self.seat, self.pieces)

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(BANK, purse(self.seat), self.pieces, "gain")

    def form(self, say: object) -> Literal["once", "often"]:
        return "once" if self.times == 1 else "often"


class DeciderThrown(Event, frozen=True):
    """The pawn is on black, and the roller threw the deciding die."""

    seat: Seat
    die: Draw
    face: Fate

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return replace(state, decider=self.die.value, draws=self.die.number)


class ThousandWon(Event, frozen=True):
    """A player got a note from the bank."""

    seat: Seat
    pieces: Pieces

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return given(state, self.seat, self.pieces)

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(BANK, purse(self.seat), self.pieces, "decider")


class _Taken(Event, frozen=True):
    """A player got all of these pieces `from_seat`, piece by piece."""

    seat: Seat
    from_seat: Seat
    pieces: Pieces


class StakeTaken(_Taken, frozen=True):
    """A player got another's stake, piece by piece."""

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        loser = state.players[self.from_seat]
        left = Player(loser.purse, loser.pension, loser.stake - self.pieces)
        return given(with_player(state, self.from_seat, left), self.seat, self.pieces)

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(stake(self.from_seat), purse(self.seat), self.pieces, "decider")


class RestTaken(_Taken, frozen=True):
    """A player got what another had not staked, piece by piece."""

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        loser = state.players[self.from_seat]
        left = Player(loser.purse - self.pieces, loser.pension, loser.stake)
        return given(with_player(state, self.from_seat, left), self.seat, self.pieces)

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(purse(self.from_seat), purse(self.seat), self.pieces, "decider")


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


def decide(play: Play) -> None:
    """Throw one die, which cannot be declined or be a double. The pawn stays."""
    roller = play.state.roller
    die = play.draw()
    face = FACES[die.value - 1]
    play.record(DeciderThrown(roller, die, face), RULE)
    others = [(seat, player) for seat, player in enumerate(play.state.players) if seat != roller]
    match face:
        case "notes_lost":
            lose_notes(play, roller, RULE)
        case "stake_lost":
            lose_stake(play, roller, RULE)
        case "rest_lost":
            lose_rest(play, roller, RULE)
        case "thousand_won":
            play.record(ThousandWon(roller, fewest(THOUSAND)), RULE)
        case "stakes_taken":
            for seat, player in others:
                if player.stake:
                    play.record(StakeTaken(roller, seat, player.stake), RULE)
        case "rests_taken":
            for seat, player in others:
                if player.purse:
                    play.record(RestTaken(roller, seat, player.purse), RULE)

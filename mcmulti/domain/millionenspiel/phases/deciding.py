"""Black: one die decides the roller's fate (`settle/decider`)."""

from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.course.posting import Transfer
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Seat
from mcmulti.domain.millionenspiel.components import FACES, THOUSAND, Fate
from mcmulti.domain.millionenspiel.phases.losses import lose_notes, lose_rest, lose_stake
from mcmulti.domain.millionenspiel.pieces import BANK, Pieces, fewest, moved, purse, stake
from mcmulti.domain.millionenspiel.state import Millionenspiel, Play, Player, with_player, with_purse

RULE = "settle/decider"


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
        return with_purse(state, self.seat, state.players[self.seat].purse + self.pieces)

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
        return _given(with_player(state, self.from_seat, left), self.seat, self.pieces)

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(stake(self.from_seat), purse(self.seat), self.pieces, "decider")


class RestTaken(_Taken, frozen=True):
    """A player got what another had not staked, piece by piece."""

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        loser = state.players[self.from_seat]
        left = Player(loser.purse - self.pieces, loser.pension, loser.stake)
        return _given(with_player(state, self.from_seat, left), self.seat, self.pieces)

    def transfers(self) -> tuple[Transfer, ...]:
        return moved(purse(self.from_seat), purse(self.seat), self.pieces, "decider")


def _given(state: Millionenspiel, seat: int, pieces: Pieces) -> Millionenspiel:
    return with_purse(state, seat, state.players[seat].purse + pieces)


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

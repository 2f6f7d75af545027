"""The start of a round: who has the dice, what happens if nobody has money, and whether a million is at stake."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Seat, Seats
from mcmulti.domain.core.wording.phrases import Phrases
from mcmulti.domain.millionenspiel.components import MILLION, MOST_GAIN
from mcmulti.domain.millionenspiel.phases import pensions, returning
from mcmulti.domain.millionenspiel.state import Millionenspiel, Play, Round, order

ENOUGH = -(-MILLION // (1 + MOST_GAIN))
"""With this much, a player can have a million after the next move (`end/at-stake`)."""


class StakingBegan(Event, frozen=True):
    """A round began, and the roller has the dice. `idle`: the number of rounds before it in which nobody staked
    anything.
    """

    round: Round
    roller: Seat
    idle: Count

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return replace(
            state,
            phase="staking",
            round=self.round,
            roller=self.roller,
            waiting=order(self.roller, len(state.players)),
            idle=self.idle,
            bought=False,
            staked=False,
            at_stake=(),
            throws=(),
            decider=None,
        )

    def about(self, actor: int | None) -> int | None:
        return self.roller


class PawnBrought(Event, frozen=True):
    """Nobody has any money: the pawn is brought to the arrow (`stake/nobody`)."""

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return replace(state, pawn=0)


class MillionAtStake(Event, frozen=True):
    """These players can have a million after the next move (`end/at-stake`)."""

    seats: Seats

    def evolve(self, state: Millionenspiel) -> Millionenspiel:
        return replace(state, at_stake=self.seats)

    def form(self, say: Phrases) -> Literal["one", "several"]:
        return "one" if len(self.seats) == 1 else "several"


def begin_round(play: Play, roller: int, idle: int) -> None:
    """The roller gets the dice: staking begins (`stake/order`)."""
    play.record(StakingBegan(play.state.round + 1, roller, idle), "stake/order")
    if not any(player.money for player in play.state.players):
        play.record(PawnBrought(), "stake/nobody")
        pensions.pay(play, 1, "stake/nobody")
        returning.exchange_all(play)
    state = play.state
    near = tuple([seat for seat in state.taken if state.players[seat].money >= ENOUGH])  # players who left cannot win
    if near:
        play.record(MillionAtStake(near), "end/at-stake")


def idle_rounds(state: Millionenspiel) -> int:
    """In how many consecutive rounds, up to this finished one, nobody staked anything (`table/standstill`)."""
    return 0 if state.staked else state.idle + 1

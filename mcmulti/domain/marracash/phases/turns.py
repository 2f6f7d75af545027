"""Turns: two actions each, from the second round on; and the end of the game."""

from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count, Seat, Seats
from mcmulti.domain.core.table import reveal_seed
from mcmulti.domain.marracash.components import STANDSTILL
from mcmulti.domain.marracash.phases.moves import can_move
from mcmulti.domain.marracash.phrases import Phrases
from mcmulti.domain.marracash.state import Bazaar, Play

ACTIONS = 2


class TurnStarted(Event, frozen=True):
    """A seat's turn began, the `turn` of this number, in this round, with this many actions."""

    seat: Seat
    turn: Count
    round: Count
    actions: Count

    def evolve(self, state: Bazaar) -> Bazaar:
        quiet, stirred = state.quiet, state.stirred
        if 0 < state.round < self.round:
            quiet, stirred = (0 if stirred else quiet + 1), False
        return replace(
            state,
            seat=self.seat,
            turn=self.turn,
            round=self.round,
            left=self.actions,
            may_move=self.actions == ACTIONS,
            quiet=quiet,
            stirred=stirred,
            last_turns=None if state.last_turns is None else state.last_turns - 1,
        )

    def form(self, say: Phrases) -> Literal["auction", "actions"]:
        return "actions" if self.actions == ACTIONS else "auction"


class ActionsLapsed(Event, frozen=True):
    """A player can neither move nor open an auction: the remaining actions lapse, and the turn ends."""

    seat: Seat
    actions: Count

    def evolve(self, state: Bazaar) -> Bazaar:
        return replace(state, left=state.left - self.actions)

    def form(self, say: Phrases) -> Literal["one", "all"]:
        return "all" if self.actions == ACTIONS else "one"


class LastRoundStarted(Event, frozen=True):
    """Each player has one more turn, and `last` has the last one: the queue is empty, or there was a standstill."""

    turns: Count
    last: Seat
    standstill: bool

    def evolve(self, state: Bazaar) -> Bazaar:
        return replace(state, last_turns=self.turns)

    def form(self, say: Phrases) -> Literal["queue", "standstill"]:
        return "standstill" if self.standstill else "queue"


class BazaarClosed(Event, frozen=True):
    """The game is over; the winners have most cash, or all others have `left` the game."""

    winners: Seats
    left: bool

    def evolve(self, state: Bazaar) -> Bazaar:
        return replace(state, winners=self.winners, decided_by=self.form(None))

    def form(self, say: Phrases | None) -> Literal["one", "shared", "left"]:
        if self.left:
            return "left"
        return "one" if len(self.winners) == 1 else "shared"

    def cash(self, say: Phrases) -> str:
        """Everybody's cash."""
        return say.by_cash()

    def about(self, actor: int | None) -> int | None:
        return None


def to_be_filled(state: Bazaar) -> bool:
    """Whether the player to move must still fill an entrance; never in the last round."""
    return bool(state.queue and state.empty_entrances) and state.last_turns is None


def lapse(play: Play) -> None:
    """Let the rest of a turn lapse if nothing of it can be done (`auction/unable`)."""
    state = play.state
    if state.left and not can_move(state) and state.unable_to_open(state.seat):
        rule = "round/first" if state.round == 1 else "auction/unable"
        play.record(ActionsLapsed(state.seat, state.left), rule)


def start_first(play: Play) -> None:
    """The start player begins: in the first round each puts up one shop (`round/first`)."""
    play.record(TurnStarted(play.state.first, 1, 1, 1), "round/first")


def end_turn(play: Play) -> None:
    """Go on to the next player's turn, the last round, or the end."""
    state = play.state
    players = len(state.cash)
    following = (state.seat + 1) % players
    new_round = following == state.first
    if state.last_turns is None and not state.queue:
        play.record(LastRoundStarted(players, state.seat, False), "end/last-round")
    elif state.last_turns is None and new_round and not state.stirred and state.quiet + 1 >= STANDSTILL:
        play.record(LastRoundStarted(players, state.seat, True), "table/standstill")
    if play.state.last_turns == 0:
        finish(play, "end/winner")
        return
    number = state.round + new_round
    actions, rule = (1, "round/first") if number == 1 else (ACTIONS, "turn/two-actions")
    play.record(TurnStarted(following, state.turn + 1, number, actions), rule)


def finish(play: Play, rule: str) -> None:
    """The player with the most cash wins, out of those who have not left (`end/winner`)."""
    state = play.state
    most = max(state.cash[seat] for seat in state.taken)
    winners = tuple(seat for seat in state.taken if state.cash[seat] == most)
    play.record(BazaarClosed(winners, state.departures.ended == "left"), rule)
    reveal_seed(play)

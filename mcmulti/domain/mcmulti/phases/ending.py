"""Phase 5 and the end of the game: turns passing, declaration, last round, standstill."""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.core.offers import Offer, plain
from mcmulti.domain.core.table import reveal_seed
from mcmulti.domain.mcmulti.commands import DeclareVictory, EndTurn
from mcmulti.domain.mcmulti.components import ECONOMY, STANDSTILL
from mcmulti.domain.mcmulti.phrases import Phrases
from mcmulti.domain.mcmulti.state import Play, State, Turn
from mcmulti.domain.oil import turn
from mcmulti.domain.oil.names import Millions, Quadrants, Seat
from mcmulti.domain.oil.rules import ending as common
from mcmulti.domain.oil.rules.board import left


class TurnBegan(turn.TurnBegan, frozen=True):
    """A quadrant's turn began with its market phase, the ghost's if the seat is None."""

    def evolve(self, state: State) -> State:
        turn = Turn(self.turn, self.quadrant, self.seat)
        last_turns = state.last_turns if state.last_turns is None else state.last_turns[1:]
        return replace(state, phase="market", turn=turn, last_turns=last_turns, still=state.still + 1)

    def form(self, say: Phrases) -> Literal["ghost"] | None:
        return "ghost" if self.seat is None else None


class VictoryDeclared(Event, frozen=True):
    """A player declared victory. The quadrants with a last turn follow in order."""

    seat: Seat
    cash: Millions
    last_turns: Quadrants

    def evolve(self, state: State) -> State:
        return replace(state, declared_by=self.seat, last_turns=self.last_turns)


class GameFinished(common.GameFinished, frozen=True):
    """The game is over. Nobody wins by the target before this."""

    def evolve(self, state: State) -> State:
        return self.finished(state)

    def form(self, say: Phrases) -> Literal["cash", "barrels", "shared", "left"]:
        if self.decided_by == "target":
            raise LookupError("no game of McMulti is decided by a target")
        return self.decided_by


END_TURN = plain("EndTurn", "turn/phases")


def offers_end(state: State, seat: int) -> tuple[Offer, ...]:
    """End the turn, or declare victory with enough cash (`end/declare`)."""
    blocked = None
    if state.declared_by is not None:
        blocked = "declared"
    elif state.players[seat].cash < state.setup.target:
        blocked = "target"
    return (END_TURN, plain("DeclareVictory", "end/declare", blocked))


def begin_turn(play: Play, number: int, quadrant: int) -> None:
    """Begin the next turn, which may be the ghost's (`neighbour/ghost`)."""
    play.record(TurnBegan(number, quadrant, play.state.owners[quadrant]), "turn/phases")


def end_turn(play: Play, seat: int, command: EndTurn, offer: Offer) -> None:
    pass_turn(play)


def declare_victory(play: Play, seat: int, command: DeclareVictory, offer: Offer) -> None:
    state = play.state
    play.record(VictoryDeclared(seat, state.players[seat].cash, last_turns(state, seat)), offer.rule)
    pass_turn(play)


def last_turns(state: State, declarer: int) -> tuple[int, ...]:
    """The quadrants that still have a turn after a declaration, clockwise (`end/last-round`).

    The ghost rolls if it is between players, but the round does not wait for it at its end.
    """
    turns = []
    quadrant = left(state.now.quadrant)
    while quadrant != state.now.quadrant:
        if state.owners[quadrant] != declarer:
            turns.append(quadrant)
        quadrant = left(quadrant)
    if len(state.players) == 2 and state.setup.last_turns == "one":
        return tuple(turns[:1])
    return waited_for(state, turns)


def waited_for(state: State, turns: Sequence[int]) -> tuple[int, ...]:
    """The quadrants that still have a turn, without ghosts at the end."""
    last = len(turns)
    while last and state.owners[turns[last - 1]] is None:
        last -= 1
    return tuple(turns[:last])


def pass_turn(play: Play) -> None:
    """Go on to the next quadrant clockwise. In the last round, which is played out, only to those that still have a
    turn.
    """
    state, turn = play.state, play.state.now
    if state.last_turns is None and common.stands_still(state, STANDSTILL):
        play.record(common.GameStoodStill(STANDSTILL), "table/standstill")
        finish(play)
    elif state.last_turns is None:
        begin_turn(play, turn.number + 1, left(turn.quadrant))
    elif state.last_turns:
        begin_turn(play, turn.number + 1, state.last_turns[0])
    else:
        finish(play)


def finish(play: Play, rule: str = "final/winner") -> None:
    """Make the final sale and the standings, under this rule."""
    common.liquidate(play, ECONOMY["depression"].sell, "final/liquidation")
    play.record(GameFinished(*common.richest(play.state)), rule)
    reveal_seed(play)

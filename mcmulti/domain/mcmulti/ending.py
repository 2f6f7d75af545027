"""Phase 5 and the end of the game: turns passing, declaration, last round, standstill."""

from functools import cache

from mcmulti.domain.core.offers import Offer, plain
from mcmulti.domain.mcmulti.commands import DeclareVictory, EndTurn
from mcmulti.domain.mcmulti.components import ECONOMY, STANDSTILL
from mcmulti.domain.mcmulti.events import GameStoodStill, SeedRevealed, TurnBegan, VictoryDeclared
from mcmulti.domain.mcmulti.play import Play
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.board import left
from mcmulti.domain.oil.ending import settle, stands_still

END_TURN = plain("EndTurn", "turn/phases", "End the turn.")


def offers_end(state: State, seat: int) -> tuple[Offer, ...]:
    """End the turn, with a declaration of victory if there is cash for it (`end/declare`)."""
    target = state.setup.target
    blocked = None
    if state.declared_by is not None:
        blocked = "declared"
    elif state.players[seat].cash < target:
        blocked = "target"
    return _ending(target, blocked)


@cache
def _ending(target: int, blocked: str | None) -> tuple[Offer, ...]:
    sentence = f"Declare victory with {target} or more in cash, and end the turn."
    return (END_TURN, plain("DeclareVictory", "end/declare", sentence, blocked))


def begin_turn(play: Play, number: int, quadrant: int) -> None:
    """The next turn, which the ghost may have too (`neighbour/ghost`)."""
    play.record(TurnBegan(number, quadrant, play.state.owners[quadrant]), "turn/phases")


def end_turn(play: Play, seat: int, command: EndTurn) -> None:
    pass_turn(play)


def declare_victory(play: Play, seat: int, command: DeclareVictory) -> None:
    state = play.state
    play.record(VictoryDeclared(seat, state.players[seat].cash, last_turns(state, seat)), "end/declare")
    pass_turn(play)


def last_turns(state: State, declarer: int) -> tuple[int, ...]:
    """The quadrants that still have a turn, clockwise, after a declaration (`end/last-round`).

    The ghost rolls where it stands between players, but the round does not wait for it at its end.
    """
    turns = []
    quadrant = left(state.now.quadrant)
    while quadrant != state.now.quadrant:
        if state.owners[quadrant] != declarer:
            turns.append(quadrant)
        quadrant = left(quadrant)
    while turns and state.owners[turns[-1]] is None:
        turns.pop()
    return tuple(turns)


def pass_turn(play: Play) -> None:
    """On to the next quadrant clockwise; in the last round, which is played out, to those that still have a turn."""
    state, turn = play.state, play.state.now
    if state.last_turns is None and stands_still(state, STANDSTILL):
        play.record(GameStoodStill(STANDSTILL), "table/standstill")
        _finish(play)
    elif state.last_turns is None:
        begin_turn(play, turn.number + 1, left(turn.quadrant))
    elif state.last_turns:
        begin_turn(play, turn.number + 1, state.last_turns[0])
    else:
        _finish(play)


def _finish(play: Play) -> None:
    settle(play, ECONOMY["depression"].sell, "final/liquidation", "final/winner")
    play.record(SeedRevealed(play.chance.reveal()), "chance/reveal")

"""A turn and its roll, in every game of this family."""

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.event import Event
from mcmulti.domain.core.figures import Count
from mcmulti.domain.oil.names import QuadrantNumber, Seat


class TurnBegan(Event, frozen=True):
    """A quadrant's turn began with its market phase. `turn`: counts the turns of the game, from 1."""

    turn: Count
    quadrant: QuadrantNumber
    seat: Seat | None


class DiceRolled(Event, frozen=True):
    """The production roll."""

    seat: Seat | None
    red: Draw
    black: Draw

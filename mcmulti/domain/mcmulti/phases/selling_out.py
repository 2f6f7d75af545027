"""If the table agreed on it, a player who leaves sells everything, and its quadrants become the ghost's
(`table/sold`).
"""

from msgspec.structs import replace

from mcmulti.domain.core.event import Event
from mcmulti.domain.mcmulti.news.warming import lift_warming
from mcmulti.domain.mcmulti.phases.ending import pass_turn, waited_for
from mcmulti.domain.mcmulti.state import Play, State
from mcmulti.domain.oil.names import Quadrants, Seat
from mcmulti.domain.oil.phrases import Phrases
from mcmulti.domain.oil.rules import ending as common


class HoldingsSold(common.AssetsLiquidated, frozen=True):
    """All assets of a player who left were sold: pieces of each kind, and the proceeds."""


class QuadrantsGivenUp(Event, frozen=True):
    """The quadrants of a player who left belong to the ghost from now on, and are empty."""

    seat: Seat
    quadrants: Quadrants

    def evolve(self, state: State) -> State:
        """The ghost buys nothing, is asked nothing, owes nothing, and no last round waits for it."""
        given_up = replace(
            state,
            owners=tuple(None if owner == self.seat else owner for owner in state.owners),
            purchases=tuple(quadrant for quadrant in state.purchases if quadrant not in self.quadrants),
            still=0,
        )
        turn = state.turn
        if turn is not None:
            dues = tuple(due for due in turn.dues if due.seat != self.seat)
            given_up = replace(
                given_up, turn=replace(turn, seat=None if turn.seat == self.seat else turn.seat, dues=dues)
            )
        if state.last_turns is not None:
            given_up = replace(given_up, last_turns=waited_for(given_up, state.last_turns))
        return given_up

    def places(self, say: Phrases) -> str:
        """The locations of the quadrants."""
        return say.listing([say.quadrant(quadrant) for quadrant in self.quadrants])


def sell_out(play: Play, seat: int) -> None:
    """All assets are sold at the price of the card in force, and the ghost gets the quadrants (`table/sold`).

    The player who left keeps barrels and cash. If it was that player's turn, it continues as the ghost's: before the
    roll the ghost rolls, unless the game ends with this turn; in the asset phase the turn ends.
    """
    common.sell_all(play, seat, play.state.card.sell, "table/sold", HoldingsSold)
    play.record(QuadrantsGivenUp(seat, play.state.quadrants_of(seat)), "table/sold")
    lift_warming(play)
    state = play.state
    over = state.phase == "market" and state.last_turns == ()
    if state.turn is not None and state.turn.seat is None and (state.phase == "assets" or over):
        pass_turn(play)

"""What a sheet would lead to if it were its player's turn now (`postal/forecast`)."""

from msgspec.structs import replace

from mcmulti.domain.core.chance import WithheldChance
from mcmulti.domain.core.course.course import Decision
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.tuples import put
from mcmulti.domain.postal.refereeing.play import Play
from mcmulti.domain.postal.refereeing.refereeing import begin_turn, deal
from mcmulti.domain.postal.refusals import not_waiting, too_large
from mcmulti.domain.postal.sheets.sheet import OrderSheet
from mcmulti.domain.postal.state import State


def forecast(state: State, seat: int, sheet: OrderSheet) -> Decision[State] | Rejection:
    """Apply phases 1 and 2 of the sheet to the current state, without dice or other players' turns.

    It does not depend on other sheets, so it reveals nothing that is sealed. Rejected if the game is not waiting for
    sheets, or the sheet is too large.
    """
    rejection = not_waiting(state) or too_large(sheet)
    if rejection:
        return rejection
    play = Play(replace(state, sheets=put(state.sheets, seat, sheet)), WithheldChance(), state.draws)
    begin_turn(play, seat)
    deal(play, seat, sheet)
    return Decision(play.facts, play.state)

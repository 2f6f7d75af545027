"""Refusals of commands and sheets that offers cannot explain well enough."""

from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.postal.limits import LIMITS
from mcmulti.domain.postal.sheets.sheet import LIMIT_CODES, OrderSheet, first_excess
from mcmulti.domain.postal.state import State


def refused(code: str) -> Rejection:
    """The refusal of a code, with its rule."""
    return LIMITS[code].rejection()


def not_waiting(state: State) -> Rejection | None:
    """Why no sheets are accepted: the game has not started, or is over."""
    if state.phase == "orders":
        return None
    return refused("not_started" if state.phase == "seating" else "game_over")


def too_large(sheet: OrderSheet) -> Rejection | None:
    """The first line of a sheet that exceeds its limits (`postal/sheet`); None if none does."""
    excess = first_excess(sheet)
    if excess is None:
        return None
    limit, most = LIMITS[excess.code], LIMIT_CODES[excess.code]
    return Rejection(limit.code, limit.rule, "sheet", most, excess.line)

"""Why a command or a sheet is refused where no offer says it well enough."""

from mcmulti.domain.offers import Rejection
from mcmulti.domain.postal.limits import LIMITS
from mcmulti.domain.postal.sheet import LIMIT_CODES, OrderSheet, walk
from mcmulti.domain.postal.state import State


def refused(code: str) -> Rejection:
    """The refusal of a code, with its rule and sentence."""
    limit = LIMITS[code]
    return Rejection(limit.code, limit.rule, limit.sentence)


def not_waiting(state: State) -> Rejection | None:
    """Why no sheets are taken: the game has not started, or is over."""
    if state.phase == "orders":
        return None
    return refused("not_started" if state.phase == "seating" else "game_over")


def too_large(sheet: OrderSheet) -> Rejection | None:
    """Which line of a sheet is beyond its limits (`postal/sheet`); None if none is."""
    for number, place in enumerate(walk(sheet), start=1):
        sizes = {"sheet_lines": place.line, "sheet_depth": place.depth, "sheet_nodes": number}
        code = next((code for code, most in LIMIT_CODES.items() if sizes[code] > most), None)
        if code:
            limit, most = LIMITS[code], LIMIT_CODES[code]
            detail = f"Line {place.line}: {limit.sentence} At most {most}."
            return Rejection(limit.code, limit.rule, detail, "sheet", most)
    return None

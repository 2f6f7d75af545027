"""Every limit that an offer or a skipped line can name, with its rule, and refusals that name the line of a sheet."""

from mcmulti.domain.core import every_table
from mcmulti.domain.core.offers import Limit, Rejection, by_code
from mcmulti.domain.postal.sheets.sheet import LIMIT_CODES, OrderSheet, first_excess
from mcmulti.domain.postal.state import State

DEADLINE_PASSED = Limit("deadline_passed", "postal/deadline")
"""Only the server knows the time: it refuses commands that come too late."""

LIMITS = by_code(
    *every_table.LIMITS,
    # Turn order
    Limit("game_over", "postal/target"),
    # The table
    Limit("too_few_players", "table/start"),
    # Sheets
    Limit("sheet_lines", "postal/sheet"),
    Limit("sheet_depth", "postal/sheet"),
    Limit("sheet_nodes", "postal/sheet"),
    Limit("held", "postal/orders"),
    Limit("not_held", "postal/orders"),
    Limit("other_round", "postal/orders"),
    Limit("no_sheet", "postal/orders"),
    Limit("this_round_first", "postal/later"),
    Limit("no_standing", "postal/standing"),
    DEADLINE_PASSED,
    Limit("not_for_seats", "postal/deadline"),
    # Why a line is skipped or curtailed
    Limit("nothing_there", "postal/phase-1"),
    Limit("not_hit", "postal/phase-1"),
    Limit("not_struck", "postal/phase-1"),
    Limit("cash", "postal/phase-1"),
    Limit("site", "site/one-asset"),
    Limit("block", "site/refinery"),
    Limit("other_market", "postal/phase-2"),
    Limit("market_empty", "postal/markets"),
    Limit("market_full", "postal/markets"),
    Limit("barrels", "postal/phase-2"),
    Limit("keep_cash", "postal/sheet"),
    Limit("keep_barrels", "postal/sheet"),
    Limit("price_above", "postal/sheet"),
    Limit("price_below", "postal/sheet"),
)


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

"""Every limit that an offer or a skipped line can name, with its rule and the sentence for people."""

from mcmulti.domain.core import table
from mcmulti.domain.core.offers import Limit

DEADLINE_PASSED = Limit("deadline_passed", "postal/deadline", "The deadline of the round has passed.")
"""Only the server knows the time: it refuses what comes too late."""

_ALL = (
    *table.LIMITS,
    # Whose move it is
    Limit("game_over", "postal/target", "The game is over."),
    # The table
    Limit("too_few_players", "table/start", "Four players are needed."),
    # Sheets
    Limit("sheet_lines", "postal/sheet", "The sheet has too many lines."),
    Limit("sheet_depth", "postal/sheet", "The sheet goes too deep: conditions or branches within one another."),
    Limit("sheet_nodes", "postal/sheet", "The sheet has too many lines and conditions."),
    Limit("hold", "postal/orders", "You hold the round already, or you do not hold it."),
    Limit("other_round", "postal/orders", "It names another round than the one that waits for orders."),
    Limit("no_sheet", "postal/orders", "You have sent no sheet for this round, or took it back."),
    DEADLINE_PASSED,
    Limit("not_for_seats", "postal/deadline", "The referee closes the round; no seat can."),
    # Why a line is skipped or curtailed
    Limit("nothing_there", "postal/phase-1", "No asset of this kind stands there."),
    Limit("not_hit", "postal/phase-1", "The asset was not hit by the player's own last roll."),
    Limit("not_struck", "postal/phase-1", "No rig had a double hit there by the player's own last roll."),
    Limit("cash", "postal/phase-1", "There is not enough cash for it, and there is no credit."),
    Limit("site", "site/one-asset", "Something stands there."),
    Limit("block", "site/refinery", "This is not the top-left site of a free block of two by two."),
    Limit("other_market", "postal/phase-2", "The player deals on the other market in this turn."),
    Limit("market_empty", "postal/markets", "The market has no barrel left to buy."),
    Limit("market_full", "postal/markets", "The market takes no more barrels."),
    Limit("barrels", "postal/phase-2", "There are not that many barrels to sell."),
    Limit("price_above", "postal/sheet", "The price is above the highest one to pay."),
    Limit("price_below", "postal/sheet", "The price is below the lowest one to take."),
)

LIMITS: dict[str, Limit] = {limit.code: limit for limit in _ALL}

"""Every limit that an offer can name, with its rule and the sentence a refused command gets."""

from mcmulti.domain.core import table
from mcmulti.domain.core.offers import Limit

_ALL = (
    *table.LIMITS,
    # Whose move it is
    Limit("game_over", "final/winner", "The game is over."),
    Limit("out_of_turn", "turn/phases", "It is not your move."),
    Limit("out_of_phase", "turn/phases", "This is not done in the phase that is played now."),
    # The table
    Limit("seats_empty", "table/start", "There are empty seats, and the table was not opened for fewer players."),
    Limit("too_few_players", "setup/seats", "At least two players are needed."),
    Limit("first_seat_unknown", "setup/first-player", "The first seat is not one of the table's seats."),
    # Money and barrels
    Limit("cash", "purchase/cash-only", "There is not enough cash for it, and there is no credit."),
    Limit("crude", "production/refinery", "You do not have that many barrels of crude."),
    Limit("gasoline", "production/station", "You do not have that many barrels of gasoline."),
    Limit("barrels", "market/sell", "You do not have that many barrels to sell."),
    Limit("market_empty", "market/buy", "The market does not hold that many barrels."),
    Limit("market_full", "market/sell", "The market does not have that many free fields."),
    Limit("other_market", "market/one-per-turn", "You deal on the other market in this turn."),
    Limit("foreign_closed", "news/foreign-embargo", "The foreign market is closed by the embargo."),
    Limit("domestic_closed", "news/domestic-price-freeze", "The domestic market is closed by the price freeze."),
    # Production
    Limit("hits", "production/hit", "The dice do not hit enough assets for that."),
    Limit("idle", "news/global-warming-threat", "Refineries that the dice hit stand idle until they are cleaned up."),
    Limit(
        "fresh",
        "neighbour/two-players",
        "What you pumped or refined in this turn is neither refined nor sold in the same turn.",
    ),
    Limit("consumer_floor", "consumer/sale", "The consumer price would fall below 1."),
    Limit("not_crossed", "production/rig", "Only a rig of yours that both dice hit may become a well."),
    Limit("neighbour", "neighbour/single-hits", "Neighbours never strike oil."),
    Limit("step_passed", "production/order", "This kind of asset had its turn: the order is fixed."),
    # Assets
    Limit("site", "site/one-asset", "This is not a free site of the quadrant that buys."),
    Limit(
        "block",
        "site/refinery",
        "This is not the top-left site of a free block of two by two in the quadrant that buys.",
    ),
    Limit("quadrant_full", "site/one-asset", "The quadrant has no free site."),
    Limit("no_block", "site/refinery", "The quadrant has no free block of two by two sites."),
    Limit(
        "not_productive",
        "assets/sell",
        "No asset of this kind stands there that this turn's roll made productive.",
    ),
    Limit("not_forced", "forced/sale", "The news does not allow this asset to be sold."),
    Limit("not_idle", "news/global-warming-threat", "No idle refinery of yours stands there."),
    # The end
    Limit("target", "end/declare", "There is not enough cash to declare victory."),
    Limit("declared", "end/last-round", "Victory is declared already; this is the last round."),
)

LIMITS: dict[str, Limit] = {limit.code: limit for limit in _ALL}

"""Every limit that an offer can name, with its rule."""

from mcmulti.domain.core.offers import Limit, by_code

LIMITS = by_code(
    # Turn order
    Limit("game_over", "final/winner"),
    Limit("out_of_turn", "turn/phases"),
    Limit("out_of_phase", "turn/phases"),
    # The table
    Limit("too_few_players", "setup/seats"),
    Limit("first_seat_unknown", "setup/first-player"),
    Limit("track_falls", "consumer/red-fields"),
    Limit("track_start", "consumer/start"),
    Limit("track_red", "consumer/red-fields"),
    # Money and barrels
    Limit("cash", "purchase/cash-only"),
    Limit("crude", "production/refinery"),
    Limit("gasoline", "production/station"),
    Limit("barrels", "market/sell"),
    Limit("market_empty", "market/buy"),
    Limit("market_full", "market/sell"),
    Limit("other_market", "market/one-per-turn"),
    Limit("foreign_closed", "news/foreign-embargo"),
    Limit("domestic_closed", "news/domestic-price-freeze"),
    # Production
    Limit("hits", "production/hit"),
    Limit("idle", "news/global-warming-threat"),
    Limit("fresh", "neighbour/two-players"),
    Limit("consumer_floor", "consumer/sale"),
    Limit("not_crossed", "production/rig"),
    Limit("neighbour", "neighbour/single-hits"),
    Limit("step_passed", "production/order"),
    # Assets
    Limit("site", "site/one-asset"),
    Limit("block", "site/refinery"),
    Limit("quadrant_full", "site/one-asset"),
    Limit("no_block", "site/refinery"),
    Limit("not_productive", "assets/sell"),
    Limit("not_forced", "forced/sale"),
    Limit("not_idle", "news/global-warming-threat"),
    # The end
    Limit("target", "end/declare"),
    Limit("declared", "end/last-round"),
)

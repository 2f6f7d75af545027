"""Every limit that an offer can name, with its rule."""

from mcmulti.domain.core.offers import Limit

LIMITS = {
    limit.code: limit
    for limit in (
        Limit("too_few_players", "table/start"),
        Limit("game_over", "end/million"),
        Limit("out_of_turn", "stake/order"),
        Limit("out_of_phase", "stake/order"),
        Limit("purse", "stake/pieces"),
        Limit("exact_price", "pension/buy"),
        Limit("one_card", "pension/buy"),
        Limit("best_pension", "pension/buy"),
    )
}

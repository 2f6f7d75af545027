"""Every limit that an offer can name, with its rule and the sentence a refused command gets."""

from mcmulti.domain.core import table
from mcmulti.domain.core.offers import Limit

LIMITS = {
    limit.code: limit
    for limit in (
        *table.LIMITS,
        Limit("too_few_players", "table/start", "Not all seats are taken."),
        Limit("game_over", "end/million", "The game is over."),
        Limit("out_of_turn", "stake/order", "It is not your move."),
        Limit("out_of_phase", "stake/order", "This is not done now."),
        Limit("purse", "stake/pieces", "You do not have that many pieces of this kind."),
        Limit("exact_price", "pension/buy", "A card is paid exactly, with your own pieces: nothing is changed."),
        Limit("one_card", "pension/buy", "One card may be bought before a stake."),
        Limit("best_pension", "pension/buy", "You have the best card there is."),
    )
}

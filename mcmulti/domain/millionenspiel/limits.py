"""Every limit that an offer can name, with its rule and the sentence a refused command gets."""

from mcmulti.domain.core.offers import ONE_DRAW, OUT_OF_RANGE, Limit

LIMITS = {
    limit.code: limit
    for limit in (
        OUT_OF_RANGE,
        ONE_DRAW,
        Limit("no_seat", "table/join", "You do not sit at this table."),
        Limit("seat_taken", "table/join", "There is no free seat of this number."),
        Limit("table_full", "table/join", "Every seat is taken."),
        Limit("already_seated", "table/join", "You sit at this table already."),
        Limit("too_few_players", "table/start", "Not all seats are taken."),
        Limit("not_started", "table/start", "The game has not started."),
        Limit("game_started", "table/start", "The game has started."),
        Limit("game_over", "end/million", "The game is over."),
        Limit("out_of_turn", "stake/order", "It is not your move."),
        Limit("out_of_phase", "stake/order", "This is not done now."),
        Limit("purse", "stake/pieces", "You do not have that many pieces of this kind."),
        Limit("exact_price", "pension/buy", "A card is paid exactly, with your own pieces: nothing is changed."),
        Limit("one_card", "pension/buy", "One card may be bought before a stake."),
        Limit("best_pension", "pension/buy", "You have the best card there is."),
    )
}

"""Every limit that an offer can name, with its rule."""

from mcmulti.domain.core.offers import Limit
from mcmulti.domain.marracash.phases import ceilings

_ALL = (
    # Turn order
    Limit("game_over", "end/winner"),
    Limit("out_of_turn", "turn/two-actions"),
    Limit("out_of_phase", "turn/two-actions"),
    # The table
    Limit("too_few_players", "setup/seats"),
    # Auctions
    Limit("cash", "auction/bids"),
    Limit("signs", "auction/signs"),
    Limit("sold", "auction/offer"),
    *ceilings.LIMITS,
    # Moves
    Limit("first_round", "round/first"),
    Limit("after_auction", "turn/two-actions"),
    Limit("no_group", "move/group"),
    Limit("no_street", "move/group"),
    # Entrances
    Limit("entrance_taken", "entrance/refill"),
    Limit("queue", "entrance/refill"),
    Limit("row", "entrance/refill"),
)

LIMITS: dict[str, Limit] = {limit.code: limit for limit in _ALL}

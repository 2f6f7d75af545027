"""The consumers' price track: that of the components, or the one that a table agreed on."""

from functools import lru_cache

from mcmulti.domain.mcmulti.components import CONSUMER_PRICES, RED_FIELDS
from mcmulti.domain.mcmulti.setup import ConsumerTrack


def prices_of(track: ConsumerTrack | None) -> tuple[int, ...]:
    """The prices of all fields, from the lowest, in millions of dollars; None for the track of the components."""
    return CONSUMER_PRICES if track is None else track.prices or CONSUMER_PRICES


def red_fields_of(track: ConsumerTrack | None) -> tuple[int, ...]:
    """The prices of the red fields, from the lowest, in millions of dollars (`consumer/red-fields`)."""
    return RED_FIELDS if track is None else track.red_fields


@lru_cache(maxsize=1024)
def sale_prices(track: ConsumerTrack | None, price: int) -> tuple[int, ...]:
    """What each further barrel brings if the cheapest of the consumers' barrels is at `price` (`consumer/sale`).

    Each is placed one field below the cheapest; none below the lowest.
    """
    return tuple(field for field in reversed(prices_of(track)) if field < price)


@lru_cache(maxsize=1024)
def next_sale(track: ConsumerTrack | None, price: int) -> int | None:
    """What the next barrel brings if the consumers' cheapest is at `price`; None if none can be sold."""
    prices = sale_prices(track, price)
    return prices[0] if prices else None


def by_red_fields(track: ConsumerTrack | None, price: int, steps: int) -> int:
    """The price this many red fields above (below if negative), at most the last one (`consumer/red-fields`)."""
    red = red_fields_of(track)
    if steps > 0:
        above = [field for field in red if field > price]
        return above[min(steps, len(above)) - 1] if above else price
    below = [field for field in reversed(red) if field < price]
    return below[min(-steps, len(below)) - 1] if steps and below else price

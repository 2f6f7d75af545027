"""The consumer market's price track."""

from mcmulti.domain.mcmulti.components import RED_FIELDS


def by_red_fields(price: int, steps: int) -> int:
    """The price that many red fields above (below when negative), at most the last one (`consumer/red-fields`)."""
    if steps > 0:
        above = [field for field in RED_FIELDS if field > price]
        return above[min(steps, len(above)) - 1] if above else price
    below = [field for field in reversed(RED_FIELDS) if field < price]
    return below[min(-steps, len(below)) - 1] if steps and below else price

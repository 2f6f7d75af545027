"""A market's track for a good: price fields at equal steps, of which the cheapest are free.

The price of field n, from below, is n times the step. Buying takes the cheapest barrel, selling fills the most
expensive free field, so the number of free fields says everything.
"""

from functools import cache
from itertools import accumulate

from msgspec import Struct

from mcmulti.domain.oil.names import Good


class Market(Struct, frozen=True, gc=False):
    """How many fields of each good are free, always the cheapest ones."""

    crude: int = 0
    gasoline: int = 0

    def free(self, good: Good) -> int:
        """The free fields of a good."""
        return self.crude if good == "crude" else self.gasoline

    def freed(self, good: Good, fields: int) -> "Market":
        """The market after this many fields of a good became free (were filled, if negative)."""
        if good == "crude":
            return Market(self.crude + fields, self.gasoline)
        return Market(self.crude, self.gasoline + fields)


@cache
def prices_to_buy(step: int, fields: int, free: int) -> tuple[int, ...]:
    """The price of each barrel on a track of `fields`, in millions of dollars, cheapest first."""
    return tuple(step * field for field in range(free + 1, fields + 1))


@cache
def prices_to_sell(step: int, free: int) -> tuple[int, ...]:
    """The price of each free field of a track, in millions of dollars, most expensive first."""
    return tuple(step * field for field in range(free, 0, -1))


@cache
def sums_to_buy(step: int, fields: int, free: int) -> tuple[int, ...]:
    """The price of one barrel, two barrels, three ..."""
    return tuple(accumulate(prices_to_buy(step, fields, free)))

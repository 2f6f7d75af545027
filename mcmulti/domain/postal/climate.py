"""The economic climate, and what it does to the consumer price."""

from bisect import bisect_right

from mcmulti.domain.postal.components import CLIMATES, KEY_STEPS
from mcmulti.domain.postal.events import ClimateChanged
from mcmulti.domain.postal.play import Play


def raised(price: int, steps: int) -> int:
    """The price that many key steps above, not counting one it stands on; at most the highest (`postal/demand`)."""
    above = KEY_STEPS[bisect_right(KEY_STEPS, price) :]
    return above[min(steps, len(above)) - 1] if above else price


def change_climate(play: Play, double: int) -> None:
    """The double names the next climate, whose demand raises the consumer price (`postal/climate`)."""
    before, price = play.state.economy, play.state.consumer_price
    after = CLIMATES[before].next[double - 1]
    changed = ClimateChanged(double, before, after, price, raised(price, CLIMATES[after].demand))
    play.record(changed, "postal/climate")

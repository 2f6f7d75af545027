"""The magnate among tycoons."""

from mcmulti.bots.strategies.magnate.magnate import Magnate
from mcmulti.bots.strategies.tycoon import tycoon
from tests.bots.table import play


def test_a_magnate_beats_tycoons_with_the_same_dice() -> None:
    """Two and two at each table, each pair of games with the sides swapped: half of the victories would be par."""
    won = 0.0
    for seed in range(4):
        for first in (0, 1):
            mind = Magnate(seed, float("inf"), samples=2)
            strategies = [mind if (seat + first) % 2 == 0 else tycoon for seat in range(4)]
            winners = play(strategies, seed).state.winners
            won += sum(strategies[seat] is mind for seat in winners) / len(winners)
    assert won >= 5

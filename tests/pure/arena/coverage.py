"""How often intervals contain the true figure, measured by playing many arenas with known true figures."""

from collections.abc import Callable
from functools import cache
from math import inf, log10
from random import Random

from mcmulti.arena.play import ArenaGame
from mcmulti.arena.ratings import Rated, standings

NEAR = {0.5: 0.08, 0.76: 0.08, 0.95: 0.045, 1.0: 0.0}
"""Win rates, and how far the true ones lie around them.

A few matches have few possible results, so no interval covers 95 % at a single win rate: its coverage jumps by some
points from one rate to the next.
"""


def coverage(games: int, common: float, matches: int, rate: float, arenas: int) -> tuple[float, float]:
    """How often the intervals of the shares and of the ratings of two strategies contain the true ones.

    In a part of the matches of N games, the dice let all games end alike.
    """
    random, shares, ratings = Random(f"{games} {common} {matches} {rate}"), 0, 0
    rated = _rated(games)
    for _ in range(arenas):
        true = rate + random.uniform(-NEAR[rate], NEAR[rate])
        won = tuple(sorted(_match(random, games, common, true) for _ in range(matches)))
        lead = 400 * log10(true / (1 - true)) if true < 1 else inf
        for standing in rated(won):
            share, rating = (true, lead / 2) if standing.entrant == 0 else (1 - true, -lead / 2)
            low, high = standing.rating.low, standing.rating.high
            shares += standing.share.low - 1e-9 <= share <= standing.share.high + 1e-9
            ratings += (low is None or low <= rating) and (high is None or rating <= high)
    return shares / arenas / 2, ratings / arenas / 2


def _match(random: Random, games: int, common: float, true: float) -> int:
    lucky = random.random() < true
    return sum(lucky if random.random() < common else random.random() < true for _ in range(games))


@cache
def _rated(games: int) -> Callable[[tuple[int, ...]], tuple[Rated, ...]]:
    """The standings after matches of this many games. Equal arenas are rated once."""

    @cache
    def rated(matches: tuple[int, ...]) -> tuple[Rated, ...]:
        results = [
            ArenaGame(n * games + game, n, (0, 1), (0,) if game < won else (1,), (), "cash", 9, ())
            for n, won in enumerate(matches)
            for game in range(games)
        ]
        return standings(results, 2)

    return rated

"""Whether two strategies have played enough: Wald's sequential probability ratio test, as used for chess engines.

Two claims are compared: that the first is better than the second by the lower, or by the higher number of rating
points. After each match the results favor one of them by the logarithm of a likelihood ratio. Beyond a bound the other
claim is rejected. Each is wrongly rejected in at most 5% of contests. Matches are the unit, since their games have the
same dice: their results are assumed to be normal, with the observed variance.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import Literal

from msgspec import Struct

from mcmulti.arena.play import ArenaGame

ERROR = 0.05
"""The probability of wrongly rejecting each claim, at most."""
_BOUND = log((1 - ERROR) / ERROR)
FEWEST = 10
"""Nothing is decided before this many matches: fewer do not show their variance."""


class SprtResult(Struct, frozen=True):
    """What the matches so far say about the first strategy's lead in rating: `low` or `high` points.

    `ratio`: the logarithm of the likelihood ratio, positive for `high`. `decided`: which claim holds; None if not known
    yet. `matches`: how many were counted.
    """

    low: float
    high: float
    ratio: float
    decided: Literal["low", "high"] | None
    matches: int


class SequentialTest:
    """The test of a contest of two. Games may come in any order; matches are counted in order, when they are complete.

    `sizes`: the games of each match, in order; `low`, `high`: the claims, in points of rating.
    """

    def __init__(self, sizes: Mapping[int, int], low: float, high: float) -> None:
        self._sizes, self._order = sizes, list(sizes)
        self._low, self._high = low, high
        self._waiting: dict[int, list[ArenaGame]] = {}
        self._evidence = self._sum = self._squares = 0.0
        self._matches, self._counted = 0, set[int]()
        self.result = SprtResult(low, high, 0.0, None, 0)

    def add(self, game: ArenaGame) -> None:
        """Count a game. Nothing more is counted once the test is decided."""
        self._waiting.setdefault(game.match, []).append(game)
        while self.result.decided is None and self._matches < len(self._order):
            following = self._order[self._matches]
            games = self._waiting.get(following, ())
            if len(games) < self._sizes[following]:
                return
            self._count(sorted(self._waiting.pop(following), key=lambda each: each.number))

    def counted(self, game: ArenaGame) -> bool:
        """Whether a game belongs to a match that was counted."""
        return game.match in self._counted

    def _count(self, games: Sequence[ArenaGame]) -> None:
        low, high = (sum(_expected(game, lead) for game in games) / len(games) for lead in (self._low, self._high))
        won = sum(_won(game) for game in games) / len(games)
        surplus = won - (low + high) / 2
        self._matches += 1
        self._counted.add(games[0].match)
        self._evidence += (high - low) * surplus
        self._sum += surplus
        self._squares += surplus**2
        count, mean = self._matches, self._sum / self._matches
        # One imagined match, half won and half lost, keeps identical matches from looking certain.
        spread = (max(0.0, self._squares - count * mean**2) + 0.5) / (count + 1)
        ratio = self._evidence / spread
        decided: Literal["low", "high"] | None = None
        if count >= FEWEST and abs(ratio) >= _BOUND:
            decided = "high" if ratio > 0 else "low"
        self.result = SprtResult(self._low, self._high, ratio, decided, count)


def _expected(game: ArenaGame, lead: float) -> float:
    """The first strategy's probability of winning a game with this lead."""
    strength = 10 ** (lead / 400) * game.seats.count(0)
    return strength / (strength + game.seats.count(1))


def _won(game: ArenaGame) -> float:
    """The first strategy's part of the victory."""
    return sum(game.seats[winner] == 0 for winner in game.winners) / len(game.winners) if game.winners else 0.0

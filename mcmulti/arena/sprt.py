"""Whether two strategies have played enough: Wald's sequential probability ratio test, as chess engines are tested.

Two claims are weighed against each other: that the first is better than the second by so many points of rating, the
lower or the higher number. After each match the results speak for one of them by the logarithm of a likelihood ratio;
beyond a bound the other claim is given up. Each is wrongly given up 5 times of 100 at most. Matches count, as their
games have the same dice: their results are taken as normal, with the spread that they show.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import Literal

from msgspec import Struct

from mcmulti.arena.play import ArenaGame

ERROR = 0.05
"""How often each claim is wrongly given up, at most."""
_BOUND = log((1 - ERROR) / ERROR)
FEWEST = 10
"""Matches before which nothing is decided: fewer do not show how they spread."""


class SprtResult(Struct, frozen=True):
    """What the matches so far say of the first strategy's lead in rating: `low` or `high` points.

    `ratio`: the logarithm of the likelihood ratio, positive for `high`. `decided`: which claim holds; None before that
    is known. `matches`: how many were counted.
    """

    low: float
    high: float
    ratio: float
    decided: Literal["low", "high"] | None
    matches: int


class SequentialTest:
    """The test of a contest of two. Games may come in any order; matches are counted in theirs, once they are whole.

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
        """Count a game; nothing more is counted once the test is decided."""
        self._waiting.setdefault(game.match, []).append(game)
        while self.result.decided is None and self._matches < len(self._order):
            following = self._order[self._matches]
            games = self._waiting.get(following, ())
            if len(games) < self._sizes[following]:
                return
            self._count(sorted(self._waiting.pop(following), key=lambda each: each.number))

    def counted(self, game: ArenaGame) -> bool:
        """Whether a game is of a match that was counted."""
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
        # One imagined match, half won and half lost, keeps matches that all went alike from looking certain.
        spread = (max(0.0, self._squares - count * mean**2) + 0.5) / (count + 1)
        ratio = self._evidence / spread
        decided: Literal["low", "high"] | None = None
        if count >= FEWEST and abs(ratio) >= _BOUND:
            decided = "high" if ratio > 0 else "low"
        self.result = SprtResult(self._low, self._high, ratio, decided, count)


def _expected(game: ArenaGame, lead: float) -> float:
    """The first strategy's chance to win a game under a lead of so many points."""
    strength = 10 ** (lead / 400) * game.seats.count(0)
    return strength / (strength + game.seats.count(1))


def _won(game: ArenaGame) -> float:
    """The first strategy's part of the victory."""
    return sum(game.seats[winner] == 0 for winner in game.winners) / len(game.winners) if game.winners else 0.0

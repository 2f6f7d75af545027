"""Duplicate scoring: what strategies made of the same seat with the same dice, compared with each other.

In a match, every strategy gets every seat once, with the same dice. On each seat, each strategy is compared with every
other one that had it: a better result is a point, an equal one half a point. A larger part of the victory is the better
result; if it is equal, more money at the end; a seat that was given up is the worst. Luck that belongs to the
seat and the dice is the same on both sides of every comparison, and games that both won or lost count, too.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

from msgspec import Struct

from mcmulti.arena.play import ArenaGame
from mcmulti.arena.scores.intervals import Won, WonShare, share
from mcmulti.projections.comparison import SeatResult, compared, seat_result


class DuplicateScore(Struct, frozen=True):
    """The score of an entrant, by its number from 0: how many comparisons there were, and the share of their points.

    Equal strategies have a share of 0.5. `share` is that without comparisons, too, and its interval everything.
    """

    entrant: int
    comparisons: int
    share: WonShare


def duplicate_scores(results: Sequence[ArenaGame], entrants: int, seed: int = 0) -> tuple[DuplicateScore, ...]:
    """The score of every entrant, the best first. `seed` determines the samples for intervals."""
    random, matches = Random(seed), _matches(results)
    found = []
    for entrant in range(entrants):
        won: Counter[Won] = Counter()
        for match in matches:
            points, comparisons = match.get(entrant, (0.0, 0))
            if comparisons:
                won[Won(points, comparisons, comparisons)] += 1
        total = sum(each.games * count for each, count in won.items())
        found.append(DuplicateScore(entrant, total, share(dict(won), random) if won else WonShare(0.5, 0.0, 1.0)))
    return tuple(sorted(found, key=lambda score: (-score.share.value, score.entrant)))


def _matches(results: Sequence[ArenaGame]) -> list[dict[int, tuple[float, int]]]:
    """Points and comparisons in every match, by entrant. The order of the games makes no difference."""
    held: defaultdict[int, defaultdict[int, list[tuple[int, SeatResult]]]] = defaultdict(lambda: defaultdict(list))
    for result in sorted(results, key=lambda result: result.number):
        for seat, entrant in enumerate(result.seats):
            held[result.match][seat].append((entrant, seat_result(seat, result.winners, result.left, result.money)))
    found = []
    for _, seats in sorted(held.items()):
        scores: dict[int, tuple[float, int]] = {}
        for entrant, points in (each for seat in sorted(seats) for each in compared(seats[seat])):
            before, comparisons = scores.get(entrant, (0.0, 0))
            scores[entrant] = before + points, comparisons + 1
        found.append(scores)
    return found

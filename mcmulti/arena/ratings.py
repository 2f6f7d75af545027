"""How good strategies are, by their games: shares of victories and ratings, each with an interval.

What is independent of each other is matches, not games: games of a match have the same dice. So intervals are taken
from how matches differ, which is little where the same strategies win whatever the dice.

Ratings are those of the Luce model: who of a table wins has the chance of its strength among the strengths of all who
sit there; a shared victory counts for each in part. Strengths are those that make all results likeliest, with one more
game that all strategies play and share, so that who never lost has a rating too. They are told as in chess: 400 points
more are ten times the strength, and the mean is 0. It does not matter in which order games were played.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log10, sqrt
from random import Random
from statistics import NormalDist

from msgspec import Struct

from mcmulti.arena.play import ArenaGame

SAMPLES = 400
"""Bootstrap samples that an interval of ratings is taken from."""
_Z = NormalDist().inv_cdf(0.975)
_STEPS = 20_000
_SAME = 1e-9
"""Relative change of strengths after which they are found."""


class Interval(Struct, frozen=True):
    """A figure, and between which ones the true one lies, 95 times of 100."""

    value: float
    low: float
    high: float


class Rated(Struct, frozen=True):
    """What came of an entrant's games. `entrant`: its number, from 0. `games`: seats that it played, more than one of
    a game among them. `victories`: alone or shared, each counted in part where it was shared. `failed`: seats that it
    left because it could not go on.
    """

    entrant: int
    games: int
    victories: float
    failed: int
    share: Interval
    rating: Interval


class _Match(Struct, frozen=True):
    """What counts of a match: tables, by who sat there; victories and seats, by entrant."""

    tables: Mapping[tuple[int, ...], int]
    victories: Mapping[int, float]
    seats: Mapping[int, int]


def standings(results: Sequence[ArenaGame], entrants: int, seed: int = 0) -> tuple[Rated, ...]:
    """The standing of every entrant, the best rated first. `seed` fixes the bootstrap samples."""
    matches = _matches(results)
    points = ratings(matches, entrants)
    random = Random(seed)
    ordered = [matches[number] for number in sorted(matches)]
    sampled = []
    for _ in range(SAMPLES if len(ordered) > 1 else 0):
        drawn = random.choices(ordered, k=len(ordered))
        sampled.append(_rated(_joined(drawn), entrants, start=points, same=1e-5))
    found = []
    for entrant in range(entrants):
        rated = sorted(sample[entrant] for sample in sampled) or [points[entrant]]
        left = sum(seat in result.left for result in results for seat in _seats(result, entrant))
        played = [
            (match.victories.get(entrant, 0.0), match.seats[entrant]) for match in ordered if entrant in match.seats
        ]
        found.append(
            Rated(
                entrant,
                sum(seats for _, seats in played),
                sum(won for won, _ in played),
                left,
                share(played),
                Interval(points[entrant], _quantile(rated, 0.025), _quantile(rated, 0.975)),
            )
        )
    return tuple(sorted(found, key=lambda standing: (-standing.rating.value, standing.entrant)))


def share(matches: Sequence[tuple[float, int]]) -> Interval:
    """The share of victories in seats, from both of every match: Wilson's interval (JASA 22, 1927).

    Instead of the number of games it takes that of independent ones which would vary as much as the matches do.
    """
    count, seats = len(matches), sum(seats for _, seats in matches)
    if not seats:
        return Interval(0.0, 0.0, 1.0)
    value = min(1.0, sum(won for won, _ in matches) / seats)
    worth, z = float(count), _Z
    if count > 1:
        spread = count / (count - 1) * sum((won - value * played) ** 2 for won, played in matches) / seats**2
        if spread > 1e-12:
            worth = value * (1 - value) / spread
            z += (z**3 + z) / (4 * (count - 1))  # few matches tell little of how they differ (Student's t)
    extra = z * z / worth
    middle = (value + extra / 2) / (1 + extra)
    half = z * sqrt(value * (1 - value) / worth + extra / worth / 4) / (1 + extra)
    return Interval(value, max(0.0, middle - half), min(1.0, middle + half))


def ratings(matches: Mapping[int, "_Match"], entrants: int) -> tuple[float, ...]:
    """The rating of each entrant; the matches may come in any order."""
    return _rated(_joined([matches[number] for number in sorted(matches)]), entrants)


def rated(results: Sequence[ArenaGame], entrants: int) -> tuple[float, ...]:
    """The rating of each entrant after these games."""
    return ratings(_matches(results), entrants)


def _rated(
    played: "_Match", entrants: int, start: Sequence[float] | None = None, same: float = _SAME
) -> tuple[float, ...]:
    """Ratings by Hunter's algorithm (Annals of Statistics 32, 2004): every step makes the results likelier."""
    tables = Counter(played.tables)
    tables[tuple(range(entrants))] += 1
    counted = [(Counter(table), times) for table, times in sorted(tables.items())]
    won = [played.victories.get(entrant, 0.0) + 1 / entrants for entrant in range(entrants)]
    strengths = [1.0] * entrants if start is None else [10 ** (points / 400) for points in start]
    for _ in range(_STEPS):
        weights = [0.0] * entrants
        for table, times in counted:
            each = times / sum(strengths[entrant] * seats for entrant, seats in table.items())
            for entrant, seats in table.items():
                weights[entrant] += each * seats
        found = [victories / weight for victories, weight in zip(won, weights, strict=True)]
        moved = max(abs(new / old - 1) for new, old in zip(found, strengths, strict=True))
        strengths = found
        if moved < same:
            break
    points = [400 * log10(strength) for strength in strengths]
    mean = sum(points) / entrants
    return tuple(each - mean for each in points)


def _matches(results: Sequence[ArenaGame]) -> dict[int, _Match]:
    """What counts of the games, by match."""
    found: dict[int, tuple[Counter[tuple[int, ...]], Counter[int], dict[int, float]]] = {}
    for result in sorted(results, key=lambda result: result.number):
        tables, seats, victories = found.setdefault(result.match, (Counter(), Counter(), {}))
        tables[tuple(sorted(result.seats))] += 1
        seats.update(result.seats)
        for winner in result.winners:
            entrant = result.seats[winner]
            victories[entrant] = victories.get(entrant, 0.0) + 1 / len(result.winners)
    return {number: _Match(tables, victories, seats) for number, (tables, seats, victories) in found.items()}


def _joined(matches: Sequence[_Match]) -> _Match:
    tables: Counter[tuple[int, ...]] = Counter()
    victories: dict[int, float] = {}
    for match in matches:
        tables.update(match.tables)
        for entrant, won in match.victories.items():
            victories[entrant] = victories.get(entrant, 0.0) + won
    return _Match(tables, victories, {})


def _seats(result: ArenaGame, entrant: int) -> list[int]:
    return [seat for seat, sitting in enumerate(result.seats) if sitting == entrant]


def _quantile(ordered: Sequence[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]

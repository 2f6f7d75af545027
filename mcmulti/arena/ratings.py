"""How good strategies are, by their games: shares of victories, ratings, and duplicate scores, each with an interval.

Matches are independent, games are not: games of a match have the same dice. So intervals are estimated from the
differences between matches, which are small if the same strategies win whatever the dice.

Ratings follow the Luce model: the probability that a player of a table wins is its strength divided by the sum of all
strengths at the table; a shared victory counts for each in part. Strengths are the maximum likelihood estimate, with
one more game that all strategies play and share, so that an undefeated strategy has a rating too. The scale is that of
chess: 400 points more are ten times the strength, and the mean is 0. The order of the games does not matter.

Duplicate scores compare what strategies made of the same seat with the same dice. In a match, every strategy gets every
seat once, with the same dice. On each seat, each strategy is compared with every other one that had it: a better result
is a point, an equal one half a point. A larger part of the victory is the better result; if it is equal, more money at
the end; a seat that was given up is the worst. Luck that belongs to the seat and the dice is the same on both sides of
every comparison, and games that both won or lost count, too.

Intervals are a Bayesian bootstrap of matches (Rubin, Annals of Statistics 9, 1981). Every match gets a random weight,
and the result of the weighted matches is a sample. So that a few identical matches do not look certain, each strategy
also wins and loses an imagined match, each with half the weight of a real one. For matches of one game each, this is
the Jeffreys interval. A strategy that won or lost everything may be arbitrarily good or bad: such an interval is open
on that side.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log10
from random import Random

from msgspec import Struct

from mcmulti.arena.play import ArenaGame
from mcmulti.projections.comparison import SeatResult, compared, seat_result

SAMPLES = 800
"""The number of samples for an interval."""
IMAGINED = 0.5
"""The weight of an imagined match, in matches."""
_STEPS = 20_000
_SAME = 1e-9
"""The relative change of strengths at which the iteration stops."""


class Interval(Struct, frozen=True):
    """A value with its 95% interval; None if the interval is open on that side."""

    value: float
    low: float | None
    high: float | None


class WonShare(Struct, frozen=True):
    """A share of victories, from 0 to 1, with its 95% interval."""

    value: float
    low: float
    high: float


class Won(Struct, frozen=True, order=True):
    """Victories in a match, of which a shared one counts in part; on how many seats, in how many games."""

    victories: float
    seats: int
    games: int


def weighed(counts: Sequence[int], random: Random) -> list[float]:
    """Random weights of kinds of matches, given their counts: the sums, as if each match had its own weight."""
    return [random.gammavariate(count, 1.0) for count in counts]


def imagined(games: float, random: Random) -> float:
    """The random weight of an imagined match, in games, given the games in a match."""
    return games * random.gammavariate(IMAGINED, 1.0)


def between(value: float, samples: Sequence[float], *, least: bool, most: bool) -> Interval:
    """The interval around a value, from samples; `least`, `most`: whether it could not be lower or higher."""
    ordered = sorted(samples)
    beyond = len(ordered) // 40
    low, high = ordered[beyond], ordered[-1 - beyond]
    return Interval(value, None if least else min(value, low), None if most else max(value, high))


def share(matches: dict[Won, int], random: Random) -> WonShare:
    """The share of victories in seats, from the results of matches and their counts; `random` weights them.

    A strategy with two seats at a table wins with only one of them: its share is at most a half.
    """
    games = sum(kind.games * count for kind, count in matches.items())
    if not games:
        return WonShare(0.0, 0.0, 1.0)
    kinds, victories = sorted(matches), sum(kind.victories * count for kind, count in matches.items())
    most = games / sum(kind.seats * count for kind, count in matches.items())
    whole = games / sum(matches.values())
    samples = []
    for _ in range(SAMPLES):
        weights = weighed([matches[kind] for kind in kinds], random)
        all_won, all_lost = imagined(whole, random), imagined(whole, random)
        won = sum(weight * kind.victories for weight, kind in zip(weights, kinds, strict=True)) + all_won
        played = sum(weight * kind.games for weight, kind in zip(weights, kinds, strict=True)) + all_won + all_lost
        samples.append(min(1.0, won / played) * most)
    value = min(1.0, victories / games)
    found = between(value * most, samples, least=value == 0, most=value > 1 - 1e-9)
    return WonShare(found.value, found.low or 0.0, most if found.high is None else found.high)


class Rated(Struct, frozen=True):
    """The results of an entrant. `entrant`: its number, from 0. `games`: the seats that it played, possibly several in
    a game. `victories`: alone or shared; shared ones count in part. `failed`: seats that it left because it could not
    go on. The interval of `rating` is open if it won nothing, or everything.
    """

    entrant: int
    games: int
    victories: float
    failed: int
    share: WonShare
    rating: Interval


class _Match(Struct, frozen=True, order=True):
    """The counts of a match: games by table, that is, by the seated entrants; victories, by entrant."""

    tables: tuple[tuple[tuple[int, ...], int], ...]
    victories: tuple[tuple[int, float], ...]

    @property
    def games(self) -> int:
        return sum(times for _, times in self.tables)

    def won_by(self, entrant: int) -> Won:
        seats = sum(table.count(entrant) * times for table, times in self.tables)
        games = sum(times for table, times in self.tables if entrant in table)
        return Won(dict(self.victories).get(entrant, 0.0), seats, games)


def standings(results: Sequence[ArenaGame], entrants: int, seed: int = 0) -> tuple[Rated, ...]:
    """The standing of every entrant, the best rated first. `seed` determines the samples for intervals."""
    matches, random = _matches(results), Random(seed)
    points = _points(matches, entrants)
    samples = _sampled(matches, entrants, points, random) if matches else [points]
    found = []
    for entrant in range(entrants):
        won: Counter[Won] = Counter()
        for match, count in sorted(matches.items()):
            won[match.won_by(entrant)] += count
        played = {each: count for each, count in won.items() if each.seats}
        victories = sum(each.victories * count for each, count in played.items())
        games = sum(each.games * count for each, count in played.items())
        rating = between(
            points[entrant],
            [sample[entrant] for sample in samples],
            least=victories == 0,
            most=victories > games - 1e-9,
        )
        seats = sum(each.seats * count for each, count in played.items())
        left = sum(result.seats[seat] == entrant for result in results for seat in result.left)
        found.append(Rated(entrant, seats, victories, left, share(played, random), rating))
    return tuple(sorted(found, key=lambda standing: (-standing.rating.value, standing.entrant)))


def rated(results: Sequence[ArenaGame], entrants: int) -> tuple[float, ...]:
    """The rating of each entrant after these games, in any order."""
    return _points(_matches(results), entrants)


def _points(matches: Mapping[_Match, int], entrants: int) -> tuple[float, ...]:
    """The maximum likelihood ratings, with one more game that all share."""
    kinds = sorted(matches)
    tables, won = _joined(kinds, [matches[kind] for kind in kinds], entrants)
    tables[tuple(range(entrants))] += 1
    return _rated(tables, [victories + 1 / entrants for victories in won], [0.0] * entrants, _SAME)


def _sampled(
    matches: Mapping[_Match, int], entrants: int, start: Sequence[float], random: Random
) -> list[tuple[float, ...]]:
    """Samples of ratings: matches with random weights, and one imagined victory of each entrant."""
    kinds, samples = sorted(matches), list[tuple[float, ...]]()
    counts, everybody = [matches[kind] for kind in kinds], tuple(range(entrants))
    games = sum(kind.games * count for kind, count in matches.items()) / sum(counts)
    for _ in range(SAMPLES):
        tables, won = _joined(kinds, weighed(counts, random), entrants)
        extra = [imagined(games, random) for _ in everybody]
        tables[everybody] += sum(extra)
        samples.append(_rated(tables, [sum(both) for both in zip(won, extra, strict=True)], start, 1e-5))
    return samples


def _joined(
    kinds: Sequence[_Match], weights: Sequence[float], entrants: int
) -> tuple[defaultdict[tuple[int, ...], float], list[float]]:
    """The weights of all tables, by the seated entrants, and of all victories, by entrant."""
    tables: defaultdict[tuple[int, ...], float] = defaultdict(float)
    won = [0.0] * entrants
    for kind, weight in zip(kinds, weights, strict=True):
        for table, times in kind.tables:
            tables[table] += weight * times
        for entrant, victories in kind.victories:
            won[entrant] += weight * victories
    return tables, won


def _rated(
    tables: Mapping[tuple[int, ...], float], won: Sequence[float], start: Sequence[float], same: float
) -> tuple[float, ...]:
    """Ratings by Hunter's algorithm (Annals of Statistics 32, 2004): every step increases the likelihood."""
    weighed_tables = [(list(Counter(table).items()), times) for table, times in sorted(tables.items())]
    strengths = [10 ** (points / 400) for points in start]
    for _ in range(_STEPS):
        weights = [0.0] * len(won)
        for table, times in weighed_tables:
            each = times / sum(strengths[entrant] * seats for entrant, seats in table)
            for entrant, seats in table:
                weights[entrant] += each * seats
        found = [victories / weight for victories, weight in zip(won, weights, strict=True)]
        moved = max(abs(new / old - 1) for new, old in zip(found, strengths, strict=True))
        strengths = found
        if moved < same:
            break
    points = [400 * log10(strength) for strength in strengths]
    mean = sum(points) / len(points)
    return tuple(each - mean for each in points)


def _matches(results: Sequence[ArenaGame]) -> Counter[_Match]:
    """The counts of the matches, and how often each kind was played."""
    found: dict[int, tuple[Counter[tuple[int, ...]], defaultdict[int, float]]] = {}
    for result in sorted(results, key=lambda result: result.number):
        tables, victories = found.setdefault(result.match, (Counter(), defaultdict(float)))
        tables[tuple(sorted(result.seats))] += 1
        for winner in result.winners:
            victories[result.seats[winner]] += 1 / len(result.winners)
    return Counter(
        _Match(tuple(sorted(tables.items())), tuple(sorted(victories.items()))) for tables, victories in found.values()
    )


class DuplicateScore(Struct, frozen=True):
    """The score of an entrant, by its number from 0: how many comparisons there were, and the share of their points.

    Equal strategies have a share of 0.5. `share` is that without comparisons, too, and its interval everything.
    """

    entrant: int
    comparisons: int
    share: WonShare


def duplicate_scores(results: Sequence[ArenaGame], entrants: int, seed: int = 0) -> tuple[DuplicateScore, ...]:
    """The score of every entrant, the best first. `seed` determines the samples for intervals."""
    random, matches = Random(seed), _compared_in(results)
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


def _compared_in(results: Sequence[ArenaGame]) -> list[dict[int, tuple[float, int]]]:
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

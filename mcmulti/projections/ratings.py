"""Ratings: how strong players are by their rated games, made of nothing but these, in the order in which they ended.

A game is compared pair by pair (Weng and Lin, JMLR 12, 2011): who won is above who played to the end, and who left is
below both. Each rule set has its ratings, people and bots are never rated against each other, and of games between the
same two only some count.
"""

from collections import ChainMap
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import Literal, NamedTuple
from uuid import UUID

from openskill.models import BradleyTerryPart

from mcmulti.events.log import Kind, RatedGame

START = 1500.0
"""The rating of who has no rated game, in points."""
DOUBT = 500.0
"""How uncertain it is, as a standard deviation in points."""
CHANCE = 250.0
"""How much of a result is chance, in points: the dice, and the form of the day."""
DRIFT = 5.0
"""By how much strength may change from a game to the next, in points."""
PROVISIONAL = 10
"""From so many games on a rating is more than provisional."""
AGAIN: Mapping[Kind, int] = {"human": 5, "bot": 50}
"""How many games in which the same two meet count within `PERIOD`, by what they are."""
PERIOD = timedelta(days=7)

Unrated = Literal["not_asked", "no_winner", "alone", "seated_twice", "unregistered", "mixed", "repeated"]
"""Why a game that is over changes no rating."""

_MODEL = BradleyTerryPart(mu=START, sigma=DOUBT, beta=CHANCE, tau=DRIFT, window_size=100)  # more than seats: all pairs


class Strength(NamedTuple):
    """How strong a player is in a rule set: `rating` and `uncertainty` in points, of so many `games`."""

    kind: Kind
    rating: float = START
    uncertainty: float = DOUBT
    games: int = 0

    @property
    def provisional(self) -> bool:
        """Whether there are too few games to say much."""
        return self.games < PROVISIONAL


class RatingChange(NamedTuple):
    """What a game made of the strength of who began it on a seat."""

    seat: int
    player: UUID
    before: Strength
    after: Strength


class Assessment(NamedTuple):
    """What came of a game: why it is not rated, or what it changed, by seat."""

    unrated: Unrated | None
    changes: tuple[RatingChange, ...] = ()


class LadderRung(NamedTuple):
    """Where a player stands on a list, which is in the order of these: the best first, the provisional ones last.

    `points`: the rating in thousandths, below zero.
    """

    provisional: bool
    points: int
    player: UUID


class Ladder:
    """The ratings after some games. A game may be added once, and none that ended before one that was."""

    def __init__(self) -> None:
        self._strengths: MutableMapping[tuple[str, UUID], Strength] = {}
        self._verdicts: MutableMapping[UUID, Assessment] = {}
        self._met: MutableMapping[tuple[str, UUID, UUID], tuple[datetime, ...]] = {}

    def beyond(self) -> "Ladder":
        """A ladder that goes on from here; what is added there is not added here, nor the other way."""
        further = Ladder()
        further._strengths = ChainMap({}, self._strengths)
        further._verdicts = ChainMap({}, self._verdicts)
        further._met = ChainMap({}, self._met)
        return further

    def add(self, game: RatedGame, kinds: Mapping[UUID, Kind]) -> Assessment:
        """Rate a game; `kinds`: what its players are, as far as they ever registered."""
        verdict = self._verdicts[game.ended.game_id] = self._judged(game, kinds)
        for change in verdict.changes:
            self._strengths[game.ruleset, change.player] = change.after
        if verdict.changes:
            for pair in _pairs(game):
                limit = AGAIN[verdict.changes[0].after.kind]
                self._met[pair] = (*self._met.get(pair, ()), game.ended.at)[-limit:]
        return verdict

    def verdict(self, game: UUID) -> Assessment | None:
        """What came of a game; None if it was not added."""
        return self._verdicts.get(game)

    def strength(self, ruleset: str, player: UUID) -> Strength | None:
        """How strong a player is; None without a rated game."""
        return self._strengths.get((ruleset, player))

    def standings(self) -> dict[tuple[str, Kind], list[LadderRung]]:
        """Who stands where, by rule set and kind."""
        lists: dict[tuple[str, Kind], list[LadderRung]] = {}
        for (ruleset, player), strength in self._strengths.items():
            lists.setdefault((ruleset, strength.kind), []).append(place(player, strength))
        for each in lists.values():
            each.sort()
        return lists

    def _judged(self, game: RatedGame, kinds: Mapping[UUID, Kind]) -> Assessment:
        starters = {seat: player for seat, player in enumerate(game.starters) if player is not None}
        found = {kinds.get(player) for player in starters.values()}
        kind = next(iter(found), None)
        if not game.winners:
            return Assessment("no_winner")
        if len(starters) < 2:
            return Assessment("alone")
        if len(set(starters.values())) < len(starters):
            return Assessment("seated_twice")
        if None in found or kind is None:
            return Assessment("unregistered")
        if len(found) > 1:
            return Assessment("mixed")
        if any(self._often(pair, game.ended.at, AGAIN[kind]) for pair in _pairs(game)):
            return Assessment("repeated")
        before = {seat: self.strength(game.ruleset, player) or Strength(kind) for seat, player in starters.items()}
        after = rated(list(before.values()), [rank(game, seat) for seat in before])
        changes = zip(starters.items(), before.values(), after, strict=True)
        return Assessment(None, tuple(RatingChange(*who, then, now) for who, then, now in changes))

    def _often(self, pair: tuple[str, UUID, UUID], at: datetime, most: int) -> bool:
        """Whether these two have met as often as counts."""
        met = self._met.get(pair, ())
        return len(met) >= most and met[-most] > at - PERIOD


def place(player: UUID, strength: Strength) -> LadderRung:
    """Where a player of this strength stands."""
    return LadderRung(strength.provisional, -round(1000 * strength.rating), player)


def rank(game: RatedGame, seat: int) -> int:
    """How who began a game on a seat came out of it: 0 is best. Who left has lost, whoever won on that seat."""
    if any(game.leavers) and game.leavers[seat] is not None:
        return 2
    return 0 if seat in game.winners else 1


def rated(strengths: Sequence[Strength], ranks: Sequence[int]) -> list[Strength]:
    """How strong players of a game, two or more, are after they came out of it so; equal ranks are a tie."""
    order = sorted(range(len(ranks)), key=lambda number: (ranks[number], strengths[number]))  # so that seats are alike
    teams = [[_MODEL.rating(strengths[number].rating, strengths[number].uncertainty)] for number in order]
    found = _MODEL.rate(teams, ranks=[float(ranks[number]) for number in order])
    after = list(strengths)
    for number, (rating,) in zip(order, found, strict=True):
        kind, games = strengths[number].kind, strengths[number].games
        after[number] = Strength(kind, rating.mu, rating.sigma, games + 1)
    return after


def _pairs(game: RatedGame) -> Iterator[tuple[str, UUID, UUID]]:
    players = sorted(player for player in game.starters if player is not None)
    for one, other in combinations(players, 2):
        yield game.ruleset, one, other

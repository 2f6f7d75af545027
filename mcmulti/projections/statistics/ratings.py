"""Ratings: how strong players are, computed only from their rated games, in the order in which these ended.

A game is compared pair by pair (Weng and Lin, JMLR 12, 2011): a winner is above a player who played to the end, and
players who left are below both. Each rule set has its ratings, and people and bots are never rated against each other.
How much a pair counts depends on the opponent: newcomers, players who never win, players who play in a small circle,
and much weaker players count almost nothing or nothing, so that accounts made for losing are worthless.
"""

from collections import ChainMap
from collections.abc import Collection, Iterable, Mapping, MutableMapping, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from math import isclose, sqrt
from typing import Any, Literal, NamedTuple
from uuid import UUID

from openskill.models import BradleyTerryPart

from mcmulti.domain.rulesets import PLAYED_BY_ORDERS
from mcmulti.events.ports.accounts import Kind
from mcmulti.events.ports.game_index import RatedGame
from mcmulti.projections.statistics.circles import ENOUGH, Ties, newcomer

START = 1500.0
"""The rating of a player without a rated game, in points."""
DOUBT = 500.0
"""Its initial uncertainty, as a standard deviation in points."""
CHANCE = 250.0
"""How much of a result is chance, in points: the dice, and the daily form."""
DRIFT = 5.0
"""How much strength can change from one game to the next, in points."""
PROVISIONAL = 300.0
"""A rating with more uncertainty is provisional, in points."""
OPPONENTS = 6
"""So is a rating with fewer different opponents."""
CAUTION = 2.0
"""The ladder sorts by the rating minus this many uncertainties."""
EXPERIENCE = 10
"""After this many games an opponent counts fully."""
LITTLE = 0.01
"""The weight of an opponent without games, without a win in `EXPERIENCE` games or more, without ties beyond its circle,
or with a provisional rating on a list that has `SETTLED`.
"""
SETTLED = 20
"""When a list has this many players with settled ratings, those with provisional ratings count `LITTLE`."""
FAR = 400.0
"""Nothing is gained from an opponent whose rating is this many points lower."""
AGAIN: Mapping[Kind, int] = {"human": 5, "bot": 50}
"""The most games between the same two that count within `PERIOD`, by kind. Players who registered at one address count
as the same.
"""
OFTEN: Mapping[Kind, int] = {"human": 30, "bot": 300}
"""The most games of a player that count within `PERIOD`, by kind."""
PERIOD = timedelta(days=7)
FEWEST = 10
"""The fewest decisions of a player for others to gain from its defeat."""
FEWEST_ROUNDS = 3
"""The same in games with orders: rounds for which its orders were in."""

Unrated = Literal[
    "not_asked", "no_winner", "alone", "seated_twice", "unregistered", "mixed", "repeated", "often", "too_short"
]
"""Why a finished game changes no rating."""

Refunded = Literal["erased"]
"""Why points lost in a defeat were given back."""

Reduced = Literal["newcomer", "provisional", "no_win", "circle", "few_decisions", "far_below"]
"""Why a comparison with a player counts less for its opponents, or why they gain less."""

_MODEL = BradleyTerryPart(mu=START, sigma=DOUBT, beta=CHANCE, tau=DRIFT, window_size=100)  # more than seats: all pairs
_LEAST = 0.0001
"""The lower bound for the remaining share of the variance, as in the model."""


class Strength(NamedTuple):
    """A player's strength in a rule set: `rating` and `uncertainty` in points, from `games` games and `wins`.

    `opponents`: how many different players it met, counted up to `OPPONENTS`. `beyond`: the share of its ties beyond
    its circle, from 0 to 1.
    """

    kind: Kind
    rating: float = START
    uncertainty: float = DOUBT
    games: int = 0
    wins: int = 0
    opponents: int = 0
    beyond: float = 1.0

    @property
    def provisional(self) -> bool:
        """Whether the rating is too uncertain, or based on too few opponents."""
        return self.uncertainty > PROVISIONAL or self.opponents < OPPONENTS

    @property
    def score(self) -> float:
        """The sort key of the ladder, in points: the player is almost certainly no weaker."""
        return self.rating - CAUTION * self.uncertainty

    @property
    def credit(self) -> float:
        """How much a comparison with this player counts for its opponent, from `LITTLE` to 1, while most ratings of the
        list are provisional.
        """
        if self.games >= EXPERIENCE and not self.wins:
            return LITTLE
        return max(LITTLE, (min(1.0, self.games / EXPERIENCE) * min(1.0, self.beyond / ENOUGH)) ** 2)

    def weight(self, *, settled: bool) -> float:
        """The same, depending on whether the list has `settled`."""
        return LITTLE if settled and self.provisional else self.credit

    def reduced(self, best: float, *, played: bool, settled: bool) -> tuple[Reduced, ...]:
        """Why this player counted less at a table with `best` as the best rating; `played`: whether it made enough
        decisions; `settled`: whether the list has settled.
        """
        reasons: dict[Reduced, bool] = {
            "newcomer": self.games < EXPERIENCE,
            "provisional": settled and self.provisional and self.games >= EXPERIENCE,
            "no_win": self.games >= EXPERIENCE and not self.wins,
            "circle": self.beyond < ENOUGH,
            "few_decisions": not played,
            "far_below": best - self.rating > FAR,
        }
        return tuple(reason for reason, found in reasons.items() if found)


class Finish(NamedTuple):
    """The result of a player in a game: its `rank`, 0 is best; `played`: whether it made enough decisions for others to
    gain from its defeat; `erased`: whether it was erased since, so that nobody loses by its victory.
    """

    rank: int
    played: bool = True
    erased: bool = False


Meeting = tuple[str, bytes, bytes]
"""Two opponents in a rule set: players, or all who registered at an address."""
NOWHERE: Mapping[UUID, bytes] = {}
"""No address is known."""


class RatingChange(NamedTuple):
    """How a game changed the strength of a seat's first player.

    `weight`: how much it counted for the others. `reduced`: why that is less than 1, or they gained less. `refunded`:
    why it got points back that the game had cost; None if it did not.
    """

    seat: int
    player: UUID
    before: Strength
    after: Strength
    weight: float
    reduced: tuple[Reduced, ...]
    refunded: Refunded | None = None


class Compared(NamedTuple):
    """The strength after a game. `refunded`: it would be less if nobody had been erased."""

    strength: Strength
    refunded: bool = False


class Assessment(NamedTuple):
    """The outcome of a game for ratings: why it is not rated, or what it changed, by seat."""

    unrated: Unrated | None
    changes: tuple[RatingChange, ...] = ()


class LadderRung(NamedTuple):
    """A player's place on a list, in sort order: the best first, the provisional ones last.

    `points`: the score in thousandths, negative below zero.
    """

    provisional: bool
    points: int
    player: UUID


class LadderState(NamedTuple):
    """All that rating the next games depends on, by rule set and player, person, kind, or meeting."""

    strengths: MutableMapping[tuple[str, UUID], Strength]
    ties: MutableMapping[tuple[str, bytes], Ties]
    listed: MutableMapping[tuple[str, Kind], int]
    established: MutableMapping[tuple[str, Kind], int]
    met: MutableMapping[Meeting, tuple[datetime, ...]]
    opponents: MutableMapping[tuple[str, UUID], frozenset[UUID]]
    played: MutableMapping[tuple[str, UUID], tuple[datetime, ...]]
    erased: MutableMapping[UUID, bool]


class Ladder:
    """The ratings after some games. Each game can be added once, in the order in which they ended.

    `state`: that of a ladder before these games; assessments are not part of it.
    """

    def __init__(self, state: LadderState | None = None) -> None:
        self._known = state or LadderState({}, {}, {}, {}, {}, {}, {}, {})
        self._verdicts: MutableMapping[UUID, Assessment] = {}

    def beyond(self) -> "Ladder":
        """A copy of the ladder, which continues independently."""
        further = Ladder(LadderState(*(ChainMap({}, each) for each in self._known)))
        further._verdicts = ChainMap({}, self._verdicts)
        return further

    def stored_state(self, at: datetime) -> LadderState:
        """The state, for games that end at `at` or later: limits no longer count what lies a `PERIOD` before that."""
        since = at - PERIOD
        copies: list[Any] = [dict(each) for each in self._known]
        state = LadderState(*copies)
        return state._replace(
            met={meeting: moments for meeting, moments in state.met.items() if moments[-1] > since},
            played={who: moments for who, moments in state.played.items() if moments[-1] > since},
        )

    def players(self) -> set[UUID]:
        """All rated players."""
        return {player for _, player in self._known.strengths}

    @property
    def erased(self) -> Collection[UUID]:
        """The players who were erased when their last game was added."""
        return self._known.erased.keys()

    def verdicts(self) -> dict[UUID, Assessment]:
        """The assessments that it knows."""
        return dict(self._verdicts)

    def forget_verdicts(self, games: Iterable[UUID]) -> None:
        """Forget the assessments of these games, which are stored."""
        for game in games:
            self._verdicts.pop(game, None)

    def is_like(self, other: "Ladder") -> bool:
        """Whether both have the same players with the same strengths, except for the last digits of a number."""
        return self._known.strengths.keys() == other._known.strengths.keys() and all(
            mine[:1] + mine[3:6] == theirs[:1] + theirs[3:6]
            and all(map(isclose, mine[1:3] + mine[6:], theirs[1:3] + theirs[6:]))
            for who, mine in self._known.strengths.items()
            if (theirs := other._known.strengths[who])
        )

    def add(
        self,
        game: RatedGame,
        kinds: Mapping[UUID, Kind],
        erased: Collection[UUID] = (),
        origins: Mapping[UUID, bytes] = NOWHERE,
    ) -> Assessment:
        """Rate a game. `kinds`: the kinds of its players, if they ever registered; `erased`: who was erased since;
        `origins`: the same for those who registered at one address, as far as that is known.
        """
        people = {player: origins.get(player, player.bytes) for player in game.starters if player is not None}
        meetings = _meetings(game, people)
        self._known.erased.update(dict.fromkeys(people.keys() & set(erased), True))
        verdict = self._verdicts[game.ended.game_id] = self._judged(game, meetings, kinds, erased, people)
        known = self._known
        for change in verdict.changes:
            kind, who = change.after.kind, (game.ruleset, change.player)
            known.strengths[who] = change.after
            settled = change.before.provisional - change.after.provisional
            known.established[game.ruleset, kind] = known.established.get((game.ruleset, kind), 0) + settled
            if change.after.opponents != change.before.opponents:
                met = {each.player for each in verdict.changes}
                known.opponents[who] = known.opponents.get(who, frozenset()) | met
            known.played[who] = (*known.played.get(who, ()), game.ended.at)[-OFTEN[kind] :]
        if verdict.changes:
            for meeting in meetings:
                limit = AGAIN[verdict.changes[0].after.kind]
                known.met[meeting] = (*known.met.get(meeting, ()), game.ended.at)[-limit:]
        return verdict

    def verdict(self, game: UUID) -> Assessment | None:
        """The assessment of a game; None if it was not added."""
        return self._verdicts.get(game)

    def strength(self, ruleset: str, player: UUID) -> Strength | None:
        """A player's strength; None without a rated game."""
        return self._known.strengths.get((ruleset, player))

    def standings(self) -> dict[tuple[str, Kind], list[LadderRung]]:
        """The ladder, by rule set and kind."""
        lists: dict[tuple[str, Kind], list[LadderRung]] = {}
        for (ruleset, player), strength in self._known.strengths.items():
            lists.setdefault((ruleset, strength.kind), []).append(place(player, strength))
        for each in lists.values():
            each.sort()
        return lists

    def _judged(
        self,
        game: RatedGame,
        meetings: Collection[Meeting],
        kinds: Mapping[UUID, Kind],
        erased: Collection[UUID],
        people: Mapping[UUID, bytes],
    ) -> Assessment:
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
        if any(_exhausted(self._known.met.get(meeting, ()), game.ended.at, AGAIN[kind]) for meeting in meetings):
            return Assessment("repeated")
        played = (self._known.played.get((game.ruleset, player), ()) for player in starters.values())
        if any(_exhausted(each, game.ended.at, OFTEN[kind]) for each in played):
            return Assessment("often")
        results = [
            Finish(rank(game, seat), decided_enough(game, seat), player in erased) for seat, player in starters.items()
        ]
        if not any(result.played for result in results):
            return Assessment("too_short")
        before = {seat: self.strength(game.ruleset, player) or Strength(kind) for seat, player in starters.items()}
        settled = self._known.established.get((game.ruleset, kind), 0) >= SETTLED
        after = rated(list(before.values()), results, settled=settled)
        best = max(each.rating for each in before.values())
        tied = self._tied(game.ruleset, kind, sorted({*people.values()}))
        changes = [
            RatingChange(
                seat,
                player,
                then,
                now.strength._replace(opponents=self._met_by(game, player), beyond=tied[people[player]].beyond),
                then.weight(settled=settled),
                then.reduced(best, played=result.played, settled=settled),
                "erased" if now.refunded else None,
            )
            for (seat, player), then, now, result in zip(starters.items(), before.values(), after, results, strict=True)
        ]
        return Assessment(None, tuple(changes))

    def _tied(self, ruleset: str, kind: Kind, people: Sequence[bytes]) -> dict[bytes, Ties]:
        """Tie people who played together. Returns their ties."""
        known = {person: self._known.ties.get((ruleset, person)) for person in people}
        listed = self._known.listed.get((ruleset, kind), 0) + sum(ties is None for ties in known.values())
        before = {person: ties or newcomer(listed) for person, ties in known.items()}
        self._known.listed[ruleset, kind] = listed
        for person in people:
            opponents = {other: ties for other, ties in before.items() if other != person}
            self._known.ties[ruleset, person] = before[person].after(opponents) if opponents else before[person]
        return {person: self._known.ties[ruleset, person] for person in people}

    def _met_by(self, game: RatedGame, player: UUID) -> int:
        """How many different opponents a player has met including this game, up to `OPPONENTS`."""
        known = self._known.opponents.get((game.ruleset, player), frozenset())
        return min(OPPONENTS, len({*known, *filter(None, game.starters)} - {player}))


def _exhausted(counted: Sequence[datetime], at: datetime, most: int) -> bool:
    """Whether the limit of games within `PERIOD` is reached."""
    return len(counted) >= most and counted[-most] > at - PERIOD


def place(player: UUID, strength: Strength) -> LadderRung:
    """The place of a player with this strength."""
    return LadderRung(strength.provisional, -round(1000 * strength.score), player)


def rank(game: RatedGame, seat: int) -> int:
    """The rank of a seat's first player: 0 is best. A player who left has lost, whoever won on that seat."""
    if any(game.leavers) and game.leavers[seat] is not None:
        return 2
    return 0 if seat in game.winners else 1


def decided_enough(game: RatedGame, seat: int) -> bool:
    """Whether a seat's first player made enough decisions for others to gain from its defeat."""
    return game.decisions[seat] >= (FEWEST_ROUNDS if game.ruleset in PLAYED_BY_ORDERS else FEWEST)


def rated(strengths: Sequence[Strength], results: Sequence[Finish], *, settled: bool = False) -> list[Compared]:
    """The strengths of two or more players after a game; equal ranks are a tie. `settled`: whether their list has
    settled.

    Each pair is compared by itself, as the model compares two, and counts as much as the opponent's credit.
    """
    table = list(zip(strengths, results, strict=True))
    gained, known, refunded = [0.0] * len(table), [0.0] * len(table), [False] * len(table)
    order = sorted(range(len(table)), key=lambda number: table[number])  # so that the order of seats does not matter
    for one, other in combinations(order, 2):
        teams = [[_MODEL.rating(table[each][0].rating, table[each][0].uncertainty)] for each in (one, other)]
        compared = _MODEL.rate(teams, ranks=[float(table[each][1].rank) for each in (one, other)])
        for me, them, [after] in ((one, other, compared[0]), (other, one, compared[1])):
            mine, (theirs, result) = strengths[me], table[them]
            change = after.mu - mine.rating
            if change > 0 and (not result.played or mine.rating - theirs.rating > FAR):
                continue
            if change < 0 and result.erased:
                refunded[me] = True
                continue
            weight = theirs.weight(settled=settled)
            gained[me] += weight * change
            known[me] += weight * (1 - after.sigma**2 / _variance(mine))
    return [
        Compared(
            Strength(
                mine.kind,
                mine.rating + gained[number],
                min(DOUBT, sqrt(_variance(mine) * max(1 - known[number], _LEAST))),
                mine.games + 1,
                mine.wins + (results[number].rank == 0),
            ),
            refunded[number],
        )
        for number, mine in enumerate(strengths)
    ]


def _variance(strength: Strength) -> float:
    """The variance of a rating at the next game."""
    return strength.uncertainty**2 + DRIFT**2


def _meetings(game: RatedGame, people: Mapping[UUID, bytes]) -> set[Meeting]:
    """The pairs of opponents in a game, each once."""
    return {(game.ruleset, one, other) for one, other in combinations(sorted(people.values()), 2)}

"""Circles: how few people somebody plays with, so that accounts that play only each other count almost nothing.

All players who registered at one address count as one person.
"""

from collections.abc import Mapping
from heapq import nlargest
from typing import NamedTuple

MOST = 20
"""The most people in a circle."""
PART = 2
"""A circle is also at most this fraction (one in N) of the players on the list when a person played its first game."""
ENOUGH = 0.25
"""A person with at least this share of ties beyond the circle counts fully."""
DIRECT = 0.5
"""The share of a game's new ties that goes to the opponent; the rest goes to the opponent's ties."""
RECENT = 20
"""The weight of the latest game in a person's ties is at least one in this many."""
KEPT = 2 * MOST
"""Ties to this many people are kept; dropped ties count as beyond the circle."""


class Ties(NamedTuple):
    """Whom a person is tied to by its latest games, out of `games`: `people`, in shares that sum to at most 1.

    `circle`: how many of these, the strongest ties, form its circle.
    """

    circle: int
    games: int = 0
    people: Mapping[bytes, float] = {}

    @property
    def beyond(self) -> float:
        """The share of its ties beyond its circle, from 0 to 1."""
        return max(0.0, 1.0 - sum(nlargest(self.circle, self.people.values())))

    def after(self, opponents: Mapping[bytes, "Ties"]) -> "Ties":
        """The ties after one more game, against these people, given their ties before it."""
        games = self.games + 1
        latest = 1 / min(games, RECENT)
        people = {person: share * (1 - latest) for person, share in self.people.items()}
        for opponent, theirs in opponents.items():
            share = latest / len(opponents)
            direct = share * DIRECT if theirs.people else share
            people[opponent] = people.get(opponent, 0.0) + direct
            for person, part in theirs.people.items():
                people[person] = people.get(person, 0.0) + (share - direct) * part
        if len(people) > KEPT:
            people = dict(nlargest(KEPT, people.items(), key=lambda tie: (tie[1], tie[0])))
        return Ties(self.circle, games, people)


def newcomer(listed: int) -> Ties:
    """The ties of a person who joins a list with this many people, including itself and its first opponents."""
    return Ties(min(MOST, listed // PART))

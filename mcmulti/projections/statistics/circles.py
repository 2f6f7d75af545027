"""Circles: among how few people somebody plays, so that accounts that play only each other count almost nothing.

Everybody who registered at one address is one person here.
"""

from collections.abc import Mapping
from heapq import nlargest
from typing import NamedTuple

MOST = 20
"""A circle is at most so many people."""
PART = 2
"""It is also at most one in so many of those who were on the list when a person played its first game."""
ENOUGH = 0.25
"""Who has so much of its ties beyond its circle counts in full."""
DIRECT = 0.5
"""How much of what a game ties a person to is the opponent; the rest is what the opponent is tied to."""
RECENT = 20
"""The latest game is at least one of so many in a person's ties."""
KEPT = 2 * MOST
"""Ties to so many people are kept; what tied a person to others lies beyond its circle."""


class Ties(NamedTuple):
    """To whom a person is tied by its latest games, of so many `games`: `people`, in shares of 1.

    `circle`: so many of these, those it is tied to most, are its circle.
    """

    circle: int
    games: int = 0
    people: Mapping[bytes, float] = {}

    @property
    def beyond(self) -> float:
        """How much of its ties lies beyond its circle, from 0 to 1."""
        return max(0.0, 1.0 - sum(nlargest(self.circle, self.people.values())))

    def after(self, opponents: Mapping[bytes, "Ties"]) -> "Ties":
        """The ties after one more game, against these people, who had these ties before it."""
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
    """The ties of somebody who joins a list of so many people, itself and its first opponents among them."""
    return Ties(min(MOST, listed // PART))

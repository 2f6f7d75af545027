"""Circles: who counts depends on whom else they play, worked out by hand."""

from datetime import UTC, datetime, timedelta
from itertools import combinations
from uuid import UUID

import pytest

from mcmulti.events.ports.accounts import Kind
from mcmulti.events.ports.game_index import Ended, RatedGame
from mcmulti.projections.statistics.circles import KEPT, MOST, Ties, newcomer
from mcmulti.projections.statistics.ratings import FEWEST, LITTLE, Ladder, Strength

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
REGULARS = [UUID(int=number) for number in range(1, 31)]
OTHERS = [UUID(int=number) for number in range(101, 113)]
EVERYBODY: dict[UUID, Kind] = dict.fromkeys((*REGULARS, *OTHERS), "human")


class Season:
    """Games of two on one ladder, twelve hours apart."""

    def __init__(self) -> None:
        self.ladder = Ladder()
        self.games = 0
        self.origins: dict[UUID, bytes] = {}

    def play(self, winner: UUID, loser: UUID) -> None:
        self.games += 1
        ended = Ended(NOON + timedelta(hours=12 * self.games), UUID(int=10**6 + self.games))
        played = RatedGame(ended, "mcmulti", (winner, loser), (), (0,), (FEWEST, FEWEST))
        assert self.ladder.add(played, EVERYBODY, origins=self.origins).unrated is None

    def among(self, people: list[UUID], rounds: int) -> None:
        """All of them meet each other this many times, and win in turn."""
        for number in range(rounds):
            for one, other in combinations(range(len(people)), 2):
                winner, loser = (one, other) if (one + other + number) % 2 else (other, one)
                self.play(people[winner], people[loser])

    def strength(self, player: UUID) -> Strength:
        return self.ladder.strength("mcmulti", player) or Strength("human")


def test_a_circle_is_half_of_the_list_but_never_more_than_twenty_people() -> None:
    assert [newcomer(listed).circle for listed in (1, 2, 5, 12, 40, 41, 1000)] == [0, 1, 2, 6, 20, 20, 20]


def test_a_game_ties_by_half_to_the_opponents_and_by_half_to_theirs() -> None:
    """Ann meets Ben, who has met Cid and Dan. Then she meets Eve, who is new: half of the ties are to her."""
    ben = Ties(2, 1, {b"Cid": 0.5, b"Dan": 0.5})
    once = Ties(2).after({b"Ben": ben})
    assert once == Ties(2, 1, {b"Ben": 0.5, b"Cid": 0.25, b"Dan": 0.25})
    assert once.beyond == 0.25
    twice = once.after({b"Eve": Ties(2)})
    assert twice == Ties(2, 2, {b"Ben": 0.25, b"Cid": 0.125, b"Dan": 0.125, b"Eve": 0.5})
    assert twice.beyond == 0.25


def test_the_latest_game_is_never_less_than_a_twentieth() -> None:
    ties = Ties(1, 500, {b"Ben": 1.0}).after({b"Cid": Ties(1)})
    assert ties.people == {b"Ben": pytest.approx(0.95), b"Cid": pytest.approx(0.05)}


def test_ties_to_few_people_are_kept_and_the_others_are_beyond() -> None:
    """The smallest tie is left out, and still counts."""
    people = {bytes([number]): 1 / KEPT for number in range(KEPT)}
    ties = Ties(MOST, 99, people).after({b"Ben": Ties(MOST)})
    assert len(ties.people) == KEPT
    assert ties.people[b"Ben"] == pytest.approx(0.05)
    assert ties.beyond == pytest.approx(1 - 0.05 - (MOST - 1) * 0.95 / KEPT)


def test_who_plays_only_in_a_small_circle_counts_almost_nothing_until_it_plays_others() -> None:
    """Twelve join a ladder of thirty, and play only each other: at most 20 of at least 32 make a circle."""
    season = Season()
    season.among(REGULARS, 1)
    regular = season.strength(REGULARS[0])
    assert (regular.games, regular.credit) == (29, 1.0)
    season.among(OTHERS, 2)
    closed = season.strength(OTHERS[0])
    assert (closed.games, closed.beyond, closed.credit, closed.provisional) == (22, 0.0, LITTLE, True)
    assert abs(closed.rating - 1500) < 60
    for opponent in REGULARS[:15]:
        season.play(OTHERS[0], opponent)
    assert season.strength(OTHERS[0]).credit == 1.0
    assert season.strength(OTHERS[1]).credit == LITTLE


def test_others_who_come_later_make_no_circle_of_those_who_were_there() -> None:
    """Six play each other. Three times as many join. The six were at most half of the list when they began."""
    season = Season()
    season.among(REGULARS[:6], 4)
    before = [season.strength(player).credit for player in REGULARS[:6]]
    season.among([*OTHERS, *REGULARS[10:16]], 1)
    season.among(REGULARS[:6], 1)
    assert before == [season.strength(player).credit for player in REGULARS[:6]] == [1.0] * 6


def test_players_of_one_address_are_one_person_of_a_circle() -> None:
    """Each of the twelve plays the same regular over and over, under another name each time."""
    season = Season()
    season.among(REGULARS, 1)
    season.origins = dict.fromkeys(REGULARS[:12], b"one address")
    for number, other in enumerate(OTHERS):
        season.play(other, REGULARS[number])
    assert all(season.strength(other).credit == LITTLE for other in OTHERS)


def test_a_game_says_who_counted_less_and_why() -> None:
    season = Season()
    season.among(REGULARS, 1)
    season.among(OTHERS, 2)
    ended = Ended(NOON + timedelta(days=900), UUID(int=5))
    met = RatedGame(ended, "mcmulti", (REGULARS[0], OTHERS[0], UUID(int=999)), (), (0,), (FEWEST, FEWEST, FEWEST - 1))
    verdict = season.ladder.add(met, {**EVERYBODY, UUID(int=999): "human"})
    assert [change.reduced for change in verdict.changes] == [(), ("circle",), ("newcomer", "few_decisions")]

"""Ratings: what a game changes, for whom, and why not."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcmulti.events.log import Ended, Kind, RatedGame
from mcmulti.projections.ratings import (
    AGAIN,
    CHANCE,
    DOUBT,
    DRIFT,
    PERIOD,
    PROVISIONAL,
    START,
    Ladder,
    Strength,
    Unrated,
    rank,
    rated,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ANN, BEN, CID, DAN = (UUID(int=number) for number in range(1, 5))
PEOPLE: dict[UUID, Kind] = dict.fromkeys((ANN, BEN, CID, DAN), "human")

strengths = st.builds(
    Strength,
    kind=st.just("human"),
    rating=st.floats(-2000, 5000),
    uncertainty=st.floats(20, 500),
    games=st.integers(0, 1000),
)
tables = st.lists(strengths, min_size=2, max_size=8)


def game(
    *players: UUID | None,
    won: Sequence[int] = (0,),
    left: Sequence[UUID | None] = (),
    hour: float = 0,
    ruleset: str = "mcmulti",
) -> RatedGame:
    ended = Ended(NOON + timedelta(hours=hour), UUID(int=int(hour * 1000) + 10**6))
    return RatedGame(ended, ruleset, players, tuple(left), tuple(won))


def moved(before: Sequence[Strength], after: Sequence[Strength]) -> list[float]:
    return [now.rating - then.rating for then, now in zip(before, after, strict=True)]


@given(tables, st.data())
def test_who_wins_alone_never_loses_points_and_gains_most(table: list[Strength], data: st.DataObject) -> None:
    """To win alone is as good as to share, that as good as to lose, and that as good as to leave."""
    others = data.draw(st.lists(st.sampled_from((0, 1, 2)), min_size=len(table) - 1, max_size=len(table) - 1))
    below = [max(1, rank) for rank in others]
    alone = rated(table, [0, *below])[0].rating
    gained = [rated(table, [mine, *others])[0].rating for mine in (0, 1, 2)]
    assert alone >= table[0].rating
    assert gained == sorted(gained, reverse=True)
    assert alone >= gained[0]


@given(tables)
def test_who_is_last_alone_never_gains_points(table: list[Strength]) -> None:
    ranks = [1] * (len(table) - 1) + [2]
    assert rated(table, ranks)[-1].rating <= table[-1].rating


@given(tables, st.data())
def test_it_does_not_matter_who_sits_where(table: list[Strength], data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.sampled_from((0, 1, 2)), min_size=len(table), max_size=len(table)))
    order = data.draw(st.permutations(range(len(table))))
    straight = rated(table, ranks)
    assert rated([table[seat] for seat in order], [ranks[seat] for seat in order]) == [straight[seat] for seat in order]


@given(tables)
def test_equals_who_tie_stay_equals(table: list[Strength]) -> None:
    equals = [table[0]] * len(table)
    assert moved(equals, rated(equals, [0] * len(table))) == [0.0] * len(table)


@given(st.lists(st.tuples(st.permutations((ANN, BEN, CID, DAN)), st.integers(2, 4), st.integers(0, 1)), max_size=30))
@settings(max_examples=50)
def test_the_same_games_make_the_same_ratings_in_whatever_steps(
    played: list[tuple[list[UUID], int, int]],
) -> None:
    games = [game(*who[:seats], won=(won,), hour=9 * number) for number, (who, seats, won) in enumerate(played)]
    whole, settled = Ladder(), Ladder()
    for each in games:
        whole.add(each, PEOPLE)
    for number, each in enumerate(games):  # the latest are rated anew each time
        further = settled.beyond()
        for later in games[number:]:
            further.add(later, PEOPLE)
        assert further.standings() == whole.standings()
        assert all(further.verdict(one.ended.game_id) == whole.verdict(one.ended.game_id) for one in games)
        settled.add(each, PEOPLE)
    assert settled.standings() == whole.standings()


def test_a_game_changes_the_ratings_of_its_rule_set_alone() -> None:
    ladder = Ladder()
    verdict = ladder.add(game(ANN, BEN), PEOPLE)
    assert verdict.unrated is None
    assert [(change.seat, change.player) for change in verdict.changes] == [(0, ANN), (1, BEN)]
    ann, ben = (ladder.strength("mcmulti", player) for player in (ANN, BEN))
    assert ann is not None
    assert ben is not None
    assert ann.rating > 1500 > ben.rating
    assert (ann.games, ann.provisional) == (1, True)
    assert ann.uncertainty < 500
    assert ladder.strength("postal", ANN) is None
    assert [place.player for place in ladder.standings()["mcmulti", "human"]] == [ANN, BEN]


def test_enough_games_make_a_rating_that_is_not_provisional_and_stands_above_all_that_are() -> None:
    ladder = Ladder()
    for number in range(PROVISIONAL):
        ladder.add(game(ANN, BEN, won=(1,), hour=50 * number), PEOPLE)
    ladder.add(game(CID, DAN, hour=5000), PEOPLE)
    assert [place.player for place in ladder.standings()["mcmulti", "human"]] == [BEN, ANN, CID, DAN]


def test_who_left_has_lost_whoever_wins_on_that_seat() -> None:
    """A substitute won, or who left came back and did: who stayed is above who left."""
    left = game(ANN, BEN, CID, won=(0,), left=(ANN, None, None))
    assert [rank(left, seat) for seat in range(3)] == [2, 1, 1]
    changes = Ladder().add(left, PEOPLE).changes
    assert changes[0].after.rating < 1500 < changes[1].after.rating
    assert changes[1].after == changes[2].after


@pytest.mark.parametrize("winner", [0, 1])
def test_leaving_gains_nothing_over_losing(winner: int) -> None:
    stayed = Ladder().add(game(ANN, BEN, CID, won=(winner,)), PEOPLE).changes[2].after
    gone = Ladder().add(game(ANN, BEN, CID, won=(winner,), left=(None, None, CID)), PEOPLE).changes[2].after
    assert gone.rating < stayed.rating


UNRATED: list[tuple[Unrated, RatedGame, dict[UUID, Kind]]] = [
    ("no_winner", game(ANN, BEN, won=()), PEOPLE),
    ("alone", game(ANN), PEOPLE),
    ("alone", game(ANN, None), PEOPLE),
    ("seated_twice", game(ANN, BEN, ANN), PEOPLE),
    ("unregistered", game(ANN, BEN), {ANN: "human"}),
    ("mixed", game(ANN, BEN, CID), {**PEOPLE, CID: "bot"}),
]


@pytest.mark.parametrize(("why", "played", "kinds"), UNRATED)
def test_what_is_not_rated_says_why_and_changes_nothing(
    why: Unrated, played: RatedGame, kinds: dict[UUID, Kind]
) -> None:
    ladder = Ladder()
    assert ladder.add(played, kinds) == (why, ())
    assert ladder.standings() == {}


@pytest.mark.parametrize("kind", AGAIN)
def test_the_same_two_cannot_pump_each_other_even_with_others_at_the_table(kind: Kind) -> None:
    ladder, kinds = Ladder(), dict.fromkeys((ANN, BEN, CID, DAN), kind)
    most = AGAIN[kind]
    for number in range(most):
        assert ladder.add(game(ANN, BEN, hour=number / 10), kinds).unrated is None
    before = ladder.strength("mcmulti", ANN)
    assert ladder.add(game(BEN, ANN, won=(1,), hour=20), kinds).unrated == "repeated"
    assert ladder.add(game(BEN, CID, ANN, won=(2,), hour=21), kinds).unrated == "repeated"
    assert ladder.strength("mcmulti", ANN) == before
    assert ladder.add(game(ANN, CID, hour=22), kinds).unrated is None
    assert ladder.add(game(ANN, BEN, hour=23, ruleset="postal"), kinds).unrated is None
    assert ladder.add(game(ANN, BEN, hour=PERIOD / timedelta(hours=1)), kinds).unrated is None


def test_games_that_did_not_count_do_not_keep_later_ones_from_counting() -> None:
    ladder = Ladder()
    for number in range(AGAIN["human"]):
        ladder.add(game(ANN, BEN, hour=number), PEOPLE)
    for number in range(AGAIN["human"]):
        assert ladder.add(game(ANN, BEN, hour=24 + number), PEOPLE).unrated == "repeated"
    week = PERIOD / timedelta(hours=1)
    assert [ladder.add(game(ANN, BEN, hour=week + number), PEOPLE).unrated for number in range(6)] == [None] * 5 + [
        "repeated"
    ]


def test_the_guide_tells_what_is_computed() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "ratings.md").read_text()
    won, lost = rated([Strength("human")] * 2, [0, 1])
    for told in (f"{won.rating:.1f} and {lost.rating:.1f}", f"uncertainty of {won.uncertainty:.1f}"):
        assert told in guide
    for figure in (START, DOUBT, CHANCE, DRIFT):
        assert f"| {figure:.0f} |" in guide
    assert all(f"| `{why}` |" in guide for why in get_args(Unrated))

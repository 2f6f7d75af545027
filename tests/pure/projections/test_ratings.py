"""Ratings: what a game changes, for whom, and why not."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import get_args
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcmulti.events.log.envelope import Head
from mcmulti.events.ports.accounts import Kind
from mcmulti.events.ports.game_index import Ended, RatedGame
from mcmulti.projections.statistics.checkpoint import kept, restored
from mcmulti.projections.statistics.ratings import (
    AGAIN,
    CHANCE,
    DOUBT,
    DRIFT,
    EXPERIENCE,
    FAR,
    FEWEST,
    LITTLE,
    OFTEN,
    OPPONENTS,
    PERIOD,
    PROVISIONAL,
    SETTLED,
    START,
    Finish,
    Ladder,
    Reduced,
    Refunded,
    Strength,
    Unrated,
    decided_enough,
    place,
    rank,
    rated,
)
from tests.docs.manual import page
from tests.thorough import examples

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ANN, BEN, CID, DAN = (UUID(int=number) for number in range(1, 5))
PEOPLE: dict[UUID, Kind] = dict.fromkeys((ANN, BEN, CID, DAN), "human")

strengths = st.builds(
    Strength,
    kind=st.just("human"),
    rating=st.floats(-2000, 5000),
    uncertainty=st.floats(20, 500),
    games=st.integers(10, 1000),
    wins=st.integers(1, 10),
    opponents=st.just(OPPONENTS),
    beyond=st.floats(0, 1),
)
tables = st.lists(strengths, min_size=2, max_size=8)


def game(
    *players: UUID | None,
    won: Sequence[int] = (0,),
    left: Sequence[UUID | None] = (),
    hour: float = 0,
    ruleset: str = "mcmulti",
    decisions: Sequence[int] | None = None,
) -> RatedGame:
    """A game in which everybody made enough decisions, unless given."""
    ended = Ended(NOON + timedelta(hours=hour), UUID(int=int(hour * 1000) + 10**6))
    decided = (FEWEST,) * len(players) if decisions is None else tuple(decisions)
    return RatedGame(ended, ruleset, players, tuple(left), tuple(won), decided)


def results(*ranks: int) -> list[Finish]:
    return [Finish(rank) for rank in ranks]


def known(rating: float = START, uncertainty: float = 100.0, games: int = 50, wins: int = 20) -> Strength:
    """A player who has played often, and won some."""
    return Strength("human", rating, uncertainty, games, wins, OPPONENTS)


def moved(before: Sequence[Strength], after: Sequence[Strength]) -> list[float]:
    return [now.rating - then.rating for then, now in zip(before, after, strict=True)]


@given(tables, st.data())
def test_who_wins_alone_never_loses_points_and_gains_most(table: list[Strength], data: st.DataObject) -> None:
    """Winning alone counts as much above sharing as sharing above losing, and losing above leaving."""
    others = data.draw(st.lists(st.sampled_from((0, 1, 2)), min_size=len(table) - 1, max_size=len(table) - 1))
    below = [max(1, rank) for rank in others]
    alone = rated(table, results(0, *below))[0].strength.rating
    gained = [rated(table, results(mine, *others))[0].strength.rating for mine in (0, 1, 2)]
    assert alone >= table[0].rating
    assert gained == sorted(gained, reverse=True)
    assert alone >= gained[0]


@given(tables)
def test_who_is_last_alone_never_gains_points(table: list[Strength]) -> None:
    ranks = [1] * (len(table) - 1) + [2]
    assert rated(table, results(*ranks))[-1].strength.rating <= table[-1].rating


@given(tables, st.data())
def test_it_does_not_matter_who_sits_where(table: list[Strength], data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.sampled_from((0, 1, 2)), min_size=len(table), max_size=len(table)))
    order = data.draw(st.permutations(range(len(table))))
    straight = rated(table, results(*ranks))
    assert rated([table[seat] for seat in order], results(*(ranks[seat] for seat in order))) == [
        straight[seat] for seat in order
    ]


@given(tables)
def test_equals_who_tie_stay_equals(table: list[Strength]) -> None:
    equals = [table[0]] * len(table)
    assert moved(equals, [each.strength for each in rated(equals, results(*[0] * len(table)))]) == [0.0] * len(table)


@given(st.lists(st.tuples(st.permutations((ANN, BEN, CID, DAN)), st.integers(2, 4), st.integers(0, 1)), max_size=30))
@examples(50)
def test_the_same_games_make_the_same_ratings_in_whatever_steps(
    played: list[tuple[list[UUID], int, int]],
) -> None:
    games = [game(*who[:seats], won=(won,), hour=9 * number) for number, (who, seats, won) in enumerate(played)]
    whole, settled = Ladder(), Ladder()
    for each in games:
        whole.add(each, PEOPLE)
    for number, each in enumerate(games):  # the latest are rated again each time
        further = settled.beyond()
        for later in games[number:]:
            further.add(later, PEOPLE)
        assert further.standings() == whole.standings()
        assert all(further.verdict(one.ended.game_id) == whole.verdict(one.ended.game_id) for one in games)
        settled.add(each, PEOPLE)
    assert settled.standings() == whole.standings()


@given(
    st.lists(st.tuples(st.permutations((ANN, BEN, CID, DAN)), st.integers(2, 4), st.booleans()), max_size=25),
    st.integers(0, 25),
)
@examples(30)
def test_a_ladder_goes_on_from_a_checkpoint_as_if_it_had_never_stopped(
    played: list[tuple[list[UUID], int, bool]], stop: int
) -> None:
    games = [game(*who[:seats], hour=(200 if late else 5) * number) for number, (who, seats, late) in enumerate(played)]
    games.sort()
    whole, first, key = Ladder(), Ladder(), bytes(32)
    before, after = games[:stop], games[stop:]
    for each in games:
        whole.add(each, PEOPLE, {DAN}, {ANN: b"here", BEN: b"here"})
    for each in before:
        first.add(each, PEOPLE, {DAN}, {ANN: b"here", BEN: b"here"})
    ended = before[-1].ended if before else Ended(NOON, UUID(int=1))
    second = restored(key, kept(key, first, ended, Head(1, bytes(32))))
    for each in after:
        verdict = second.add(each, PEOPLE, {DAN}, {ANN: b"here", BEN: b"here"})
        assert verdict == whole.verdict(each.ended.game_id)
    assert second.standings() == whole.standings()
    assert second.is_like(whole)
    assert second.erased == whole.erased


def test_ladders_are_alike_only_with_the_same_strengths() -> None:
    one, other = Ladder(), Ladder()
    one.add(game(ANN, BEN), PEOPLE)
    assert not one.is_like(other)
    assert not other.is_like(one)
    other.add(game(BEN, ANN), PEOPLE)
    assert not one.is_like(other)


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


def test_a_rating_made_of_few_opponents_stays_provisional() -> None:
    """Ann has met Ben in every game, and four others. The sixth makes her rating more than provisional."""
    ladder, others = Ladder(), [UUID(int=number) for number in range(50, 56)]
    kinds: dict[UUID, Kind] = dict.fromkeys((ANN, *others), "human")
    for week in range(200):
        ladder.add(game(ANN, others[week % 5], won=(week % 2,), hour=40 * week), kinds)
    ann = ladder.strength("mcmulti", ANN)
    assert ann is not None
    assert (ann.uncertainty < PROVISIONAL, ann.opponents, ann.provisional) == (True, 5, True)
    ladder.add(game(ANN, others[5], hour=9000), kinds)
    ann = ladder.strength("mcmulti", ANN)
    assert ann is not None
    assert (ann.opponents, ann.provisional) == (6, False)


def test_the_ladder_sorts_by_rating_minus_uncertainty_and_puts_the_provisional_last() -> None:
    """1700 +- 100 is certainly at least 1500, 1900 +- 250 only 1400. 2500 +- 301 is provisional, however high."""
    careful, bold, new = known(1700, 100), known(1900, 250), known(2500, 301)
    assert (careful.score, bold.score, new.score) == (1500, 1400, 1898)
    assert (careful.provisional, bold.provisional, new.provisional) == (False, False, True)
    assert sorted([place(ANN, new), place(BEN, bold), place(CID, careful)]) == [
        place(CID, careful),
        place(BEN, bold),
        place(ANN, new),
    ]


@pytest.mark.parametrize(
    ("opponent", "credit"),
    [
        (Strength("human"), LITTLE),
        (known(games=EXPERIENCE // 2, wins=1), 0.25),
        (known(games=EXPERIENCE, wins=1), 1),
        (known(games=EXPERIENCE, wins=0), LITTLE),
        (known(games=1000, wins=0), LITTLE),
    ],
)
def test_opponents_without_games_or_without_a_win_count_almost_nothing(opponent: Strength, credit: float) -> None:
    """A quarter after half of the games that count in full."""
    assert opponent.credit == credit
    full = known(opponent.rating, opponent.uncertainty)
    gained, whole = (rated([known(), each], results(0, 1))[0].strength.rating - START for each in (opponent, full))
    assert gained == pytest.approx(credit * whole)
    assert whole > 1


def test_nothing_is_gained_from_who_is_far_below_and_defeat_by_them_counts() -> None:
    strong, weak, near = known(2000), known(2000 - FAR - 1), known(2000 - FAR)
    assert rated([strong, weak], results(0, 1))[0].strength.rating == 2000
    assert rated([strong, weak], results(0, 1))[1].strength.rating < weak.rating
    assert rated([strong, near], results(0, 1))[0].strength.rating > 2000
    assert rated([strong, weak], results(1, 0))[0].strength.rating < 2000


def test_who_leaves_at_once_loses_and_nobody_gains_by_it() -> None:
    """Ben resigned after nine decisions. After ten, Ann would have gained."""
    strengths, gone = [known(), known()], [Finish(0), Finish(2, played=False)]
    won, lost = (each.strength for each in rated(strengths, gone))
    assert (won.rating, won.games) == (START, 51)
    assert lost.rating == rated(strengths, results(0, 2))[1].strength.rating < START
    for decisions, played in ((FEWEST - 1, False), (FEWEST, True)):
        left = game(ANN, BEN, left=(None, BEN), decisions=(FEWEST, decisions))
        assert decided_enough(left, 1) is played
    sheets = game(ANN, BEN, ruleset="postal", decisions=(3, 2))
    assert (decided_enough(sheets, 0), decided_enough(sheets, 1)) == (True, False)


def test_who_lost_to_somebody_who_was_erased_since_has_lost_nothing_and_is_told_why() -> None:
    """Ben and Cid tie behind Ann, and Dan left. His loss to Ben and Cid is not given back."""
    played = game(ANN, BEN, CID, DAN, left=(None, None, None, DAN))
    lost, given_back = (Ladder().add(played, PEOPLE, erased=erased).changes for erased in ((), {ANN}))
    assert [change.refunded for change in lost] == [None] * 4
    assert [change.refunded for change in given_back] == [None, "erased", "erased", "erased"]
    assert given_back[0].after.rating == lost[0].after.rating > START
    assert given_back[1].after.rating > lost[1].after.rating  # who gains from Dan's leaving
    assert START > given_back[3].after.rating > lost[3].after.rating


def test_nothing_is_given_back_to_who_lost_nothing_to_the_player_who_was_erased() -> None:
    verdict = Ladder().add(game(ANN, BEN), PEOPLE, erased={BEN})
    assert [change.refunded for change in verdict.changes] == [None, None]
    assert verdict.changes[0].after.rating > START


def test_provisional_players_count_almost_nothing_once_a_list_has_settled() -> None:
    """A newcomer to a list without known players counts by games. Among known ones, it must prove itself first."""
    doubtful = known(uncertainty=PROVISIONAL + 1)
    assert (doubtful.weight(settled=False), doubtful.weight(settled=True)) == (1, LITTLE)
    assert (known().weight(settled=False), known().weight(settled=True)) == (1, 1)
    few = known()._replace(opponents=OPPONENTS - 1)
    assert few.weight(settled=True) == LITTLE
    gains = [rated([known(), doubtful], results(0, 1), settled=settled)[0].strength.rating for settled in (False, True)]
    assert gains[1] - START == pytest.approx(LITTLE * (gains[0] - START))


def test_a_list_has_settled_with_twenty_players_whose_rating_is_not_provisional() -> None:
    """Forty play at random, until 20 of them are known. From then on, a game shows whose rating was provisional."""
    everybody = [UUID(int=number) for number in range(100, 140)]
    kinds: dict[UUID, Kind] = dict.fromkeys(everybody, "human")
    ladder, random = Ladder(), Random(1)
    for number in range(400):
        before = {player: ladder.strength("mcmulti", player) or Strength("human") for player in everybody}
        settled = sum(not each.provisional for each in before.values()) >= SETTLED
        table = random.sample(everybody, 4)
        verdict = ladder.add(game(*table, hour=6 * number), kinds)
        for player, change in zip(table, verdict.changes, strict=True):
            assert change.weight == before[player].weight(settled=settled)
            told = "provisional" in change.reduced
            assert told is (settled and before[player].provisional and before[player].games >= EXPERIENCE)
    assert settled


def test_who_left_has_lost_whoever_wins_on_that_seat() -> None:
    """A substitute won, or a returning player did: a player who stayed is above one who left."""
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
    ("too_short", game(ANN, BEN, decisions=(9, 9)), PEOPLE),
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


def test_only_so_many_games_of_a_player_count_within_a_week() -> None:
    ladder = Ladder()
    others = [UUID(int=number) for number in range(100, 100 + OFTEN["human"] + 1)]
    kinds: dict[UUID, Kind] = dict.fromkeys((ANN, *others), "human")
    *first, last = others
    for number, other in enumerate(first):
        assert ladder.add(game(ANN, other, hour=number), kinds).unrated is None
    assert ladder.add(game(ANN, last, hour=100), kinds).unrated == "often"
    assert ladder.add(game(first[0], last, hour=101), kinds).unrated is None
    assert ladder.add(game(ANN, last, hour=PERIOD / timedelta(hours=1)), kinds).unrated is None


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
    guide = page("explanation/ratings")
    won, lost = (each.strength for each in rated([Strength("human")] * 2, results(0, 1)))
    for told in (f"{won.rating:.1f} and {lost.rating:.1f}", f"uncertainty of {won.uncertainty:.1f}"):
        assert told in guide
    for figure in (START, DOUBT, CHANCE, DRIFT, PROVISIONAL, SETTLED, FAR):
        assert f"| {figure:.0f} |" in guide
    assert all(f"| `{why}` |" in guide for why in (*get_args(Unrated), *get_args(Reduced), *get_args(Refunded)))

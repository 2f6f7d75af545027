"""The gambler in the Millionenspiel: what it stakes, buys, and declines, and how it does among random players."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from benchmarks.contests import contest, interval, played
from mcmulti.bots.strategies.gambler.gambler import gambler
from mcmulti.bots.strategies.gambler.hopes import Fortune, Hopes
from mcmulti.bots.strategies.gambler.pieces import VALUES, Purse, at_least, at_most, worth
from mcmulti.bots.strategies.gambler.replies import Player, best_stake
from mcmulti.bots.strategies.gambler.stakes import stakes
from mcmulti.bots.strategies.gambler.throws import moves, throws_from
from mcmulti.bots.strategies.registry import strategies_of
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.components import TRACK
from mcmulti.domain.millionenspiel.pieces import Pieces, fewest
from mcmulti.domain.millionenspiel.state import Millionenspiel
from tests.pure.millionenspiel.situations import situation, throw

ADA, BEN, CLEO = range(3)


def chosen(state: Millionenspiel, seat: int) -> dict[str, Any]:
    """A gambler's choice on this seat."""
    wire = msgspec.json.encode((RULESET.view(state, seat), RULESET.offers(state, seat)))
    view, offers = msgspec.json.decode(wire)
    [command] = gambler(view, offers)
    assert msgspec.json.encode((view, offers)) == wire, "a strategy leaves alone what it is shown"
    return command


def staking(pawn: int, **hands: Any) -> dict[str, Any]:
    """What Ada, who has the dice, does before her stake, after the others staked (`situation`)."""
    return chosen(situation(waiting=(ADA,), pawn=pawn, **hands), ADA)


def staked(command: dict[str, Any]) -> int:
    """The value of a stake."""
    assert command["type"] == "Stake"
    return worth({kind: number for kind, number in command.items() if kind != "type"})


def declining(pawn: int, dice: tuple[int, int], purse: Pieces, stake: Pieces) -> str:
    """Whether Ada accepts a throw, if the others have five chips each in hand."""
    others = {BEN: Pieces(5), CLEO: Pieces(5)}
    state = situation(
        {ADA: purse, **others}, {ADA: stake}, phase="declining", pawn=pawn, throws=(throw(*dice),), roller=ADA
    )
    command = chosen(state, ADA)
    return str(command["type"])


def test_it_is_the_strategy_that_plays_the_millionenspiel_best() -> None:
    assert strategies_of("millionenspiel") == ("gambler", "random")


def test_it_stakes_as_much_as_blue_needs_to_make_it_a_millionaire() -> None:
    """On the arrow, with six notes of 100000: with four at stake blue makes a million, and beige leaves two."""
    hands = {"purses": {ADA: Pieces(hundred_thousands=6), BEN: Pieces(5), CLEO: Pieces(5)}}
    assert staked(staking(0, **hands)) == 400_000


def test_it_stays_ahead_of_one_whom_red_would_make_a_millionaire() -> None:
    """Ben staked all his 10000: on red, near at 41, he has 1010000. Ada has 20000: with 9901 at stake she has more."""
    purses = {ADA: Pieces(thousands=10, ten_thousands=1), CLEO: Pieces(5)}
    stakes, pensions = {BEN: Pieces(ten_thousands=1)}, {ADA: 500}
    assert staked(staking(41, purses=purses, stakes=stakes, pensions=pensions)) >= 9901


def test_it_keeps_a_part_where_beige_is_likely_and_nothing_is_won_by_all() -> None:
    """From the arrow a move ends on blue or beige, mostly; to stake all would be to lose all on beige."""
    purses = {ADA: Pieces(tens=9, hundreds=9), BEN: Pieces(hundreds=9), CLEO: Pieces(hundreds=9)}
    assert staked(staking(0, purses=purses)) < 990


def test_it_buys_a_card_whose_pension_is_near_if_it_costs_a_part_of_what_it_has() -> None:
    """Three steps before the arrow, with nine notes of 1000: almost every move pays the new pension."""
    purses = {ADA: Pieces(5, thousands=9), BEN: Pieces(5), CLEO: Pieces(5)}
    bought = staking(53, purses=purses)
    assert (bought["type"], bought["thousands"]) == ("BuyPension", 1)


def test_it_buys_no_card_with_what_makes_it_a_millionaire() -> None:
    """With 10000 at stake red, which is near, makes a million; the card of 500 costs just that. Ada has the dice."""
    purses = {ADA: Pieces(thousands=10), BEN: Pieces(hundreds=9), CLEO: Pieces(hundreds=9)}
    assert staked(staking(41, purses=purses, pensions={ADA: 50})) == 10_000


def chances(hopes: Hopes, line: Sequence[Fortune]) -> list[float]:
    """Everybody's probability of winning."""
    return [hopes.chance(line, seat) for seat in range(len(line))]


def test_whoever_left_is_nobody_to_be_feared() -> None:
    """Ben has 900000, but his seat is vacant: Ada plays as against Cleo alone, and stakes without a race."""
    state = situation({ADA: Pieces(hundreds=9), BEN: Pieces(hundred_thousands=9), CLEO: Pieces(5)}, waiting=(ADA,))
    left = replace(state, player_ids=("ada", None, "cleo"))
    gone = [Fortune(5, 0, 5, 5, plays) for plays in (True, False, True)]
    shares = chances(Hopes(throws_from(TRACK, 0)), gone)
    assert shares[1] == 0
    assert sum(shares) == pytest.approx(1)
    assert chosen(left, ADA)["type"] == "Stake"


@pytest.mark.parametrize(
    ("pawn", "sums", "cards"),
    [
        (30, (8553, 35_420, 26), (5, 50, 50)),
        (12, (1642, 166_261, 569), (500, 50, 5)),
        (22, (4727, 4069, 1129), (5, 50, 50)),
    ],
)
def test_the_first_to_stake_foresees_what_the_others_answer(
    pawn: int, sums: tuple[int, int, int], cards: tuple[int, int, int]
) -> None:
    """No stake turns out better than expected. If the second were not expected to foresee the third, one would."""
    hopes = Hopes(throws_from(TRACK, pawn))
    me, second, third = (
        Player(msgspec.to_builtins(fewest(money)), card, plays=True) for money, card in zip(sums, cards, strict=True)
    )

    def comes(stake: Purse) -> float:
        line = [me.staking(stake)]
        line.append(second.staking(best_stake(hopes, line, second, [third]).stake))
        line.append(third.staking(best_stake(hopes, line, third, []).stake))
        return hopes.chance(line, 0)

    expected = best_stake(hopes, [], me, [second, third])
    assert comes(expected.stake) == pytest.approx(expected.chance, abs=1e-9)
    tried = stakes(me.purse, [], [second.staking({}), third.staking({})])
    assert max(map(comes, tried)) == pytest.approx(expected.chance, abs=1e-9)


@pytest.mark.parametrize(
    ("steps", "dice", "does"),
    [
        ("three steps to red, 43", (1, 2), "AcceptThrow"),
        ("four steps to beige, 44", (1, 3), "DeclineThrow"),
    ],
)
def test_with_all_at_stake_it_takes_red_and_declines_beige(steps: str, dice: tuple[int, int], does: str) -> None:
    """From field 40."""
    assert declining(40, dice, Pieces(), Pieces(5)) == does


def test_with_nothing_at_stake_it_declines_green() -> None:
    """From 26 three steps to 29, where it would lose everything."""
    assert declining(26, (1, 2), Pieces(thousands=3), Pieces()) == "DeclineThrow"


def test_it_declines_what_would_make_another_a_millionaire() -> None:
    """Ada has 500000 in hand, Ben 10000 at stake: on red, field 43, he would have 1010000."""
    state = situation(
        {ADA: Pieces(hundred_thousands=5), CLEO: Pieces(5)},
        {BEN: Pieces(ten_thousands=1)},
        phase="declining",
        pawn=40,
        throws=(throw(1, 2),),
        roller=ADA,
    )
    assert chosen(state, ADA) == {"type": "DeclineThrow"}


@pytest.mark.parametrize(("pawn", "dice"), [*product(range(0, 56, 5), [(1, 1), (3, 4), (6, 6)])])
def test_it_answers_every_throw_wherever_the_pawn_stands(pawn: int, dice: tuple[int, int]) -> None:
    assert declining(pawn, dice, Pieces(3), Pieces(2)) in ("AcceptThrow", "DeclineThrow")


def test_a_throw_that_is_no_double_ends_a_move_and_each_double_goes_on() -> None:
    """Three steps are 1 and 2, two ways of 36. Five are 1-4 and 2-3, four ways, or 1-1 and then three more."""
    assert 2 not in moves()
    assert moves()[3] == pytest.approx(2 / 36)
    assert moves()[5] == pytest.approx(4 / 36 + 1 / 36 * 2 / 36)
    assert sum(moves().values()) == pytest.approx(1)


@pytest.mark.parametrize("pawn", range(0, len(TRACK), 5))
def test_what_hardly_ever_happens_is_left_out_and_all_else_adds_up(pawn: int) -> None:
    """From the arrow, red is 43 steps away: that takes three doubles, and about one move of 11000."""
    throws = throws_from(TRACK, pawn)
    mixes = [throws.standing(first, second, TRACK, pawn) for first, second in product(range(1, 7), repeat=2)]
    for mix in (throws.again, *mixes):
        assert sum(chance for _, chance in mix) == pytest.approx(1)
    assert min(chance for _, chance in throws.again) > 1 / 2000
    assert pawn or "red" not in {landing.colour for landing in throws.landings}


def test_what_is_thrown_first_is_known_exactly() -> None:
    """From the arrow, 5 steps lead to blue, field 5, and 7 to black: 4 and 6 ways of 36."""
    throws = throws_from(TRACK, 0)
    assert sum(chance for chance, _ in throws.first) == pytest.approx(1)
    [(number, chance)] = throws.standing(3, 4, TRACK, 0)
    assert (throws.landings[number], chance) == (("black", 0), 1)
    [(number, chance)] = throws.standing(2, 3, TRACK, 0)
    assert (throws.landings[number], chance) == (("blue", 0), 1)


def test_the_largest_million_wins_and_of_equals_who_staked_first() -> None:
    """Whatever is thrown: 1000000, 1200000 and 1200000 in hand, and nobody can take any from the second."""
    rich = [Fortune(1_000_000, 0, 0, 5), Fortune(1_200_000, 0, 0, 5), Fortune(1_200_000, 0, 0, 5)]
    throws = throws_from(TRACK, 0)._replace(
        again=((_landing("beige"), 1.0),), first=((1.0, ((_landing("beige"), 1.0),)),)
    )
    assert chances(Hopes(throws), rich) == [0, 1, 0]


def test_a_million_before_the_pensions_comes_before_one_that_they_make() -> None:
    """999999 and a pension of 500 would be more than the million that another has when the stakes are settled."""
    throws = throws_from(TRACK, 53)
    lap = throws.landings.index(("blue", 1))
    sure = throws._replace(again=((lap, 1.0),), first=((1.0, ((lap, 1.0),)),))
    assert chances(Hopes(sure), [Fortune(999_999, 0, 0, 500), Fortune(0, 500_000, 0, 5), Fortune(5, 0, 5, 5)]) == [
        0,
        1,
        0,
    ]
    assert chances(Hopes(sure), [Fortune(999_999, 0, 0, 500), Fortune(5, 0, 5, 5), Fortune(5, 0, 5, 5)]) == [1, 0, 0]


def _landing(color: str) -> int:
    """The number of a landing on a color from the arrow, without a lap."""
    return throws_from(TRACK, 0).landings.index((color, 0))


def test_the_pieces_next_to_a_sum_are_found_below_it_and_above_it() -> None:
    """Of three 10s and five 1s: 19 is between 15 and 20; nothing reaches 36, and all together are 35."""
    nothing = dict.fromkeys(VALUES, 0)
    purse = nothing | {"ones": 5, "tens": 3}
    assert at_most(purse, 19) == nothing | {"ones": 5, "tens": 1}
    assert at_least(purse, 16) == nothing | {"tens": 2}
    assert at_least(purse, 36) == purse


def test_the_same_seed_gives_the_same_game() -> None:
    assert played(RULESET, [gambler] * 3, 5) == played(RULESET, [gambler] * 3, 5)


def test_between_which_shares_the_true_one_lies() -> None:
    """Wilson's interval of 50 in 100, and of none in 10: 0.404 to 0.596, and 0 to 0.278, as tables have it."""
    assert interval(50, 100) == pytest.approx((0.404, 0.596), abs=5e-4)
    assert interval(0, 10) == pytest.approx((0, 0.278), abs=5e-4)


@pytest.mark.parametrize(("seats", "games"), [(3, 8), (5, 4)])
def test_a_gambler_wins_far_more_than_its_share_among_random_players(seats: int, games: int) -> None:
    """Around twice its share (benchmarks/RESULTS.md): here only more than its share."""
    assert sum(contest(RULESET, lambda seed: gambler, seats, games)) > games / seats

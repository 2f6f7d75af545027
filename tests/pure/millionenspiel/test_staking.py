"""Staking, and pension cards before it."""

import pytest
from msgspec import Struct

from mcmulti.domain.core.offers import NumberChoice, Range
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.phases.pensions import BuyPension, PensionBought, PensionPaid
from mcmulti.domain.millionenspiel.phases.rounds import PawnBrought, StakingBegan
from mcmulti.domain.millionenspiel.phases.staking import NothingToStake, Stake, StakePlaced
from mcmulti.domain.millionenspiel.phases.throwing import AcceptThrow, FirstThrown
from mcmulti.domain.millionenspiel.pieces import Pieces
from tests.pure.millionenspiel.situations import (
    BEIGE,
    after,
    hands,
    happened,
    landing,
    of,
    offered,
    refused,
    settled,
    situation,
    started,
)


def test_stake_order__the_left_neighbor_of_the_roller_first_the_roller_last() -> None:
    """Ada has the dice: Ben, Cleo, Ada."""
    state = started()
    for seat in (1, 2):
        assert refused(state, 0, Stake()).code == "out_of_turn"
        assert refused(state, seat, AcceptThrow()).code == "out_of_phase"
        state = after(state, seat, Stake(ones=1))
    state, events = happened(state, 0, Stake(ones=5), (2, 3))
    assert isinstance(events[-1], FirstThrown)
    assert [player.stake for player in state.players] == [Pieces(5), Pieces(1), Pieces(1)]


def test_stake_pieces__any_in_hand_as_a_range_per_kind() -> None:
    """Of three 1s, ten 10s and a note of 1000: 4 * 11 * 2 stakes, in one offer."""
    state = situation({1: Pieces(ones=3, tens=10, thousands=1)}, waiting=(1, 2, 0))
    [offer] = offered(state, 1, "Stake")
    most = {name: field.max for name, field in offer.fields.items() if isinstance(field, Range)}
    assert most == {
        "ones": 3,
        "tens": 10,
        "hundreds": 0,
        "thousands": 1,
        "ten_thousands": 0,
        "hundred_thousands": 0,
    }
    after(state, 1, Stake(ones=3, tens=10, thousands=1), (1, 2))
    over = refused(state, 1, Stake(tens=11))
    assert (over.code, over.field, over.limit) == ("purse", "tens", 10)


def test_stake_pieces__who_has_no_money_passes_without_being_asked_and_throws_all_the_same() -> None:
    """Ada has the dice and nothing else, like Cleo; Ben stakes."""
    state = situation({1: Pieces(5)}, waiting=(1, 2, 0))
    state, events = happened(state, 1, Stake(ones=5), (1, 2))
    assert [event.seat for event in of(events, NothingToStake)] == [2, 0]
    assert events[-1].seat == 0  # type: ignore[attr-defined]
    assert state.phase == "declining"


def test_stake_pieces__who_spends_all_on_a_card_passes_without_being_asked() -> None:
    state = situation({1: Pieces(thousands=1), 2: Pieces(1)}, waiting=(1, 2, 0))
    state, events = happened(state, 1, BuyPension(thousands=1))
    assert of(events, NothingToStake) == [NothingToStake(1)]
    assert state.waiting == (2, 0)


def test_stake_pieces__all_passing_with_money_in_hand_is_an_ordinary_round() -> None:
    state = situation({1: Pieces(5)}, waiting=(1, 2, 0))
    state, events = happened(state, 1, Stake(), (1, 2))
    assert of(events, StakePlaced) == [StakePlaced(1, Pieces())]
    assert isinstance(events[-1], FirstThrown)


@pytest.mark.parametrize(
    ("purse", "command"),
    [
        (Pieces(thousands=1), BuyPension(thousands=1)),
        (Pieces(hundreds=10), BuyPension(hundreds=10)),
        (Pieces(tens=10, hundreds=9), BuyPension(tens=10, hundreds=9)),
        (Pieces(ones=10, tens=9, hundreds=9), BuyPension(ones=10, tens=9, hundreds=9)),
    ],
)
def test_pension_buy__the_card_of_50_for_exactly_1000(purse: Pieces, command: Struct) -> None:
    state = situation({1: purse + Pieces(ones=1)}, waiting=(1, 2, 0))
    [offer] = offered(state, 1, "BuyPension")
    assert offer.price == 1000
    state, events = happened(state, 1, command)
    assert of(events, PensionBought) == [PensionBought(1, 50, 1000, purse)]
    assert (state.players[1].pension, hands(state)[1]) == (50, Pieces(ones=1))


def test_pension_buy__with_pieces_of_ones_choice() -> None:
    """1000 can be paid in four ways from a note, ten 100s, ten 10s, and ten 1s."""
    state = situation({1: Pieces(10, 10, 10, 1)}, waiting=(1, 2, 0))
    ways = [
        tuple(field.options[0] for field in offer.fields.values() if isinstance(field, NumberChoice))
        for offer in offered(state, 1, "BuyPension")
    ]
    assert sorted(ways) == [(0, 0, 0, 1, 0), (0, 0, 10, 0, 0), (0, 10, 9, 0, 0), (10, 9, 9, 0, 0)]
    assert refused(state, 1, BuyPension(hundreds=9)).code == "exact_price"


def test_pension_buy__the_offer_says_which_card_and_which_pieces() -> None:
    state = situation({1: Pieces(10, 10, 9)}, waiting=(1, 2, 0))
    said = {RULESET.texts.tell_offer(state, offer, "en") for offer in offered(state, 1, "BuyPension")}
    assert said == {
        "Buy the pension card of 50 for 1,000, paid with 9 × 100 and 10 × 10.",
        "Buy the pension card of 50 for 1,000, paid with 9 × 100, 9 × 10 and 10 × 1.",
    }


def test_pension_buy__a_note_of_10000_cannot_buy_the_card_of_50() -> None:
    state = situation({1: Pieces(ten_thousands=1)}, waiting=(1, 2, 0))
    assert refused(state, 1, BuyPension(ten_thousands=1)).code == "exact_price"


def test_pension_buy__one_card_a_round_in_order_and_not_beyond_500() -> None:
    state = situation({1: Pieces(5, thousands=1, ten_thousands=1)}, waiting=(1, 2, 0))
    assert refused(state, 1, BuyPension(ten_thousands=1)).code == "exact_price"
    state = after(state, 1, BuyPension(thousands=1))
    assert refused(state, 1, BuyPension(ten_thousands=1)).code == "one_card"
    later = situation({1: Pieces(ten_thousands=2)}, waiting=(1, 2, 0), pensions={1: 50})
    later = after(later, 1, BuyPension(ten_thousands=1))
    assert later.players[1].pension == 500
    best = situation({1: Pieces(ten_thousands=2)}, waiting=(1, 2, 0), pensions={1: 500})
    assert refused(best, 1, BuyPension(ten_thousands=1)).code == "best_pension"


def test_pension_buy__before_the_stake_even_if_it_then_passes() -> None:
    state = situation({1: Pieces(5, thousands=1), 2: Pieces(1)}, waiting=(1, 2, 0))
    state = after(after(state, 1, BuyPension(thousands=1)), 1, Stake())
    assert refused(state, 1, BuyPension()).code == "out_of_turn"
    assert state.players[1].pension == 50


def test_stake_nobody__a_pension_without_a_throw_and_the_same_roller_again() -> None:
    """All had staked everything on beige. Ben has the dice next, and keeps them: everybody has a pension."""
    state, events = settled(landing(BEIGE, {}, {0: Pieces(5), 1: Pieces(3)}, pensions={2: 500}))
    assert [event.seat for event in of(events, PensionPaid)] == [0, 1, 2]
    assert len(of(events, PawnBrought)) == len(of(events, StakingBegan)) == 1
    assert (state.pawn, state.roller, state.waiting) == (0, 1, (2, 0, 1))
    assert hands(state) == [Pieces(5), Pieces(5), Pieces(hundreds=5)]

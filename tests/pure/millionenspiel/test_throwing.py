"""Throws, doubles, moves and pensions."""

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.chance import ChanceWithheld, WithheldChance
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.components import Card
from mcmulti.domain.millionenspiel.pensions import BuyPension, PensionPaid
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.domain.millionenspiel.settling import StakeWon
from mcmulti.domain.millionenspiel.staking import Stake
from mcmulti.domain.millionenspiel.throwing import (
    AcceptThrow,
    DeclineThrow,
    PawnMoved,
    ReplacementThrown,
    ThrownAgain,
)
from tests.pure.millionenspiel.situations import (
    BEIGE,
    BLUE,
    RED,
    after,
    hands,
    happened,
    landing,
    of,
    offered,
    refused,
    settled,
    situation,
    throw,
)

SOME = {seat: Pieces(5) for seat in range(3)}


def test_roll_decline__the_first_throw_once_and_what_replaces_it_stands() -> None:
    """A 1 and a 2 declined; 2 and 3 instead: five steps to field 5."""
    state = after(situation(SOME, waiting=(0,)), 0, Stake(), (1, 2))
    assert refused(state, 1, DeclineThrow()).code == "out_of_turn"
    state, events = happened(state, 0, DeclineThrow(), (2, 3))
    assert [event.throw.sum for event in of(events, ReplacementThrown)] == [5]
    assert of(events, PawnMoved) == [PawnMoved(5, 0, 5, "blue")]
    assert refused(state, 1, DeclineThrow()).code == "out_of_turn", "Ben has the dice, Cleo stakes"


def test_roll_decline__a_double_declined_and_a_double_in_the_replacement() -> None:
    """A double of 6 is declined; a double of 2 in its place forces another throw, 1 and 2: 4 + 3 steps to field 7."""
    state = after(situation(SOME, waiting=(0,)), 0, Stake(), (6, 6))
    _, events = happened(state, 0, DeclineThrow(), (2, 2, 1, 2, 4))
    assert [event.throw.sum for event in of(events, ThrownAgain)] == [3]
    assert of(events, PawnMoved) == [PawnMoved(7, 0, 7, "black")]


def test_roll_double__an_accepted_double_forces_another_throw_and_so_on() -> None:
    """Doubles of 1 and of 2, then 1 and 2: 2 + 4 + 3 = 9, beige. Blue 2, which it passed, brings nothing."""
    state = landing(0, SOME, {}, pawn=0, throws=(throw(1, 1),))
    state, events = settled(state, 2, 2, 1, 2)
    assert of(events, PawnMoved) == [PawnMoved(9, 0, 9, "beige")]
    assert not of(events, StakeWon)


def test_pension_pay__coming_to_the_arrow_pays_and_leaving_it_does_not() -> None:
    """From 53 three steps to the arrow; there the decider, a 4, comes before the pension."""
    state = landing(56, SOME, {}, pensions={1: 50, 2: 500})
    state, events = settled(state, 4)
    assert state.pawn == 0
    assert hands(state) == [Pieces(ones=10, thousands=1), Pieces(ones=5, tens=5), Pieces(ones=5, hundreds=5)]
    kinds = [type(event).__name__ for event in events]
    assert kinds.index("ThousandWon") < kinds.index("PensionPaid")
    _, events = settled(landing(BLUE, SOME, {}))
    assert not of(events, PensionPaid)


def test_pension_pay__two_laps_in_one_move_pay_twice() -> None:
    """From 50: doubles of 6 five times, then 1 and 2: 63 steps, 113 = 2 * 56 + 1. Two pensions of 500 are
    ten 100s, which stay; Ada has 5 + 10 ones, and exchanges ten."""
    state = landing(0, SOME, {}, pawn=50, throws=(throw(6, 6),), pensions={1: 50, 2: 500})
    state, events = settled(state, 6, 6, 6, 6, 6, 6, 6, 6, 1, 2)
    assert of(events, PawnMoved) == [PawnMoved(63, 2, 1, "blue")]
    assert [event.times for event in of(events, PensionPaid)] == [2, 2, 2]
    assert hands(state) == [Pieces(ones=5, tens=1), Pieces(ones=5, tens=10), Pieces(ones=5, hundreds=10)]


def test_pension_cards__are_no_money_and_everybody_can_have_the_best() -> None:
    """Five cards of 500 are out at once; what they are worth counts for nothing."""
    best: dict[int, Card] = dict.fromkeys(range(5), 500)
    state = situation({}, seats=5, pensions=best, waiting=(0,))
    assert [player.money for player in state.players] == [0] * 5
    bought = situation({0: Pieces(1, ten_thousands=1)}, seats=5, pensions={**best, 0: 50})
    bought = after(replace(bought, waiting=(0,)), 0, BuyPension(ten_thousands=1))
    assert [player.pension for player in bought.players] == [500] * 5


def test_chance_one_draw__what_is_decided_before_dice_draws_none() -> None:
    """The last stake and what is done with the first throw draw; a stake before it does not."""
    state = situation(SOME, waiting=(1, 0))
    RULESET.decide(state, 1, Stake(), WithheldChance())
    for moment, command in ((situation(SOME, waiting=(0,)), Stake()), (landing(0, SOME, {}, pawn=4), AcceptThrow())):
        try:
            RULESET.decide(moment, 0, command, WithheldChance())
        except ChanceWithheld:
            continue
        raise AssertionError(command)


@pytest.mark.parametrize(
    ("field", "english", "german"),
    [
        (BEIGE, "beige: stakes are lost.", "Beige: Einsätze sind verloren."),
        (RED, "red: stakes gain 100 times as much.", "Rot: Einsätze gewinnen das 100-Fache."),
    ],
)
def test_roll_decline__the_offer_says_where_the_pawn_lands_and_what_that_means(
    field: int, english: str, german: str
) -> None:
    """A 1 and a 2 lead there."""
    state = landing(field, {}, {})
    [offer] = offered(state, state.roller, "AcceptThrow")
    assert RULESET.texts.tell_offer(state, offer, "en") == (
        f"Let the throw stand: 1 and 2. The pawn lands on {field}, {english}"
    )
    assert RULESET.texts.tell_offer(state, offer, "de").endswith(f"Der Stein kommt auf {field}, {german}")


def test_stake_pieces__the_offer_names_only_pieces_in_hand() -> None:
    state = situation({1: Pieces(3, hundreds=2, ten_thousands=1)}, waiting=(1, 2, 0))
    [offer] = offered(state, 1, "Stake")
    assert RULESET.texts.tell_offer(state, offer, "en") == "Stake up to 1 × 10,000, 2 × 100 and 3 × 1, or nothing."
    assert RULESET.texts.tell_offer(state, offer, "de") == "Bis zu 1 × 10.000, 2 × 100 und 3 × 1 setzen, oder nichts."

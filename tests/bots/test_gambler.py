"""The gambler in the Millionenspiel: what it stakes, buys and declines, and how it fares among random players."""

from itertools import product
from typing import Any

import msgspec
import pytest

from benchmarks.contests import contest, interval, played
from mcmulti.bots.gambler import gambler
from mcmulti.bots.strategies import strategies_of
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.domain.millionenspiel.state import Millionenspiel
from tests.pure.millionenspiel.situations import situation, throw

ADA, BEN, CLEO = range(3)


def chosen(state: Millionenspiel, seat: int) -> dict[str, Any]:
    """What a gambler does on this seat."""
    wire = msgspec.json.encode((RULESET.view(state, seat), RULESET.offers(state, seat)))
    view, offers = msgspec.json.decode(wire)
    [command] = gambler(view, offers)
    assert msgspec.json.encode((view, offers)) == wire, "a strategy leaves alone what it is shown"
    return command


def staking(pawn: int, purse: Pieces) -> dict[str, Any]:
    """What it does before its stake when the pawn stands there."""
    return chosen(situation({BEN: purse, CLEO: Pieces(5)}, waiting=(BEN, CLEO, ADA), pawn=pawn), BEN)


def declining(pawn: int, dice: tuple[int, int], purse: Pieces, stake: Pieces) -> str:
    """Whether it accepts a throw, as Ada, when the others have five chips each in hand."""
    others = {BEN: Pieces(5), CLEO: Pieces(5)}
    state = situation(
        {ADA: purse, **others}, {ADA: stake}, phase="declining", pawn=pawn, throws=(throw(*dice),), roller=ADA
    )
    command = chosen(state, ADA)
    return str(command["type"])


def test_it_is_the_strategy_that_plays_the_millionenspiel_best() -> None:
    assert strategies_of("millionenspiel") == ("gambler", "random")


def test_it_stakes_all_where_red_is_near_and_half_elsewhere() -> None:
    """From field 41 red lies 4, 6, 9 and 11 steps away, 12 of 36 throws without doubles; from the arrow blue and beige.

    Of 35 half is 17: a 10, and of five 1s all five.
    """
    nothing = dict.fromkeys(("hundreds", "thousands", "ten_thousands", "hundred_thousands"), 0)
    assert staking(41, Pieces(ones=5, tens=3)) == {"type": "Stake", "ones": 5, "tens": 3, **nothing}
    assert staking(0, Pieces(ones=5, tens=3)) == {"type": "Stake", "ones": 5, "tens": 1, **nothing}


def test_it_buys_the_next_card_whenever_it_can() -> None:
    bought = staking(0, Pieces(5, thousands=1))
    assert (bought["type"], bought["thousands"]) == ("BuyPension", 1)


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
    """From 26 three steps to 29, where it would lose all it has."""
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


def test_the_same_seed_gives_the_same_game() -> None:
    assert played(RULESET, [gambler] * 3, 5) == played(RULESET, [gambler] * 3, 5)


def test_between_which_shares_the_true_one_lies() -> None:
    """Wilson's interval of 50 in 100, and of none in 10: 0.404 to 0.596, and 0 to 0.278, as tables have it."""
    assert interval(50, 100) == pytest.approx((0.404, 0.596), abs=5e-4)
    assert interval(0, 10) == pytest.approx((0, 0.278), abs=5e-4)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_gambler_wins_far_more_than_its_share_among_random_players(seats: int) -> None:
    """In 1,000 games more than twice its share (docs/bots.md): here 40, and half as much again."""
    assert sum(contest(RULESET, lambda seed: gambler, seats, 40)) > 1.5 * 40 / seats

"""The end of a game by post in which nothing changes anymore."""

from msgspec.structs import replace

from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.oil.rules.ending import AssetsLiquidated, GameStoodStill
from mcmulti.domain.oil.state import Standing
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.refereeing.ending import GameFinished
from mcmulti.domain.postal.refereeing.refereeing import RoundBegan
from mcmulti.domain.postal.sheets.sheet import BuyBarrelsOrder, OrderSheet
from mcmulti.domain.postal.shown.view import view
from tests.pure.postal.situations import NOTHING, A, B, C, D, refereed, situation, started

ALL = dict.fromkeys(range(4), NOTHING)
QUIET = (1, 2) * 4
"""Dice of a round without a double."""


def test_table_standstill__ten_rounds_in_which_nothing_changes_end_the_game() -> None:
    """From the start, empty sheets and nothing on the board: rounds 1 to 9 lead to the next, round 10 to the end."""
    state = started()
    for number in range(1, 10):
        assert state.round == number
        happened, state = refereed(state, ALL, QUIET)
        assert GameStoodStill(10) not in happened
        assert view(state, None).still == 4 * number
    happened, state = refereed(state, ALL, QUIET)
    standings = tuple(Standing(seat, 1, 200, 6) for seat in (A, B, C, D))
    assert happened[-3:] == [
        GameStoodStill(10),
        GameFinished(standings, (A, B, C, D), "shared"),
        SeedRevealed("00" * 32),
    ]
    assert RULESET.status(state) == "finished"
    assert RULESET.outcome(state).declared_by is None


def test_table_standstill__a_change_in_any_turn_of_a_round_puts_it_off() -> None:
    """D, the last in round 5, buys a barrel for 6: the tenth round after it is round 15, not round 14."""
    state = replace(situation(), still=36)
    sheet = OrderSheet(trades=(BuyBarrelsOrder("domestic", "crude", 1),))
    happened, state = refereed(state, {**ALL, D: sheet}, QUIET)
    assert happened[-1] == RoundBegan(6, (B, C, D, A), ())
    for number in range(6, 15):
        happened, state = refereed(state, ALL, QUIET)
        assert isinstance(happened[-1], RoundBegan), number
    happened, state = refereed(state, ALL, QUIET)
    assert GameStoodStill(10) in happened


def test_table_standstill__the_first_of_a_round_puts_it_off_as_long() -> None:
    """A, the first in round 5, buys a barrel: rounds 6 to 15 must be without a change, not just 40 turns."""
    state = replace(situation(), still=36)
    sheet = OrderSheet(trades=(BuyBarrelsOrder("domestic", "crude", 1),))
    happened, state = refereed(state, {**ALL, A: sheet}, QUIET)
    for _ in range(6, 15):
        happened, state = refereed(state, ALL, QUIET)
        assert isinstance(happened[-1], RoundBegan)
    happened, state = refereed(state, ALL, QUIET)
    assert GameStoodStill(10) in happened


def test_table_standstill__all_assets_are_sold_at_the_prices_of_a_depression_and_cash_decides() -> None:
    """B has 90 and, off the lines, two rigs and a station, 2 x 2 + 18 = 22. The others have 100. B wins with 112."""
    state = replace(
        situation(cash={A: 100, B: 90, C: 100, D: 100}, assets={B: "rig 6-6, rig 6-5, station 5-5"}), still=36
    )
    happened, over = refereed(state, ALL, QUIET)
    assert happened[-4:] == [
        GameStoodStill(10),
        AssetsLiquidated(B, rigs=2, wells=0, stations=1, refineries=0, proceeds=22),
        GameFinished(
            (Standing(B, 1, 112, 0), Standing(A, 2, 100, 0), Standing(C, 2, 100, 0), Standing(D, 2, 100, 0)),
            (B,),
            "cash",
        ),
        SeedRevealed("00" * 32),
    ]
    assert over.winners == (B,)

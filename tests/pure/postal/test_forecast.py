"""Trying a sheet out before the round."""

import pytest

from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.oil.rules.trading import BarrelsSold
from mcmulti.domain.postal.commands import SubmitOrders
from mcmulti.domain.postal.refereeing.acting import OrderSkipped
from mcmulti.domain.postal.refereeing.refereeing import TurnBegan
from mcmulti.domain.postal.sheets.checking import forecast
from mcmulti.domain.postal.sheets.sheet import BuyAssetOrder, ConvertRigOrder, OrderSheet, SellBarrelsOrder
from tests.pure.mcmulti.situations import site
from tests.pure.postal.situations import NOTHING, A, B, after, plot, situation, table, won

SHEET = OrderSheet(
    (BuyAssetOrder("station", plot("1-1")), BuyAssetOrder("station", plot("2-2"))),
    (SellBarrelsOrder("foreign", "gasoline", 2),),
)


def test_postal_forecast__phases_1_and_2_against_the_game_as_it_stands() -> None:
    """60 - 48 = 12 are left, not enough for another. 12 + 10 + 8 = 30."""
    decision = forecast(situation(cash=60, gasoline=2), B, SHEET)
    assert not isinstance(decision, Rejection)
    assert [fact.event for fact in decision.facts] == [
        TurnBegan(1, B, B),
        AssetBought(B, "station", site("1-1", B), 48),
        OrderSkipped(B, 2, "cash", 12, 48),
        BarrelsSold(B, "foreign", "gasoline", (10, 8)),
    ]
    assert decision.state.players[B].cash == 30


def test_postal_forecast__draws_no_dice_and_leaves_the_game_as_it_is() -> None:
    state = situation(cash=1000)
    decision = forecast(state, A, NOTHING)
    assert not isinstance(decision, Rejection)
    assert decision.state.draws == state.draws == 0
    assert state == situation(cash=1000)


def test_postal_forecast__tells_nothing_of_sealed_sheets() -> None:
    """A's sheet is in. What B's would do is the same without it."""
    open_game = situation(cash=60, gasoline=2)
    sealed = after(open_game, A, SubmitOrders(5, SHEET))
    told = [forecast(state, B, SHEET) for state in (open_game, sealed)]
    assert [list(each.facts) for each in told if not isinstance(each, Rejection)] == [list(told[0].facts)] * 2  # type: ignore[union-attr]


@pytest.mark.parametrize("phase", ["seating", "over", "large"])
def test_postal_forecast__is_refused_where_the_sheet_would_be(phase: str) -> None:
    over = won()[1]
    state = {"seating": table(), "over": over}.get(phase, situation())
    sheet = OrderSheet((ConvertRigOrder(),) * 200) if phase == "large" else NOTHING
    refusal = forecast(state, A, sheet)
    assert isinstance(refusal, Rejection)
    assert refusal.code == {"seating": "not_started", "over": "game_over", "large": "sheet_lines"}[phase]

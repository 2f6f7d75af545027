"""The examples of rules and guide, carried out."""

from mcmulti.domain.mcmulti.commands import BuyAsset, EndTurn, SellGasoline
from tests.pure.guided import after_the_example
from tests.pure.mcmulti import situations as box


def test_game_turn__the_example_of_the_guide() -> None:
    """70 - 16 + 25 - 10 - 48 = 21 in cash. Gasoline: 1 + 1 - 1 + 1 = 2. Crude: 1 - 1 + 2 = 2."""
    ada, ben, *_ = after_the_example("mcmulti").table.players
    assert (ada.cash, ada.gasoline, ada.crude) == (21, 2, 2)
    assert (ben.gasoline, ben.crude) == (2, 2)


def test_game_example__of_the_box_game() -> None:
    """100 + 25 - 48 = 77."""
    state = box.rolled(box.situation(cash=100, gasoline={0: 2}, assets={0: "station 1-1"}), 1, 3)
    state = box.after(state, 0, SellGasoline(1))
    assert state.players[0].cash == 125
    state = box.after(state, 0, BuyAsset("station", box.site("2-2")))
    assert state.players[0].cash == 77
    assert box.after(state, 0, EndTurn()).movers == (1,)

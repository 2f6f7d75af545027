"""The examples of rules and guide, carried out."""

from mcmulti.domain.oil.rules.board import sites
from mcmulti.domain.postal.names import Plot
from mcmulti.domain.postal.sheets.sheet import BuyAssetOrder, OrderSheet
from tests.pure.guided import after_the_example
from tests.pure.postal.situations import A, refereed, situation


def test_game_turn__the_example_of_the_guide() -> None:
    """Ada: 200 - 48 - 64 - 5 + 10 + 26 + 25 = 144; crude 3 - 2 = 1, gasoline 3 - 1 - 2 + 2 = 2."""
    ada, *others = after_the_example("postal").table.players
    assert (ada.cash, ada.crude, ada.gasoline) == (144, 1, 2)
    assert [player.cash for player in others] == [152, 152, 200]


def test_game_example__by_post() -> None:
    """100 - 5 + 26 = 121. The others throw a 4 and a 5, which hit nothing."""
    state = situation(cash=100, gasoline=2, assets={A: "station 1-1"})
    sheet = OrderSheet((BuyAssetOrder("rig", Plot(2, 2)),))
    _, after = refereed(state, {A: sheet}, (1, 3, *(4, 5) * 3))
    assert after.players[A].cash == 121
    assert sites(A, after.quadrants[A].rigs)

"""Assets sold because of the news. Nothing else permits sales outside the asset phase."""

import pytest

from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, EndTurn, SellAsset
from mcmulti.domain.mcmulti.news.taxes import TaxPaid
from mcmulti.domain.mcmulti.phases.assets import AssetSold
from mcmulti.domain.mcmulti.state import State
from tests.pure.mcmulti.situations import after, events, offered, refused, rolled, site, situation


def _inspected(players: int = 4, **arrangement: object) -> State:
    """A double 6 brought the snap inspection: 3 for each barrel of crude, 5 for each of gasoline."""
    return rolled(situation(players, less_likely="snap_inspection", **arrangement), 6, 6)  # type: ignore[arg-type]


def test_forced_sale__without_news_nothing_is_sold_before_the_asset_phase() -> None:
    """The roll would hit the station and the gasoline could be sold: market phase, then production."""
    market = situation(assets={0: "station 1-2"}, gasoline=1)
    for state in (market, rolled(market, 1, 2)):
        rejection = refused(state, 0, SellAsset("station", site("1-2")))
        assert (rejection.code, rejection.rule) == ("out_of_phase", "turn/phases")


def test_forced_sale__needs_no_hit() -> None:
    """Nothing stands in row 6 or column 6. 9 are due, the station brings 24: 15 stay."""
    state = _inspected(cash=0, crude={0: 3}, assets={0: "station 1-1"})
    happened = events(state, 0, SellAsset("station", site("1-1")), (1,))
    assert happened[:2] == [AssetSold(0, "station", site("1-1"), 24), TaxPaid(0, 9, 9)]


def test_forced_sale__ends_when_the_sum_is_raised() -> None:
    """9 are due. Three rigs bring 9; the fourth is not sold, and the turn goes on."""
    state = _inspected(cash=0, crude={0: 3}, assets={0: "rig 1-1, rig 2-2, rig 3-3, rig 4-4"})
    state = after(state, 0, SellAsset("rig", site("1-1")))
    state = after(state, 0, SellAsset("rig", site("2-2")))
    assert (state.phase, state.players[0].cash) == ("news", 6)
    state = after(state, 0, SellAsset("rig", site("3-3")), (1,))
    assert (state.phase, state.players[0].cash) == ("assets", 0)
    rejection = refused(state, 0, SellAsset("rig", site("4-4")))
    assert (rejection.code, rejection.rule) == ("not_productive", "assets/sell")


@pytest.mark.parametrize(("cash", "asked"), [(8, True), (9, False)])
def test_forced_sale__who_has_the_cash_may_not_sell(cash: int, asked: bool) -> None:
    state = situation(cash=cash, crude={0: 3}, assets={0: "station 1-1"})
    state = rolled(state, 6, 6) if asked else rolled(state, 6, 6, 1)
    assert (state.phase == "news") is asked
    assert (offered(state, 0, "SellAsset") != []) is asked


def test_forced_sale__when_all_is_sold_the_player_pays_what_there_is() -> None:
    """50 are due for ten barrels of gasoline. 2 + two rigs at 3 + well at 30 = 38."""
    state = _inspected(cash={0: 2}, gasoline={0: 10}, assets={0: "rig 1-1, rig 2-2, well 3-3"})
    state = after(state, 0, SellAsset("rig", site("1-1")))
    state = after(state, 0, SellAsset("well", site("3-3")))
    assert TaxPaid(0, 50, 38) in events(state, 0, SellAsset("rig", site("2-2")), (1,))
    state = after(state, 0, SellAsset("rig", site("2-2")), (1,))
    assert (state.players[0].cash, state.players[0].gasoline) == (0, 10)
    assert state.quadrants[0].occupied == 0


def test_forced_sale__with_two_players_assets_of_both_quadrants_may_be_sold() -> None:
    state = _inspected(2, cash=0, crude={0: 3}, assets={0: "rig 1-1", 2: "station 5-5"})
    assert {offer.rule for offer in offered(state, 0, "SellAsset")} == {"forced/sale"}
    sold = after(state, 0, SellAsset("station", site("5-5", 2)), (1,))
    assert sold.players[0].cash == 15


@pytest.mark.parametrize(
    ("kind", "place", "quadrant"),
    [("rig", "2-2", 0), ("rig", "1-1", 1), ("rig", "5-5", 0)],
)
def test_forced_sale__only_of_assets_that_the_player_has(kind: str, place: str, quadrant: int) -> None:
    """A free site, another player's rig, a refinery."""
    state = _inspected(cash=0, crude={0: 3}, assets={0: "rig 1-1, refinery 5-5", 1: "rig 1-1"})
    rejection = refused(state, 0, SellAsset(kind, site(place, quadrant)))  # type: ignore[arg-type]
    assert (rejection.code, rejection.rule, rejection.field) == ("not_forced", "forced/sale", "site")


def test_forced_sale__a_kind_that_the_player_has_none_of_is_refused_too() -> None:
    state = _inspected(cash=0, crude={0: 3}, assets={0: "rig 1-1"})
    rejection = refused(state, 0, SellAsset("station", site("1-1")))
    assert (rejection.code, rejection.rule) == ("not_forced", "forced/sale")


def test_forced_sale__nobody_else_sells_meanwhile_and_nothing_else_is_done() -> None:
    state = _inspected(cash=0, crude={1: 3}, assets={0: "rig 1-1", 1: "rig 1-1"})
    assert RULESET.to_move(state) == (1,)
    other = refused(state, 0, SellAsset("rig", site("1-1", 0)))
    assert (other.code, other.rule) == ("out_of_turn", "turn/phases")
    for command in (EndTurn(), BuyAsset("rig", site("2-2", 1))):
        rejection = refused(state, 1, command)
        assert (rejection.code, rejection.rule) == ("out_of_phase", "turn/phases")

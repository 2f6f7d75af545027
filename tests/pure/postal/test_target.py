"""Who wins, and when."""

from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.core.table import SeedRevealed
from mcmulti.domain.oil.state import Standing
from mcmulti.domain.postal import RULESET
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.refereeing.assets import AssetSold
from mcmulti.domain.postal.refereeing.carrying_out import ConditionChecked
from mcmulti.domain.postal.refereeing.dice import DiceRolled
from mcmulti.domain.postal.refereeing.ending import GameFinished
from mcmulti.domain.postal.refereeing.production import GasolineSold
from mcmulti.domain.postal.refereeing.refereeing import TurnBegan
from mcmulti.domain.postal.sheets.checking import forecast
from mcmulti.domain.postal.sheets.sheet import (
    BuyAssetOrder,
    BuyBarrelsOrder,
    IfOrder,
    OrderSheet,
    SellAssetOrder,
    SellBarrelsOrder,
)
from tests.pure.postal.situations import NOTHING, A, B, C, D, plot, refereed, situation, turn_of

ALL = dict.fromkeys(range(4), NOTHING)


def test_postal_target__after_a_line_before_barrels_and_dice() -> None:
    """976 and a station for 24 make 1000: the barrel of line 2 is never sold, no die falls, B has no turn."""
    state = situation(cash={A: 976}, crude=1, assets={A: "station 1-1"}, hits={A: "station 1-1"})
    sheet = OrderSheet((SellAssetOrder("station", plot("1-1")),), (SellBarrelsOrder("domestic", "crude", 1),))
    happened, over = refereed(state, {**ALL, A: sheet}, ())
    standings = (Standing(A, 1, 1000, 1), Standing(B, 2, 0, 1), Standing(C, 2, 0, 1), Standing(D, 2, 0, 1))
    assert happened[-2:] == [GameFinished(standings, (A,), "target"), SeedRevealed("00" * 32)]
    assert [event.seat for event in happened if isinstance(event, TurnBegan)] == [A]
    assert over.players[A].crude == 1
    assert RULESET.status(over) == "finished"


def test_postal_target__what_is_reached_cannot_be_spent_by_the_next_line() -> None:
    """976 + 24 = 1000. The rig of the next line, which would leave 995, is never bought."""
    state = situation(cash={A: 976}, assets={A: "station 1-1"}, hits={A: "station 1-1"})
    sheet = OrderSheet((SellAssetOrder("station", plot("1-1")), BuyAssetOrder("rig", plot("5-5"))))
    happened, over = refereed(state, {**ALL, A: sheet}, ())
    assert [type(event) for event in happened[-3:]] == [AssetSold, GameFinished, SeedRevealed]
    assert (over.winners, over.players[A].cash) == ((A,), 1000)


def test_postal_target__a_line_of_a_branch_ends_all_that_stands_behind_it() -> None:
    """As before, but two ifs deep: neither the rest of the branches nor phase 2 is carried out."""
    state = situation(cash={A: 976}, crude=1, assets={A: "station 1-1"}, hits={A: "station 1-1"})
    rig = BuyAssetOrder("rig", plot("5-5"))
    inner = IfOrder(c.CashIs(at_least=1), (SellAssetOrder("station", plot("1-1")), rig))
    sheet = OrderSheet((IfOrder(c.CashIs(at_least=1), (inner, rig)), rig), (BuyBarrelsOrder("foreign", "crude", 1),))
    happened, over = refereed(state, {**ALL, A: sheet}, ())
    told = [type(event) for event in turn_of(A, happened)]
    assert told == [ConditionChecked, ConditionChecked, AssetSold, GameFinished, SeedRevealed]
    assert over.players[A].cash == 1000


def test_postal_target__what_a_later_line_would_bring_comes_too_late() -> None:
    """999, and a rig for 5 before a sale for 24: after the first line 994, after the second 1018 wins."""
    state = situation(cash={A: 999}, assets={A: "station 1-1"}, hits={A: "station 1-1"})
    sheet = OrderSheet((BuyAssetOrder("rig", plot("5-5")), SellAssetOrder("station", plot("1-1"))))
    _, over = refereed(state, {**ALL, A: sheet}, ())
    assert (over.winners, over.players[A].cash) == ((A,), 1018)


def test_postal_target__the_referee_sells_for_a_player_without_orders_no_further_than_that() -> None:
    """The hundredth conversion costs 1000. 997 and a rig for 3 have won before it is paid for."""
    state = situation(
        cash={A: 997}, conversions=99, assets={A: "rig 1-1, rig 1-2"}, hits={A: "rig 1-1, rig 1-2"}, struck={A: "1-1"}
    )
    happened, over = refereed(state, {}, ())
    assert [type(event) for event in turn_of(A, happened)[1:]] == [AssetSold, GameFinished, SeedRevealed]
    assert over.winners == (A,)


def test_postal_target__a_forecast_ends_with_it_too() -> None:
    state = situation(cash={A: 976}, assets={A: "station 1-1"}, hits={A: "station 1-1"})
    sheet = OrderSheet((SellAssetOrder("station", plot("1-1")), BuyAssetOrder("rig", plot("5-5"))))
    decision = forecast(state, A, sheet)
    assert not isinstance(decision, Rejection)
    assert [type(fact.event) for fact in decision.facts] == [TurnBegan, AssetSold, GameFinished]


def test_postal_target__after_phase_2() -> None:
    """995 and a barrel of crude for 5."""
    sheet = OrderSheet(trades=(SellBarrelsOrder("domestic", "crude", 1),))
    happened, _ = refereed(situation(cash={A: 995}, crude=1), {**ALL, A: sheet}, ())
    assert isinstance(happened[-2], GameFinished)
    assert not [event for event in happened if isinstance(event, DiceRolled)]


def test_postal_target__999_is_not_enough() -> None:
    happened, _ = refereed(situation(cash=999), ALL)
    assert not [event for event in happened if isinstance(event, GameFinished)]


def test_postal_target__974_and_one_sale_at_26_win() -> None:
    """A double hit could sell two, at 26 and 25. With 974 + 26 = 1000 the second barrel stays. 973 needs both."""
    state = situation(cash={A: 974}, gasoline=2, crude=1, assets={A: "station 2-3, refinery 2-4, well 2-1"})
    happened, over = refereed(state, ALL, (2, 3))
    ending = [GasolineSold, GameFinished, SeedRevealed]  # nothing is refined or pumped anymore
    assert [type(event) for event in happened[-3:]] == ending
    assert (over.winners, over.players[A].cash, over.players[A].gasoline) == ((A,), 1000, 1)
    state = situation(cash={A: 973}, gasoline=2, assets={A: "station 2-3"})
    assert refereed(state, ALL, (2, 3))[1].players[A].cash == 973 + 26 + 25


def test_postal_target__after_every_sale_in_operating_order() -> None:
    """A and B would both sell when A rolls. A sells at 26 and has 990 + 26 = 1016: B, who has 999, sells nothing."""
    state = situation(cash={A: 990, B: 999}, gasoline=1, assets={A: "station 2-1", B: "station 2-1"})
    happened, over = refereed(state, ALL, (2, 6))
    assert [event.prices for event in happened if isinstance(event, GasolineSold)] == [(26,)]
    assert over.winners == (A,)
    assert [(each.seat, each.rank, each.cash) for each in over.standings[:2]] == [(A, 1, 1016), (B, 2, 999)]


def test_postal_target__a_neighbor_may_win_in_the_turn_of_another() -> None:
    """A rolls column 3, which D shares: D sells at 26 and has 999 + 26 = 1025. B, C, and D have no more turns."""
    state = situation(cash={D: 999}, gasoline=1, assets={D: "station 5-3"})
    happened, over = refereed(state, ALL, (2, 3))
    assert over.winners == (D,)
    assert [event.seat for event in happened if isinstance(event, TurnBegan)] == [A]
    assert isinstance(turn_of(A, happened)[-1], SeedRevealed)


def test_postal_target__the_rank_of_equals_is_shared() -> None:
    """After the winner, cash counts, then barrels."""
    state = situation(cash={A: 995, B: 7, C: 7, D: 7}, crude={A: 1, D: 2})
    sale = OrderSheet(trades=(SellBarrelsOrder("domestic", "crude", 1),))
    _, over = refereed(state, {**ALL, A: sale}, ())
    assert [(each.seat, each.rank) for each in over.standings] == [(A, 1), (D, 2), (B, 3), (C, 3)]

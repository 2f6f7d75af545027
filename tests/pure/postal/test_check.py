"""Mistakes in sheets that are found before the round."""

from typing import Any

import pytest

from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.sheets.checking import check
from mcmulti.domain.postal.sheets.sheet import (
    BuyAssetOrder,
    BuyBarrelsOrder,
    ConvertRigOrder,
    HoldPumps,
    IfOrder,
    IfPumps,
    IfTrade,
    OrderSheet,
    SellAtPumps,
    SellBarrelsOrder,
)
from tests.pure.postal.situations import NOTHING, A, plot, refereed, situation

CONVERT = ConvertRigOrder()
RICH, POOR = c.CashIs(at_least=50), c.CashIs(at_most=49)
BOOM, BUST = c.ClimateIs(("prosperity",)), c.ClimateIs(("depression", "recession"))


def said(sheet: OrderSheet) -> list[tuple[int | None, str]]:
    return [(remark.line, remark.code) for remark in check(situation(), A, sheet)]


def judged(condition: c.Condition) -> list[tuple[int | None, str]]:
    """Findings about an if with both branches."""
    return said(OrderSheet((IfOrder(condition, (CONVERT,), (CONVERT,)),)))


@pytest.mark.parametrize(
    "never",
    [
        c.CashIs(at_least=6, at_most=5),
        c.AllOf((RICH, POOR)),
        c.AllOf((BOOM, BUST)),
        c.AllOf((c.Not(BOOM), BOOM)),
        c.AnyOf((c.AllOf((RICH, POOR)), c.ConsumerPriceIs(at_least=81))),
        c.Not(c.CashIs(at_least=0)),
        c.ConsumerPriceIs(at_least=81),
        c.ConsumerPriceIs(at_most=0),
        c.PriceIs(deal="buy", market="domestic", good="crude", at_least=27),
        c.PriceIs(deal="sell", market="domestic", good="gasoline", at_most=1),
        c.AssetsAre(at_least=37),
        c.ClimateChangesAre(at_least=3),
        c.RoundIs(at_most=0),
        c.RollsAre(at_least=5),
        c.RollsAre(at_least=2, seat=1),
        c.AssetDealsAre(deed="bought", kind="well"),
        c.AssetDealsAre(deed="converted", kind="station"),
        c.BarrelDealsAre(deed="bought", market="consumers"),
        c.BarrelDealsAre(good="crude", market="consumers"),
        c.AllOf((c.AssetAt(plot("1-1")), c.Not(c.AssetAt(plot("1-1"))))),
        c.AllOf((c.AssetDealsAre(deed="sold"), c.AssetDealsAre(deed="sold", at_most=0))),
    ],
)
def test_postal_check__a_condition_that_can_never_hold(never: c.Condition) -> None:
    assert judged(never) == [(1, "never_then")]


@pytest.mark.parametrize(
    "always",
    [
        c.CashIs(at_least=0),
        c.ClimateChangesAre(at_most=2),
        c.AnyOf((RICH, POOR)),
        c.ClimateIs(("recovery", "expansion", "rapid_growth", "prosperity", "downturn", "recession", "depression")),
        c.Not(c.AllOf((BOOM, BUST))),
        c.BarrelsAre(good="crude"),
        c.RoundIs(at_least=1),
        c.RollsAre(at_most=4),
        c.AssetDealsAre(deed="converted", kind="rig", at_least=0),
        c.AnyOf((c.AssetAt(plot("1-1")), c.Not(c.AssetAt(plot("1-1"))))),
    ],
)
def test_postal_check__a_condition_that_always_holds_has_no_else(always: c.Condition) -> None:
    assert judged(always) == [(1, "never_else")]
    assert said(OrderSheet((IfOrder(always, (CONVERT,)),))) == []


@pytest.mark.parametrize(
    "open_question",
    [
        RICH,
        c.AllOf((RICH, c.Not(BOOM))),
        c.AnyOf((BOOM, BUST)),
        c.PriceIs(deal="buy", market="domestic", good="crude", at_least=0),  # there may be no crude to buy
        c.CashIs(at_least=50, seat=1),
        c.AllOf((RICH, c.CashIs(at_most=49, seat=1))),
        c.AssetAt(plot("1-1")),
        c.Not(c.AssetAt(plot("1-1"), "rig")),
        c.AllOf((c.AssetAt(plot("1-1")), c.AssetAt(plot("1-1"), seat=1))),
        c.AssetDealsAre(deed="bought"),
        c.BarrelDealsAre(),
        c.BarrelDealsAre(deed="sold", market="consumers"),
        c.RollsAre(double=True),
        c.Compares(q.CashOf(), q.CashOf(1)),
    ],
)
def test_postal_check__nothing_is_said_of_what_may_be(open_question: c.Condition) -> None:
    assert judged(open_question) == []


def test_postal_check__a_condition_within_its_own_negation() -> None:
    """Line 2 only applies if the climate is not prosperity, line 3 only if it is."""
    sheet = OrderSheet((IfOrder(c.Not(BOOM), (IfOrder(BOOM, (CONVERT,)),)),))
    assert said(sheet) == [(2, "never_then")]
    sheet = OrderSheet((IfOrder(RICH, (), (IfOrder(RICH, (CONVERT,)),)),))
    assert said(sheet) == [(2, "never_then")]


def test_postal_check__a_condition_that_is_asked_again_within_itself() -> None:
    sheet = OrderSheet((IfOrder(RICH, (IfOrder(c.CashIs(at_least=20), (), (CONVERT,)),)),))
    assert said(sheet) == [(2, "never_else")]


def test_postal_check__what_a_line_may_have_changed_is_not_taken_for_known() -> None:
    """A rig is bought in between: cash may be short now. The climate is unchanged."""
    rig = BuyAssetOrder("rig", plot("1-1"))
    assert said(OrderSheet((IfOrder(RICH, (rig, IfOrder(POOR, (CONVERT,)))),))) == []
    assert said(OrderSheet((IfOrder(BOOM, (rig, IfOrder(BUST, (CONVERT,)))),))) == [(3, "never_then")]


def test_postal_check__prices_that_never_are() -> None:
    trades: tuple[Any, ...] = (
        BuyBarrelsOrder("domestic", "gasoline", 1, not_above=1),
        BuyBarrelsOrder("domestic", "gasoline", 1, not_above=2),
        SellBarrelsOrder("domestic", "crude", 1, not_below=27),
        SellBarrelsOrder("domestic", "crude", 1, not_below=26),
    )
    assert said(OrderSheet(trades=trades)) == [(1, "never_buys"), (3, "never_sells")]


def test_postal_check__refineries_that_never_fit() -> None:
    """A refinery takes two rows and two columns of six: its top-left site is in row and column 1 to 5."""
    orders = tuple(BuyAssetOrder("refinery", plot(at)) for at in ("5-5", "6-1", "1-6", "5-1"))
    assert said(OrderSheet((*orders, BuyAssetOrder("rig", plot("6-6"))))) == [(2, "never_fits"), (3, "never_fits")]


def test_postal_check__pumps_that_never_sell() -> None:
    """The highest price on the track is 80."""
    assert said(OrderSheet(pumps=SellAtPumps(not_below=80))) == []
    assert said(OrderSheet(pumps=SellAtPumps(not_below=81))) == [(1, "never_sells")]


def test_postal_check__two_markets() -> None:
    home, abroad = SellBarrelsOrder("domestic", "crude", 1), SellBarrelsOrder("foreign", "crude", 1)
    assert said(OrderSheet(trades=(home, abroad))) == [(2, "two_markets")]
    assert said(OrderSheet(trades=(IfTrade(RICH, (home,), (abroad,)),))) == []
    assert said(OrderSheet(trades=(IfTrade(RICH, (home,)), abroad))) == [(3, "two_markets")]


def test_postal_check__pumps() -> None:
    sheet = OrderSheet(pumps=IfPumps(c.ClimateChangesAre(at_most=2), SellAtPumps(), HoldPumps()))
    assert said(sheet) == [(1, "never_else")]


def test_postal_check__consumers_may_buy_nothing_so_no_condition_on_their_price_always_holds() -> None:
    """As on an empty or full market. Consumers pay 1 to 80."""
    for asked in (c.ConsumerPriceIs(at_least=1), c.ConsumerPriceIs(at_most=80)):
        assert judged(asked) == []
    within = IfOrder(c.ConsumerPriceIs(at_most=9), (IfOrder(c.ConsumerPriceIs(at_least=10), (CONVERT,)),))
    assert said(OrderSheet((within,))) == [(2, "never_then")]


def test_postal_check__a_sheet_that_is_too_large() -> None:
    (remark,) = check(situation(), A, OrderSheet((CONVERT,) * 200))
    assert (remark.line, remark.code) == (201, "sheet_lines")


def test_postal_check__the_bound_of_what_is_known_is_exact() -> None:
    """Not at most 49 leaves 50, and not at least 50 leaves 49. The first case excludes 49, and the second 50."""

    def within(outer: c.Condition, cash: int) -> OrderSheet:
        return OrderSheet((IfOrder(outer, (), (IfOrder(c.CashIs(at_least=cash, at_most=cash), (CONVERT,)),)),))

    assert said(within(POOR, 50)) == []
    assert said(within(POOR, 49)) == [(2, "never_then")]
    assert said(within(RICH, 49)) == []
    assert said(within(RICH, 50)) == [(2, "never_then")]


def test_postal_check__an_empty_sheet_is_an_order_to_do_nothing() -> None:
    """It gives up what the referee does for a player without a sheet (`postal/no-orders`)."""
    assert said(NOTHING) == [(None, "nothing_ordered")]
    assert said(OrderSheet(pumps=HoldPumps())) == []
    (german,) = check(situation(), A, NOTHING, "de")
    assert german.sentence.startswith("Der Bogen befiehlt, nichts zu tun")


def test_postal_no_orders__an_empty_sheet_is_not_the_same_as_none() -> None:
    """A's rig 2-2 had a double hit, and A has 100: without a sheet, it is converted for 10."""
    state = situation(assets={A: "rig 2-2"}, hits={A: "rig 2-2"}, struck={A: "2-2"})
    sent = dict.fromkeys(range(4), NOTHING)
    assert refereed(state, sent)[1].players[A].cash == 100
    del sent[A]
    assert refereed(state, sent)[1].players[A].cash == 90


def test_postal_check__a_line_that_is_not_carried_out_before() -> None:
    """Line 1 refers to itself, and to line 3, which comes after it. Line 3 may refer to 2. Line 4 is about pumps."""
    late = IfOrder(c.AnyOf((c.LineWas(3), c.Not(c.LineWas(1)))), (CONVERT,))
    assert said(OrderSheet((late, IfOrder(c.LineWas(2)))))[:2] == [(1, "not_before"), (1, "not_before")]
    assert said(OrderSheet((IfOrder(RICH, (CONVERT,)), IfOrder(c.LineWas(2))))) == []
    pumps = IfPumps(c.LineWas(4), SellAtPumps(), HoldPumps())
    assert said(OrderSheet((CONVERT, CONVERT, CONVERT), pumps=pumps)) == [(4, "not_before")]
    assert said(OrderSheet((CONVERT, CONVERT, CONVERT), pumps=IfPumps(c.LineWas(3), SellAtPumps(), HoldPumps()))) == []


def test_postal_check__what_others_did_is_still_known_behind_a_line() -> None:
    """A buys a rig in between: this does not change what B has bought so far, but it changes what all bought."""
    rig = BuyAssetOrder("rig", plot("1-1"))
    of_b, of_all = c.AssetDealsAre(deed="bought", seat=1), c.AssetDealsAre(deed="bought")
    none_of_b = c.AssetDealsAre(deed="bought", seat=1, at_most=0)
    none_of_all = c.AssetDealsAre(deed="bought", at_most=0)
    assert said(OrderSheet((IfOrder(of_b, (rig, IfOrder(none_of_b, (CONVERT,)))),))) == [(3, "never_then")]
    assert said(OrderSheet((IfOrder(none_of_all, (rig, IfOrder(of_all, (CONVERT,)))),))) == []

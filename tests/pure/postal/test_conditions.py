"""Conditions: their questions, their results, and the lines that they lead to."""

import pytest

from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions.findings import Circumstances, Finding, examine
from mcmulti.domain.postal.refereeing.acting import OrderSkipped
from mcmulti.domain.postal.refereeing.carrying_out import ConditionChecked
from mcmulti.domain.postal.refereeing.production import GasolineSold, PumpsHeld
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
)
from tests.pure.mcmulti.situations import site
from tests.pure.postal.situations import NOTHING, A, B, D, orders_of, plot, refereed, situation, turn_of

STATE = situation(
    climate="downturn",
    cash={A: 40, B: 70},
    crude={A: 3},
    gasoline={A: 2},
    consumer=19,
    assets={A: "rig 1-1, rig 1-2, refinery 3-3", B: "well 2-2"},
    domestic=Market(26, 0),
    conversions=6,
    changes=1,
)
"""The domestic market has no crude left to buy, and accepts no gasoline. The foreign one is as at the start."""

FOUND = [
    (c.ClimateIs(("recovery", "downturn")), "downturn", True),
    (c.ClimateIs(("recovery",)), "downturn", False),
    (c.PriceIs(deal="buy", market="foreign", good="crude", at_most=6), 6, True),
    (c.PriceIs(deal="sell", market="foreign", good="gasoline", at_least=11), 10, False),
    (c.PriceIs(deal="sell", market="domestic", good="crude", at_least=26), 26, True),
    (c.PriceIs(deal="buy", market="domestic", good="crude"), None, False),
    (c.PriceIs(deal="sell", market="domestic", good="gasoline"), None, False),
    (c.ConsumerPriceIs(at_least=19, at_most=19), 19, True),
    (c.ConsumerPriceIs(at_least=20), 19, False),
    (c.CashIs(at_least=40), 40, True),
    (c.CashIs(at_most=69, seat=B), 70, False),
    (c.BarrelsAre(good="crude", at_least=3), 3, True),
    (c.BarrelsAre(good="gasoline", at_least=3), 2, False),
    (c.AssetsAre(at_least=2, at_most=2, kind="rig"), 2, True),
    (c.AssetsAre(at_most=2), 3, False),
    (c.AssetsAre(at_least=1, kind="well", seat=B), 1, True),
    (c.ConversionsAre(at_most=5), 6, False),
    (c.AssetDealsAre(deed="converted", at_most=0), 0, True),
    (c.ClimateChangesAre(at_least=1), 1, True),
    (c.CashIs(), 40, True),
]


@pytest.mark.parametrize(("condition", "value", "held"), FOUND)
def test_postal_conditions__each_tells_the_figure_that_decided(
    condition: c.Condition, value: int | str | None, held: bool
) -> None:
    assert examine(Circumstances(STATE, A), condition) == (held, (Finding(condition, value, held),))  # type: ignore[arg-type]


RICH, POOR = c.CashIs(at_least=40), c.CashIs(at_most=39)


@pytest.mark.parametrize(
    ("condition", "held"),
    [
        (c.AllOf((RICH, RICH)), True),
        (c.AllOf((RICH, POOR)), False),
        (c.AnyOf((POOR, RICH)), True),
        (c.AnyOf((POOR, POOR)), False),
        (c.Not(POOR), True),
        (c.Not(c.AllOf((RICH, c.Not(POOR)))), False),
    ],
)
def test_postal_conditions__joined_by_all_any_and_not(condition: c.Condition, held: bool) -> None:
    assert examine(Circumstances(STATE, A), condition)[0] is held


def test_postal_conditions__every_part_is_looked_into_in_reading_order() -> None:
    """This includes parts after one that has already decided."""
    condition = c.AnyOf((RICH, c.Not(POOR)))
    assert examine(Circumstances(STATE, A), condition) == (True, (Finding(RICH, 40, True), Finding(POOR, 40, False)))


def test_postal_conditions__then_or_else_is_carried_out_and_all_lines_are_numbered() -> None:
    """1 if, 2 and 3 then, 4 else. 5 if, 6 then, 7 else, 8 after it. 40 - 5 = 35 makes the second condition fail."""
    state = situation(cash=40)
    sheet = OrderSheet(
        (
            IfOrder(
                RICH,
                (BuyAssetOrder("rig", plot("1-1")), ConvertRigOrder()),
                (BuyAssetOrder("rig", plot("2-2")),),
            ),
            IfOrder(RICH, (BuyAssetOrder("rig", plot("3-3")),), (ConvertRigOrder(),)),
            ConvertRigOrder(),
        )
    )
    assert orders_of(A, state, sheet) == [
        ConditionChecked(A, 1, True, (Finding(RICH, 40, True),)),
        AssetBought(A, "rig", site("1-1", A), 5),
        OrderSkipped(A, 3, "not_struck", None, None),
        ConditionChecked(A, 5, False, (Finding(RICH, 35, False),)),
        OrderSkipped(A, 7, "not_struck", None, None),
        OrderSkipped(A, 8, "not_struck", None, None),
    ]


def test_postal_conditions__lines_of_phase_2_follow_those_of_phase_1() -> None:
    """1 convert. 2 if, 3 then: nothing to convert, and too little cash for the barrel."""
    sheet = OrderSheet((ConvertRigOrder(),), (IfTrade(POOR, (BuyBarrelsOrder("domestic", "crude", 1),)),))
    assert orders_of(A, situation(cash=3), sheet) == [
        OrderSkipped(A, 1, "not_struck", None, None),
        ConditionChecked(A, 2, True, (Finding(POOR, 3, True),)),
        OrderSkipped(A, 3, "cash", 3, 6),
    ]


def test_postal_conditions__they_ask_when_the_lines_turn_comes() -> None:
    """B's first line sees what A did in the same round: A's cash is 100 - 48 = 52 by then."""
    sheets = dict.fromkeys(range(4), NOTHING) | {
        A: OrderSheet((BuyAssetOrder("station", plot("6-6")),)),
        B: OrderSheet((IfOrder(c.CashIs(at_least=53, seat=A)),)),
    }
    happened, _ = refereed(situation(), sheets)
    asked = c.CashIs(at_least=53, seat=A)
    assert turn_of(B, happened)[0] == ConditionChecked(B, 1, False, (Finding(asked, 52, False),))


def test_postal_conditions__conversions_and_changes_of_the_round_are_counted() -> None:
    """A converts, then rolls 2-2. B sees one conversion and one change this round, the seventh of the game."""
    state = situation(assets={A: "rig 3-5"}, hits={A: "rig 3-5"}, struck={A: "3-5"}, conversions=6)
    asked = c.AllOf((c.ConversionsAre(at_least=7), c.AssetDealsAre(deed="converted"), c.ClimateChangesAre(1)))
    sheets = dict.fromkeys(range(4), NOTHING) | {
        A: OrderSheet((ConvertRigOrder(),)),
        B: OrderSheet((IfOrder(asked),)),
    }
    happened, later = refereed(state, sheets, (2, 2, 1, 2, 1, 2, 1, 2))
    (checked,) = [event for event in happened if isinstance(event, ConditionChecked)]
    assert [finding.value for finding in checked.findings] == [7, 1, 1]
    assert checked.holds
    assert (later.conversions, later.climate_changes) == (7, 0)


def test_postal_conditions__pumps_ask_whenever_they_are_hit() -> None:
    """D's pump is in row 2 and column 3.

    It must hold while the price is below 26. A's roll finds 26 and sells at it, C's finds 25.

    The sheet: 1 if, 2 then, 3 else.
    """
    asked = c.ConsumerPriceIs(at_least=26)
    sheets = dict.fromkeys(range(4), NOTHING) | {D: OrderSheet(pumps=IfPumps(asked, SellAtPumps(), HoldPumps()))}
    state = situation(gasoline={D: 5}, assets={D: "station 2-3"})
    happened, _ = refereed(state, sheets, (6, 3, 1, 5, 2, 6, 5, 6))
    told = [event for event in happened if isinstance(event, ConditionChecked | GasolineSold | PumpsHeld)]
    assert told == [
        ConditionChecked(D, 1, True, (Finding(asked, 26, True),)),
        GasolineSold(D, (26,)),
        ConditionChecked(D, 1, False, (Finding(asked, 25, False),)),
        PumpsHeld(D, 3, 1),
    ]

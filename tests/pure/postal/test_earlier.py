"""Conditions about earlier events in the round, and comparisons of two quantities (rule 11 of the book)."""

from collections.abc import Mapping, Sequence

import pytest

from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions import quantities as q
from mcmulti.domain.postal.conditions.findings import Circumstances, Finding, examine
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
    SellAssetOrder,
    SellAtPumps,
    SellBarrelsOrder,
)
from mcmulti.domain.postal.state import State
from tests.pure.postal.situations import HARMLESS, NOTHING, A, B, C, D, plot, refereed, situation

ALL = dict.fromkeys(range(4), NOTHING)


def found(
    state: State, sheets: Mapping[int, OrderSheet], seat: int, *asked: c.Condition, dice: Sequence[int] = HARMLESS
) -> list[tuple[object, bool]]:
    """The results of the seat's conditions in phase 1 of its turn, after the turns of those before it."""
    asking = OrderSheet(tuple(IfOrder(condition) for condition in asked))
    happened, _ = refereed(state, {**ALL, **sheets, seat: asking}, dice)
    checked = [event for event in happened if isinstance(event, ConditionChecked) and event.seat == seat]
    return [(event.findings[0].value, event.holds) for event in checked]


BUSY = situation(
    cash={A: 400, B: 200, C: 100},
    gasoline={A: 4, B: 4},
    assets={A: "rig 3-5, refinery 4-1", B: "station 1-6"},
    hits={A: "rig 3-5, refinery 4-1"},
    struck={A: "3-5"},
)
OF_A = OrderSheet(
    (
        ConvertRigOrder(),
        SellAssetOrder("refinery", plot("4-1")),
        BuyAssetOrder("rig", plot("1-1")),
        BuyAssetOrder("station", plot("2-2")),
        BuyAssetOrder("rig", plot("6-6")),
    ),
    (SellBarrelsOrder("foreign", "gasoline", 2), BuyBarrelsOrder("foreign", "crude", 3)),
)
"""A converts its rig, sells its refinery, and buys two rigs and a station.

Abroad, it sells two barrels and buys three.
"""
OF_B = OrderSheet((BuyAssetOrder("rig", plot("1-1")),), (SellBarrelsOrder("domestic", "gasoline", 1),))
"""B buys a rig and sells a barrel at home. Row 1 hits its pump in its own roll, and in that of A, whose rows it shares:
it sells a barrel each time. The station of A is hit by column 2 in A's own roll."""


@pytest.mark.parametrize(
    ("asked", "figure", "held"),
    [
        (c.AssetDealsAre(deed="bought"), 4, True),
        (c.AssetDealsAre(deed="bought", seat=A), 3, True),
        (c.AssetDealsAre(deed="bought", kind="rig"), 3, True),
        (c.AssetDealsAre(deed="bought", kind="rig", seat=A, at_least=2, at_most=2), 2, True),
        (c.AssetDealsAre(deed="bought", kind="refinery"), 0, False),
        (c.AssetDealsAre(deed="bought", kind="refinery", at_most=0), 0, True),
        (c.AssetDealsAre(deed="bought", plot=plot("1-1")), 2, True),
        (c.AssetDealsAre(deed="bought", plot=plot("1-1"), seat=B), 1, True),
        (c.AssetDealsAre(deed="bought", plot=plot("2-2"), kind="rig"), 0, False),
        (c.AssetDealsAre(deed="sold", seat=A), 1, True),
        (c.AssetDealsAre(deed="sold", plot=plot("5-2")), 1, True),  # a site of the refinery
        (c.AssetDealsAre(deed="sold", plot=plot("6-2")), 0, False),
        (c.AssetDealsAre(deed="sold", seat=B), 0, False),
        (c.AssetDealsAre(deed="converted"), 1, True),
        (c.AssetDealsAre(deed="converted", plot=plot("3-5"), seat=A), 1, True),
        (c.AssetDealsAre(deed="converted", seat=B), 0, False),
        (c.BarrelDealsAre(seat=A, market="foreign"), 5, True),
        (c.BarrelDealsAre(seat=A, market="domestic"), 0, False),
        (c.BarrelDealsAre(market="domestic"), 1, True),
        (c.BarrelDealsAre(deed="sold", market="foreign"), 2, True),
        (c.BarrelDealsAre(deed="bought", good="crude"), 3, True),
        (c.BarrelDealsAre(deed="bought", good="gasoline"), 0, False),
        (c.BarrelDealsAre(deed="sold", good="gasoline", seat=B), 3, True),
        (c.BarrelDealsAre(deed="sold", market="consumers", seat=B), 2, True),
        (c.BarrelDealsAre(deed="sold", market="consumers", at_least=5), 3, False),
        (c.RollsAre(), 2, True),
        (c.RollsAre(seat=A), 1, True),
        (c.RollsAre(seat=D), 0, False),
        (c.RollsAre(row=1), 2, True),
        (c.RollsAre(row=1, column=2, seat=B), 1, True),
        (c.RollsAre(row=2), 0, False),
        (c.RollsAre(double=True), 0, False),
        (c.RollsAre(double=False, at_least=2), 2, True),
    ],
)
def test_postal_conditions__who_did_what_and_where_earlier_in_the_round(
    asked: c.Condition, figure: int, held: bool
) -> None:
    """C asks after A and B.

    A's roll hits its station by column 2, and B's pump by row 1. B's roll hits its pump and, by row 1, nothing
    productive of A.
    """
    assert found(BUSY, {A: OF_A, B: OF_B}, C, asked) == [(figure, held)]


def test_postal_conditions__what_comes_later_in_the_round_is_not_counted() -> None:
    """A comes first: nobody has done anything."""
    asked = (c.AssetDealsAre(deed="bought"), c.BarrelDealsAre(), c.RollsAre())
    assert found(BUSY, {B: OF_B}, A, *asked) == [(0, False)] * 3


def test_postal_conditions__the_round_before_is_not_counted() -> None:
    _, state = refereed(BUSY, {**ALL, A: OF_A, B: OF_B})
    asked = (c.AssetDealsAre(deed="bought"), c.BarrelDealsAre(deed="bought"))
    assert found(state, {}, B, *asked) == [(0, False)] * 2


def test_postal_conditions__doubles_that_are_rolled_again_are_no_rolls() -> None:
    """The climate changed twice: A's double 4-4 is void, then it rolls 1 and 2. B sees one roll, and no double."""
    asked = (c.RollsAre(), c.RollsAre(double=True), c.RollsAre(row=4))
    dice = (4, 4, *HARMLESS)
    assert found(situation(changes=2), {}, B, *asked, dice=dice) == [(1, True), (0, False), (0, False)]


def test_postal_conditions__a_double_was_rolled() -> None:
    asked = (c.RollsAre(double=True, seat=A), c.RollsAre(double=True, seat=B), c.ClimateChangesAre(1))
    assert found(situation(), {}, C, *asked, dice=(3, 3, 1, 2, 1, 2, 1, 2)) == [(1, True), (0, False), (1, True)]


# How things stand

STATE = situation(
    round=12,
    cash={A: 40, B: 70, C: 40},
    crude={A: 3, B: 5},
    consumer=19,
    assets={A: "rig 1-1, rig 1-2, refinery 3-3", B: "well 2-2"},
    hits={A: "rig 1-1, refinery 3-3"},
    domestic=Market(26, 0),
)
"""The domestic market has no crude left to buy."""


@pytest.mark.parametrize(
    ("asked", "value", "held"),
    [
        (c.BarrelsAre(good="crude", at_least=5, seat=B), 5, True),
        (c.BarrelsAre(good="gasoline", at_least=1, seat=B), 0, False),
        (c.RoundIs(at_least=12), 12, True),
        (c.RoundIs(at_most=11), 12, False),
        (c.AssetAt(plot("1-1")), "rig", True),
        (c.AssetAt(plot("1-1"), "rig"), "rig", True),
        (c.AssetAt(plot("1-1"), "well"), "rig", False),
        (c.AssetAt(plot("1-3")), None, False),
        (c.AssetAt(plot("4-4"), "refinery"), "refinery", True),
        (c.AssetAt(plot("5-4")), None, False),
        (c.AssetAt(plot("2-2"), seat=B), "well", True),
        (c.AssetAt(plot("2-2")), None, False),
        (c.AssetAt(plot("1-1"), hit=True), "rig", True),
        (c.AssetAt(plot("1-2"), hit=True), "rig", False),
        (c.AssetAt(plot("4-3"), hit=True), "refinery", True),
    ],
)
def test_postal_conditions__a_site_the_round_and_what_others_have(
    asked: c.Condition, value: int | str | None, held: bool
) -> None:
    assert examine(Circumstances(STATE, A), asked) == (held, (Finding(asked, value, held),))  # type: ignore[arg-type]


CASH, CASH_B, CASH_C = q.CashOf(), q.CashOf(B), q.CashOf(C)


@pytest.mark.parametrize(
    ("asked", "first", "other", "held"),
    [
        (c.Compares(CASH, CASH_B), 40, 70, False),
        (c.Compares(CASH_B, CASH), 70, 40, True),
        (c.Compares(CASH, CASH_C), 40, 40, False),
        (c.Compares(CASH, CASH_C, "at_least"), 40, 40, True),
        (c.Compares(CASH, CASH_C, "equal"), 40, 40, True),
        (c.Compares(CASH, CASH_C, "at_most"), 40, 40, True),
        (c.Compares(CASH, CASH_C, "less"), 40, 40, False),
        (c.Compares(CASH, CASH_B, "less"), 40, 70, True),
        (c.Compares(CASH_B, CASH, plus=29), 70, 40, True),
        (c.Compares(CASH_B, CASH, plus=30), 70, 40, False),
        (c.Compares(CASH, CASH_B, plus=-31), 40, 70, True),
        (c.Compares(q.BarrelsOf("crude", B), q.BarrelsOf("crude"), plus=1), 5, 3, True),
        (c.Compares(q.AssetsOf("rig"), q.AssetsOf(seat=B)), 2, 1, True),
        (c.Compares(q.ConsumerPriceNow(), q.PriceOf("sell", "foreign", "gasoline")), 19, 10, True),
        (c.Compares(q.PriceOf("buy", "domestic", "crude"), CASH), None, 40, False),
        (c.Compares(CASH, q.PriceOf("buy", "domestic", "crude"), "at_most"), 40, None, False),
        (c.Compares(CASH, q.AssetDealsOf("bought")), 40, 0, True),
    ],
)
def test_postal_conditions__two_quantities_are_compared(
    asked: c.Compares, first: int | None, other: int | None, held: bool
) -> None:
    """The domestic market has no crude. Without a price, no condition about it holds."""
    assert examine(Circumstances(STATE, A), asked) == (held, (Finding(asked, first, held, other),))


def test_postal_conditions__who_sold_more_is_compared() -> None:
    """A sold two barrels abroad, B one at home. C asks."""
    sold = (q.BarrelDealsOf("sold", "gasoline", "foreign", A), q.BarrelDealsOf("sold", "gasoline", "domestic", B))
    asked = c.Compares(*sold, plus=1)
    assert found(BUSY, {A: OF_A, B: OF_B}, C, c.Compares(*sold), asked) == [(2, True), (2, False)]


# Whether an earlier line was carried out

LINES = (
    BuyAssetOrder("rig", plot("1-1")),
    BuyAssetOrder("refinery", plot("1-1")),
    IfOrder(c.CashIs(at_least=500), (BuyAssetOrder("rig", plot("2-2")),), (BuyAssetOrder("rig", plot("3-3")),)),
)
"""1 is done, 2 skipped. 3 is an if that does not hold, so 4 is not reached and 5 is done."""


@pytest.mark.parametrize(
    ("line", "outcome", "came_to", "held"),
    [
        (1, None, "in_full", True),
        (1, "in_full", "in_full", True),
        (1, "in_part", "in_full", False),
        (1, "skipped", "in_full", False),
        (2, None, "skipped", False),
        (2, "skipped", "skipped", True),
        (3, None, "skipped", False),
        (4, None, None, False),
        (4, "skipped", None, False),
        (5, None, "in_full", True),
        (6, None, "in_part", True),
        (6, "in_full", "in_part", False),
        (6, "in_part", "in_part", True),
        (7, None, None, False),
        (8, None, None, False),
    ],
)
def test_postal_conditions__whether_an_earlier_line_was_carried_out(
    line: int, outcome: str | None, came_to: str | None, held: bool
) -> None:
    """Line 6 sells four barrels of gasoline, but there are two. Line 7 asks about it. Line 8 comes after it."""
    asked = c.LineWas(line, outcome)  # type: ignore[arg-type]
    sale = SellBarrelsOrder("domestic", "gasoline", 4)
    sheet = OrderSheet(LINES, (sale, IfTrade(asked), SellBarrelsOrder("domestic", "crude", 1)))
    happened, _ = refereed(situation(cash=100, gasoline=2, crude=1), {**ALL, A: sheet})
    checked = [event for event in happened if isinstance(event, ConditionChecked)][-1]
    assert (checked.line, checked.holds, checked.findings) == (7, held, (Finding(asked, came_to, held),))  # type: ignore[arg-type]


@pytest.mark.parametrize(("skipped", "outcome"), [(False, GasolineSold), (True, PumpsHeld)])
def test_postal_conditions__pumps_ask_for_lines_of_the_players_turn(skipped: bool, outcome: type) -> None:
    """A's pump sells if the rig of line 1 was bought. A roll of D, whose columns A shares, has the same result."""
    cash = 4 if skipped else 5
    sheet = OrderSheet((BuyAssetOrder("rig", plot("6-6")),), pumps=IfPumps(c.LineWas(1), SellAtPumps(), HoldPumps()))
    state = situation(cash=cash, gasoline=2, assets={A: "station 3-2"})
    happened, _ = refereed(state, {**ALL, A: sheet})
    checked = [event.holds for event in happened if isinstance(event, ConditionChecked)]
    told = [type(event) for event in happened if isinstance(event, GasolineSold | PumpsHeld)]
    assert (checked, told) == ([not skipped] * 2, [outcome] * 2)


def test_postal_conditions__before_the_players_turn_none_of_its_lines_was_carried_out() -> None:
    """D's pump is hit by A's roll, which comes first, then by its own."""
    sheet = OrderSheet((BuyAssetOrder("rig", plot("6-6")),), pumps=IfPumps(c.LineWas(1), SellAtPumps(), HoldPumps()))
    happened, _ = refereed(situation(gasoline=2, assets={D: "station 3-2"}), {**ALL, D: sheet})
    assert [event.holds for event in happened if isinstance(event, ConditionChecked)] == [False, True]

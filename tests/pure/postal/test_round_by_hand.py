"""A complete round with its arithmetic."""

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.oil.rules.production import CrudePumped, CrudeRefined
from mcmulti.domain.oil.rules.trading import BarrelsBought, BarrelsSold
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions.findings import Finding
from mcmulti.domain.postal.refereeing.acting import OrderSkipped
from mcmulti.domain.postal.refereeing.assets import AssetSold, RigConverted
from mcmulti.domain.postal.refereeing.carrying_out import ConditionChecked, OrdersOpened
from mcmulti.domain.postal.refereeing.dice import ClimateChanged, DiceRolled
from mcmulti.domain.postal.refereeing.production import GasolineSold, OperationBegan, PumpsHeld
from mcmulti.domain.postal.refereeing.refereeing import RoundBegan, RoundClosed, TurnBegan
from mcmulti.domain.postal.refereeing.trading import OrderCurtailed
from mcmulti.domain.postal.sheets.defaults import OrdersMissing
from mcmulti.domain.postal.sheets.sheet import (
    BuyAssetOrder,
    BuyBarrelsOrder,
    ConvertRigOrder,
    HoldPumps,
    IfLine,
    OpenedLine,
    SellAssetOrder,
    SellBarrelsOrder,
)
from tests.pure.mcmulti.situations import site
from tests.pure.postal.round_by_hand import BUSY, CHEAP, DEAR, DICE, READY, SHEETS, before
from tests.pure.postal.situations import A, B, C, D, plot, refereed


def draw(number: int, value: int) -> Draw:
    return Draw(number, 6, value)


def test_postal_orders__a_round_worked_out_by_hand() -> None:
    """Round 6, order B, C, D, A. Expansion, the consumer price is 19, one rig was converted so far. C sends no sheet.

    Domestic: crude 5 / 6, gasoline 10 / 12. Foreign: 8 fields of crude are free (8 / 9), 6 of gasoline (12 / 14).

    B has 70. Line 1 converts 3-5, the second of the game, for 20: 50. Line 2 sells the rig 3-1 for 5: 55. Line 3 is
    true (expansion, 55 >= 50): line 4 buys a rig for 9: 46, line 5 wants a station for 66: skipped. Line 7 is true
    (19 <= 20): line 8 buys foreign crude at 9 and 10: 46 - 19 = 27, and stops, for the next costs 11. Line 10 would
    deal at home: skipped. Roll 3, 5: the new well 3-5 is hit twice and brings 4: crude 2 + 4 = 6. C in column 5 and A
    in row 3 have nothing.

    C has 21; the third conversion costs 30; the rigs 1-2 and 4-6 bring 5 each: 31, and 1 is left. Roll 4, 4: from
    expansion to rapid growth, demand 9: 21, 24, 27, 30, 33, 36, 39, 41, 43. Its new well 4-2 is in row 4: 2 crude. B in
    column 4 has nothing; D in row 4 has the refinery 3-1 (rows 3 and 4): crude 6 - 1 = 5, gasoline 1.

    D has 30: line 1 wants a station, now for 88: skipped. Line 2 sells crude at home at 5 and 4: 39, crude 3; the
    third would bring 3, below 4. Roll 1, 3: the station 1-1 is in row 1; line 3 asks for a price of 44, but it
    is 43, so line 5 holds its one barrel. The well 5-3 is in column 3: crude 5. C in row 1 has nothing; A in column 3
    has the well 6-3: crude 2 + 2 = 4.

    A has 100: line 1 sells the station 2-2 for 50: 150. Line 2 is true (3 conversions in the game, 2 in the round):
    line 3 buys a refinery for 132 where the station stood: 18; line 4 finds it on 2-2: skipped. Line 6 sells gasoline
    abroad at 12 and 10: 40, gasoline 2. Line 7 buys crude abroad: B left 10 fields free, so at 11: 29, crude 5, and
    the next would cost 12. Roll 5, 5: from rapid growth to prosperity, demand 10: from 43 through 45, 47, 49, 51, 53,
    55, 57, 59, 61 to 63. Station 5-1 is in row 5: its sale brings 63: 29 + 63 = 92,
    gasoline 1. Refinery 4-4 lies in row 5 and column 5: 2 barrels: crude 3, gasoline 3. B in row 5 and D in column 5
    have nothing. The price is 62 now.

    Opened are all lines but those of branches not taken: lines 6 and 9 of B, 4 of D, 5 of A.
    """
    happened, after = refereed(before(), SHEETS, DICE)
    assert happened == [
        RoundClosed(6, (C,)),
        TurnBegan(1, B, B),
        OrdersOpened(
            B,
            6,
            (
                OpenedLine(1, 1, ConvertRigOrder(), "in_full"),
                OpenedLine(2, 1, SellAssetOrder("rig", plot("3-1")), "in_full"),
                OpenedLine(3, 1, IfLine(READY), "in_full"),
                OpenedLine(4, 1, BuyAssetOrder("rig", plot("1-1")), "in_full"),
                OpenedLine(5, 1, BuyAssetOrder("station", plot("6-6")), "skipped"),
                OpenedLine(7, 2, IfLine(CHEAP), "in_full"),
                OpenedLine(8, 2, BuyBarrelsOrder("foreign", "crude", "max", not_above=10), "in_full"),
                OpenedLine(10, 2, SellBarrelsOrder("domestic", "gasoline", 1), "skipped"),
            ),
        ),
        RigConverted(B, site("3-5", B), 2, 20),
        AssetSold(B, "rig", site("3-1", B), 5),
        ConditionChecked(
            B,
            3,
            True,
            (Finding(c.ClimateIs(("expansion",)), "expansion", True), Finding(c.CashIs(at_least=50), 55, True)),
        ),
        AssetBought(B, "rig", site("1-1", B), 9),
        OrderSkipped(B, 5, "cash", 46, 66),
        ConditionChecked(B, 7, True, (Finding(CHEAP, 19, True),)),
        BarrelsBought(B, "foreign", "crude", (9, 10)),
        OrderSkipped(B, 10, "other_market", None, None),
        DiceRolled(B, draw(1, 3), draw(2, 5)),
        OperationBegan(B, B, False, 0, 0, 4, None),
        CrudePumped(B, 4),
        TurnBegan(2, C, C),
        OrdersMissing(C, 6),
        AssetSold(C, "rig", site("1-2", C), 5),
        AssetSold(C, "rig", site("4-6", C), 5),
        RigConverted(C, site("4-2", C), 3, 30),
        DiceRolled(C, draw(3, 4), draw(4, 4)),
        ClimateChanged(4, "expansion", "rapid_growth", 19, 43),
        OperationBegan(C, C, False, 0, 0, 2, None),
        CrudePumped(C, 2),
        OperationBegan(D, D, True, 0, 1, 0, None),
        CrudeRefined(D, 1),
        TurnBegan(3, D, D),
        OrdersOpened(
            D,
            6,
            (
                OpenedLine(1, 1, BuyAssetOrder("station", plot("2-2")), "skipped"),
                OpenedLine(2, 2, SellBarrelsOrder("domestic", "crude", 3, not_below=4), "in_part"),
            ),
        ),
        OrderSkipped(D, 1, "cash", 30, 88),
        BarrelsSold(D, "domestic", "crude", (5, 4)),
        OrderCurtailed(D, 2, 3, 2, "price_below"),
        DiceRolled(D, draw(5, 1), draw(6, 3)),
        OperationBegan(D, D, False, 1, 0, 2, None),
        OrdersOpened(D, 6, (OpenedLine(3, 3, IfLine(DEAR), "skipped"), OpenedLine(5, 3, HoldPumps()))),
        ConditionChecked(D, 3, False, (Finding(DEAR, 43, False),)),
        PumpsHeld(D, 5, 1),
        CrudePumped(D, 2),
        OperationBegan(A, A, True, 0, 0, 2, None),
        CrudePumped(A, 2),
        TurnBegan(4, A, A),
        OrdersOpened(
            A,
            6,
            (
                OpenedLine(1, 1, SellAssetOrder("station", plot("2-2")), "in_full"),
                OpenedLine(2, 1, IfLine(BUSY), "in_full"),
                OpenedLine(3, 1, BuyAssetOrder("refinery", plot("1-1")), "in_full"),
                OpenedLine(4, 1, BuyAssetOrder("rig", plot("2-2")), "skipped"),
                OpenedLine(6, 2, SellBarrelsOrder("foreign", "gasoline", 2), "in_full"),
                OpenedLine(7, 2, BuyBarrelsOrder("foreign", "crude", "max", not_above=11), "in_full"),
            ),
        ),
        AssetSold(A, "station", site("2-2", A), 50),
        ConditionChecked(
            A,
            2,
            True,
            (
                Finding(c.ConversionsAre(at_least=3), 3, True),
                Finding(c.AssetDealsAre(deed="converted", at_least=2), 2, True),
            ),
        ),
        AssetBought(A, "refinery", site("1-1", A), 132),
        OrderSkipped(A, 4, "site", None, None),
        BarrelsSold(A, "foreign", "gasoline", (12, 10)),
        BarrelsBought(A, "foreign", "crude", (11,)),
        DiceRolled(A, draw(7, 5), draw(8, 5)),
        ClimateChanged(5, "rapid_growth", "prosperity", 43, 63),
        OperationBegan(A, A, False, 1, 2, 0, None),
        GasolineSold(A, (63,)),
        CrudeRefined(A, 2),
        RoundBegan(7, (C, D, A, B), ()),
    ]
    holdings = [(player.cash, player.crude, player.gasoline) for player in after.players]
    assert holdings == [(92, 3, 3), (27, 6, 1), (1, 2, 0), (39, 5, 1)]
    assert (after.domestic, after.foreign) == (Market(3, 5), Market(11, 4))
    assert (after.economy, after.consumer_price, after.conversions) == ("prosperity", 62, 3)

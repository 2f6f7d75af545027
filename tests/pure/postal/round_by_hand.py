"""A round by post that was worked out by hand."""

from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.postal.conditions import conditions as c
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
from tests.pure.postal.situations import A, B, C, D, plot, situation

BUSY = c.AllOf((c.ConversionsAre(at_least=3), c.AssetDealsAre(deed="converted", at_least=2)))


CHEAP = c.ConsumerPriceIs(at_most=20)


DEAR = c.ConsumerPriceIs(at_least=44)


READY = c.AllOf((c.ClimateIs(("expansion",)), c.CashIs(at_least=50)))


OF_A = OrderSheet(
    (
        SellAssetOrder("station", plot("2-2")),
        IfOrder(
            BUSY,
            (BuyAssetOrder("refinery", plot("1-1")), BuyAssetOrder("rig", plot("2-2"))),
            (ConvertRigOrder(),),
        ),
    ),
    (SellBarrelsOrder("foreign", "gasoline", 2), BuyBarrelsOrder("foreign", "crude", "max", not_above=11)),
)


OF_B = OrderSheet(
    (
        ConvertRigOrder(),
        SellAssetOrder("rig", plot("3-1")),
        IfOrder(
            READY,
            (BuyAssetOrder("rig", plot("1-1")), BuyAssetOrder("station", plot("6-6"))),
            (ConvertRigOrder(),),
        ),
    ),
    (
        IfTrade(
            CHEAP,
            (BuyBarrelsOrder("foreign", "crude", "max", not_above=10),),
            (SellBarrelsOrder("domestic", "gasoline", 1),),
        ),
        SellBarrelsOrder("domestic", "gasoline", 1),
    ),
)


OF_D = OrderSheet(
    (BuyAssetOrder("station", plot("2-2")),),
    (SellBarrelsOrder("domestic", "crude", 3, not_below=4),),
    IfPumps(DEAR, SellAtPumps(), HoldPumps()),
)


SHEETS = {A: OF_A, B: OF_B, D: OF_D}
"""C has sent none."""


DICE = (3, 5, 4, 4, 1, 3, 5, 5)
"""Red and black, alternating."""


def before() -> State:
    """The start of the round."""
    return situation(
        round=6,
        climate="expansion",
        cash={A: 100, B: 70, C: 21, D: 30},
        crude={A: 2, D: 6},
        gasoline={A: 4, B: 1},
        assets={
            A: "station 2-2, refinery 4-4, well 6-3, station 5-1",
            B: "rig 3-5, rig 3-1",
            C: "rig 4-2, rig 4-6, rig 1-2",
            D: "well 5-3, station 1-1, refinery 3-1",
        },
        hits={A: "station 2-2", B: "rig 3-5, rig 3-1", C: "rig 4-2, rig 4-6, rig 1-2"},
        struck={B: "3-5", C: "4-2"},
        consumer=19,
        foreign=Market(8, 6),
        conversions=1,
    )

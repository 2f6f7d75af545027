"""Phase 1: selling, converting and buying assets."""

from msgspec import Struct

from mcmulti.domain.oil.names import Kind
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.postal.refereeing.acting import OrderSkipped
from mcmulti.domain.postal.refereeing.assets import AssetSold, RigConverted
from mcmulti.domain.postal.sheets.sheet import AssetOrder, BuyAssetOrder, ConvertRigOrder, OrderSheet, SellAssetOrder
from mcmulti.domain.postal.state import State
from tests.pure.mcmulti.situations import site
from tests.pure.postal.situations import NOTHING, A, B, orders_of, plot, refereed, situation


def done(state: State, *orders: AssetOrder) -> list[Struct]:
    """What these lines of A's do."""
    return orders_of(A, state, OrderSheet(orders=orders))


def bought(kind: Kind, where: str, price: int) -> AssetBought:
    return AssetBought(A, kind, site(where, A), price)


def test_site_one_asset__a_taken_site_is_skipped() -> None:
    state = situation(assets={A: "well 2-2, refinery 4-4"})
    happened = done(state, *(BuyAssetOrder("rig", plot(where)) for where in ("2-2", "5-5", "2-3")))
    assert happened == [
        OrderSkipped(A, 1, "site", None, None),
        OrderSkipped(A, 2, "site", None, None),
        bought("rig", "2-3", 5),
    ]


def test_site_refinery__takes_a_free_block_and_is_named_by_its_top_left_site() -> None:
    """At 1-1 it would overlap 2-2. At 6-6 it would cross the edge. From 2-3 it covers 2-3, 2-4, 3-3, and 3-4."""
    state = situation(cash=900, assets={A: "well 2-2"})
    places = ("1-1", "6-6", "2-3")
    happened = done(
        state, *(BuyAssetOrder("refinery", plot(where)) for where in places), BuyAssetOrder("rig", plot("3-4"))
    )
    assert happened == [
        OrderSkipped(A, 1, "block", None, None),
        OrderSkipped(A, 2, "block", None, None),
        bought("refinery", "2-3", 64),
        OrderSkipped(A, 4, "site", None, None),
    ]


def test_postal_phase_1__only_what_the_players_own_last_roll_hit_is_sold() -> None:
    state = situation(assets={A: "station 1-1, station 2-2"}, hits={A: "station 1-1"})
    happened = done(state, *(SellAssetOrder("station", plot(where)) for where in ("2-2", "1-1", "3-3")))
    assert happened == [
        OrderSkipped(A, 1, "not_hit", None, None),
        AssetSold(A, "station", site("1-1", A), 24),
        OrderSkipped(A, 3, "nothing_there", None, None),
    ]


def test_postal_phase_1__hits_are_those_of_the_last_own_turn_not_of_neighbors() -> None:
    """A rolls row 2, which hits its rig 2-5.

    B rolls row 5, which A shares, but that does not count. C and D hit nothing of A's.

    In the next round A sells 2-5, but not 5-1. A refinery at 3-3 was hit by column 4 of A's roll.
    """
    state = situation(assets={A: "rig 2-5, rig 5-1, refinery 3-3"})
    _, state = refereed(state, dict.fromkeys(range(4), NOTHING), (2, 4, 5, 6, 1, 2, 1, 2))
    happened = done(
        state,
        SellAssetOrder("rig", plot("2-5")),
        SellAssetOrder("rig", plot("5-1")),
        SellAssetOrder("refinery", plot("3-3")),
    )
    assert happened == [
        AssetSold(A, "rig", site("2-5", A), 3),
        OrderSkipped(A, 2, "not_hit", None, None),
        AssetSold(A, "refinery", site("3-3", A), 30),
    ]


def test_postal_phase_1__what_was_just_bought_was_not_hit() -> None:
    """The station on the line of the last roll was sold. Another one bought there cannot be sold."""
    state = situation(assets={A: "station 1-1"}, hits={A: "station 1-1"})
    happened = done(
        state,
        SellAssetOrder("station", plot("1-1")),
        BuyAssetOrder("station", plot("1-1")),
        SellAssetOrder("station", plot("1-1")),
    )
    assert happened == [
        AssetSold(A, "station", site("1-1", A), 24),
        bought("station", "1-1", 48),
        OrderSkipped(A, 3, "not_hit", None, None),
    ]


def test_postal_phase_1__cash_only_and_a_sale_pays_for_the_next_line() -> None:
    """40 does not buy a station for 48. 40 + 24 = 64 buys a refinery, and nothing is left."""
    state = situation(cash=40, assets={A: "station 1-1"}, hits={A: "station 1-1"})
    happened = done(
        state,
        BuyAssetOrder("station", plot("3-3")),
        SellAssetOrder("station", plot("1-1")),
        BuyAssetOrder("refinery", plot("3-3")),
        BuyAssetOrder("rig", plot("1-1")),
    )
    assert happened == [
        OrderSkipped(A, 1, "cash", 40, 48),
        AssetSold(A, "station", site("1-1", A), 24),
        bought("refinery", "3-3", 64),
        OrderSkipped(A, 4, "cash", 0, 5),
    ]


def test_postal_phase_1__the_order_of_lines_matters_where_money_does() -> None:
    """50 buys a station (48) and then no rig, or a rig (5) and then no station (45 are left)."""
    station, rig = BuyAssetOrder("station", plot("1-1")), BuyAssetOrder("rig", plot("2-2"))
    state = situation(cash=50)
    assert done(state, station, rig) == [bought("station", "1-1", 48), OrderSkipped(A, 2, "cash", 2, 5)]
    assert done(state, rig, station) == [bought("rig", "2-2", 5), OrderSkipped(A, 2, "cash", 45, 48)]


def test_postal_phase_1__a_rig_hit_twice_is_converted() -> None:
    """A rolls row 3 and column 5 and hits the rig there twice.

    In the next round, it becomes a well for 10. No other does.
    """
    state = situation(assets={A: "rig 3-5, rig 3-6"})
    _, state = refereed(state, dict.fromkeys(range(4), NOTHING), (3, 5, 1, 2, 1, 2, 1, 2))
    happened = done(state, ConvertRigOrder(plot("3-6")), ConvertRigOrder(plot("3-5")), ConvertRigOrder())
    assert happened == [
        OrderSkipped(A, 1, "not_struck", None, None),
        RigConverted(A, site("3-5", A), 1, 10),
        OrderSkipped(A, 3, "not_struck", None, None),
    ]


def test_postal_phase_1__a_conversion_needs_cash() -> None:
    """The fourth conversion of the game costs 40."""
    state = situation(cash=39, assets={A: "rig 3-5"}, hits={A: "rig 3-5"}, struck={A: "3-5"}, conversions=3)
    assert done(state, ConvertRigOrder()) == [OrderSkipped(A, 1, "cash", 39, 40)]


def test_postal_phase_1__the_new_well_is_not_sold_at_once() -> None:
    state = situation(assets={A: "rig 3-5"}, hits={A: "rig 3-5"}, struck={A: "3-5"})
    happened = done(state, ConvertRigOrder(), SellAssetOrder("well", plot("3-5")))
    assert happened[1:] == [OrderSkipped(A, 2, "not_hit", None, None)]


def test_postal_phase_1__a_rig_that_was_sold_is_not_converted() -> None:
    state = situation(assets={A: "rig 3-5"}, hits={A: "rig 3-5"}, struck={A: "3-5"})
    happened = done(
        state, SellAssetOrder("rig", plot("3-5")), BuyAssetOrder("rig", plot("3-5")), ConvertRigOrder(plot("3-5"))
    )
    assert happened[2:] == [OrderSkipped(A, 3, "not_struck", None, None)]


def test_postal_phase_1__a_chance_to_convert_lasts_for_one_round() -> None:
    """The next roll of A's own replaces the last."""
    state = situation(assets={A: "rig 3-5"}, hits={A: "rig 3-5"}, struck={A: "3-5"})
    _, state = refereed(state, dict.fromkeys(range(4), NOTHING))
    assert done(state, ConvertRigOrder()) == [OrderSkipped(A, 1, "not_struck", None, None)]


def test_postal_phase_1__in_round_1_it_is_the_set_up() -> None:
    state = situation(round=1, cash=200)
    sheet = OrderSheet(orders=(BuyAssetOrder("refinery", plot("1-1")), BuyAssetOrder("station", plot("6-6"))))
    sheets = {**dict.fromkeys(range(4), NOTHING), B: sheet}
    _, after = refereed(state, sheets, (6, 3) * 4)
    assert after.players[B].cash == 200 - 64 - 48


def test_site_refinery__one_that_stands_is_named_by_any_of_its_sites() -> None:
    """From 4-4 it covers 4-4, 4-5, 5-4, and 5-5. 4-6 and 3-4 are next to it."""
    state = situation(assets={A: "refinery 4-4"}, hits={A: "refinery 4-4"})
    for where in ("4-4", "4-5", "5-4", "5-5"):
        sold = done(state, SellAssetOrder("refinery", plot(where)))
        assert sold == [AssetSold(A, "refinery", site("4-4", A), 30)]
    for where in ("4-6", "3-4"):
        happened = done(state, SellAssetOrder("refinery", plot(where)))
        assert happened == [OrderSkipped(A, 1, "nothing_there", None, None)]
    assert done(state, SellAssetOrder("rig", plot("4-4"))) == [OrderSkipped(A, 1, "nothing_there", None, None)]


def test_postal_sheet__cash_is_kept() -> None:
    """A has 100. A rig for 5 leaves 95, one more 90. Then 50 must be kept: a station for 48 leaves 42."""
    rigs = [BuyAssetOrder("rig", plot(where), keep) for where, keep in (("1-1", 95), ("1-2", 91), ("1-3", 90))]
    happened = done(situation(cash=100), *rigs, BuyAssetOrder("station", plot("2-2"), keep=50))
    assert happened == [
        bought("rig", "1-1", 5),
        OrderSkipped(A, 2, "keep_cash", 95, 96),
        bought("rig", "1-3", 5),
        OrderSkipped(A, 4, "keep_cash", 90, 98),
    ]
    poor = done(situation(cash=3), BuyAssetOrder("rig", plot("1-1"), keep=50))
    assert poor == [OrderSkipped(A, 1, "cash", 3, 5)]


def test_postal_sheet__cash_is_kept_from_a_conversion() -> None:
    """The third of the game costs 30: 100 leave 70."""
    state = situation(cash=100, conversions=2, assets={A: "rig 3-5"}, hits={A: "rig 3-5"}, struck={A: "3-5"})
    assert done(state, ConvertRigOrder(keep=71)) == [OrderSkipped(A, 1, "keep_cash", 100, 101)]
    assert done(state, ConvertRigOrder(keep=70)) == [RigConverted(A, site("3-5", A), 3, 30)]

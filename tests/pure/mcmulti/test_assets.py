"""Phase 4: assets bought from the bank and sold to it."""

from typing import cast

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.offers import Choice, TextChoice
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import BuyAsset, SellAsset, StrikeOil
from mcmulti.domain.mcmulti.phases.assets import AssetSold
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.view import McMultiView
from mcmulti.domain.oil.names import EconomyName, Site
from mcmulti.domain.oil.rules.assets import AssetBought
from tests.pure.mcmulti.situations import after, assets_phase, events, offered, placed, refused, rolled, site, situation

PRICES: list[tuple[EconomyName, tuple[int, int, int], tuple[int, int, int, int]]] = [
    ("recovery", (5, 48, 64), (3, 24, 30, 30)),
    ("expansion", (9, 66, 96), (5, 32, 60, 50)),
    ("rapid_growth", (14, 88, 132), (9, 50, 90, 65)),
    ("prosperity", (16, 100, 160), (12, 60, 120, 75)),
    ("downturn", (12, 75, 120), (8, 45, 80, 60)),
    ("recession", (8, 55, 80), (4, 30, 32, 45)),
    ("depression", (4, 32, 50), (2, 18, 24, 20)),
]
"""Buying a rig, station, refinery; selling a rig, station, refinery, well."""


def _for_sale(state: State) -> set[tuple[str, str]]:
    """Kind and place of everything that may be sold."""
    sales = set()
    for offer in offered(state, 0, "SellAsset"):
        kind, places = offer.fields["kind"], offer.fields["site"]
        assert isinstance(kind, Choice)
        assert isinstance(places, Choice)
        sales |= {(str(kind.options[0]), f"{at.row}-{at.column}") for at in places.options if isinstance(at, Site)}
    return sales


# Buying


@pytest.mark.parametrize(("economy", "prices", "_"), PRICES)
def test_assets_buy__at_the_prices_of_the_card_in_force(
    economy: EconomyName, prices: tuple[int, int, int], _: object
) -> None:
    state = assets_phase(situation(economy=economy, cash=1000))
    rig, station, refinery = prices
    assert events(state, 0, BuyAsset("rig", site("3-3"))) == [AssetBought(0, "rig", site("3-3"), rig)]
    assert events(state, 0, BuyAsset("station", site("3-3"))) == [AssetBought(0, "station", site("3-3"), station)]
    assert events(state, 0, BuyAsset("refinery", site("3-3"))) == [AssetBought(0, "refinery", site("3-3"), refinery)]
    assert after(state, 0, BuyAsset("refinery", site("3-3"))).players[0].cash == 1000 - refinery


def test_assets_buy__any_number_on_sites_the_roll_did_not_hit_as_well() -> None:
    """Red 1, black 2; 5 + 48 + 64 = 117 of 200."""
    state = assets_phase(situation(cash=200))
    state = after(state, 0, BuyAsset("rig", site("3-3")))
    state = after(state, 0, BuyAsset("station", site("6-6")))
    state = after(state, 0, BuyAsset("refinery", site("4-4")))
    assert state.quadrants[0] == placed("rig 3-3, station 6-6, refinery 4-4")
    assert state.players[0].cash == 83


def test_assets_buy__wells_are_not_for_sale() -> None:
    state = assets_phase(situation(cash=1000))
    kinds = {offer.fields["kind"] for offer in offered(state, 0, "BuyAsset")}
    assert kinds == {TextChoice(("rig",)), TextChoice(("station",)), TextChoice(("refinery",))}
    rejection = refused(state, 0, BuyAsset("well", site("3-3")))  # type: ignore[arg-type]
    assert (rejection.rule, rejection.field) == ("assets/buy", "kind")


@pytest.mark.parametrize("quadrant", [1, 2, 3])
def test_assets_buy__only_in_the_quadrant_at_turn(quadrant: int) -> None:
    """With two players, quadrant 2 belongs to player 0, but it is quadrant 0's turn."""
    state = assets_phase(situation(2, cash=1000))
    rejection = refused(state, 0, BuyAsset("station", site("1-1", quadrant)))
    assert (rejection.code, rejection.rule, rejection.field) == ("site", "site/one-asset", "site")


def test_assets_buy__what_sales_brought_may_be_spent_at_once() -> None:
    """The station on the hit row brings 24 in the Recovery, which pays for four rigs at 5."""
    state = assets_phase(situation(cash=0, assets={0: "station 1-1"}))
    assert offered(state, 0, "BuyAsset") == []
    state = after(state, 0, SellAsset("station", site("1-1")))
    for column in range(1, 5):
        state = after(state, 0, BuyAsset("rig", site(f"1-{column}")))
    assert state.players[0].cash == 4


# Selling


@pytest.mark.parametrize(("economy", "_", "prices"), PRICES)
def test_assets_sell__at_the_prices_of_the_card_in_force(
    economy: EconomyName, _: object, prices: tuple[int, int, int, int]
) -> None:
    """Red 1 hits them all."""
    state = assets_phase(
        situation(economy=economy, cash=0, assets={0: "rig 1-1, station 1-2, refinery 1-3, well 1-5"}), 1, 6
    )
    sales = [
        SellAsset("rig", site("1-1")),
        SellAsset("station", site("1-2")),
        SellAsset("refinery", site("1-3")),
        SellAsset("well", site("1-5")),
    ]
    for sale, price in zip(sales, prices, strict=True):
        assert events(state, 0, sale) == [AssetSold(0, sale.kind, sale.site, price)]
        state = after(state, 0, sale)
    assert state.players[0].cash == sum(prices)
    assert state.quadrants[0] == placed("")


@pytest.mark.parametrize(("economy", "_", "prices"), PRICES)
def test_assets_sell__where_it_was_agreed_on_refineries_bring_what_they_bring_by_post(
    economy: EconomyName, _: object, prices: tuple[int, int, int, int]
) -> None:
    """80, 100, and 65 in three economies. Everything else is the same. View and picture show it."""
    refinery = {"rapid_growth": 80, "prosperity": 100, "downturn": 65}.get(economy, prices[2])
    state = assets_phase(
        situation(economy=economy, cash=0, assets={0: "rig 1-1, station 1-2, refinery 1-3, well 1-5"}), 1, 6
    )
    state = replace(state, setup=replace(state.setup, refinery_sales="postal"))
    sales = {cast(TextChoice, offer.fields["kind"]).options[0]: offer.price for offer in offered(state, 0, "SellAsset")}
    expected = {"rig": prices[0], "station": prices[1], "refinery": refinery, "well": prices[3]}
    assert sales == expected
    shown = RULESET.view(state, 0)
    assert isinstance(shown, McMultiView)
    assert shown.economy.sell == expected
    state = after(state, 0, SellAsset("refinery", site("1-3")))
    assert state.players[0].cash == refinery


def test_assets_sell__only_what_stands_in_the_row_or_the_column_of_the_roll() -> None:
    """Red 3 is row 3, black 5 is column 5. Refineries at 2-1 and 3-3 lie in row 3, that at 5-4 in column 5."""
    hit = {("rig", "3-6"), ("rig", "1-5"), ("station", "3-5")}
    blocks = {("refinery", "2-1"), ("refinery", "3-3"), ("refinery", "5-4")}
    assets = "rig 3-6, rig 1-5, rig 1-1, station 3-5, station 5-3, well 6-6, refinery 2-1, refinery 3-3, refinery 5-4"
    state = assets_phase(situation(assets={0: assets}), red=3, black=5)
    assert _for_sale(state) == hit | blocks


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("rig", "5-3"),  # red and black swapped
        ("well", "6-6"),
        ("station", "1-1"),
        ("refinery", "4-1"),  # rows 4 and 5, columns 1 and 2
        ("refinery", "2-2"),  # the refinery stands at 2-1: its other sites do not name it
        ("rig", "3-1"),  # hit, but nothing of this kind is there
    ],
)
def test_assets_sell__anything_else_is_refused(kind: str, place: str) -> None:
    """Red 3, black 5."""
    assets = "rig 3-6, rig 5-3, well 3-5, well 6-6, station 1-5, station 1-1, refinery 2-1, refinery 4-1"
    state = assets_phase(situation(assets={0: assets}), red=3, black=5)
    rejection = refused(state, 0, SellAsset(kind, site(place)))  # type: ignore[arg-type]
    assert (rejection.code, rejection.rule, rejection.field) == ("not_productive", "assets/sell", "site")


def test_assets_sell__nothing_hit_nothing_sold() -> None:
    state = assets_phase(situation(assets={0: "rig 6-6"}))
    assert offered(state, 0, "SellAsset") == []
    rejection = refused(state, 0, SellAsset("rig", site("6-6")))
    assert (rejection.code, rejection.rule) == ("not_productive", "assets/sell")


@pytest.mark.parametrize("quadrant", [1, 2, 3])
def test_assets_sell__not_from_other_quadrants_though_the_same_lines_run_there(quadrant: int) -> None:
    """With two players, quadrant 2 belongs to player 0, too."""
    state = assets_phase(situation(2, assets=dict.fromkeys(range(4), "station 1-2")))
    rejection = refused(state, 0, SellAsset("station", site("1-2", quadrant)))
    assert (rejection.code, rejection.rule) == ("not_productive", "assets/sell")


def test_assets_sell__a_well_struck_in_this_turn_stands_on_the_lines_and_may_go_at_once() -> None:
    """The first well costs 5 and brings 30 in the Recovery."""
    state = rolled(situation(assets={0: "rig 3-5"}), 3, 5)
    state = after(state, 0, StrikeOil(site("3-5")))
    assert after(state, 0, SellAsset("well", site("3-5"))).players[0].cash == 125


def test_assets_sell__an_asset_is_sold_once() -> None:
    state = after(assets_phase(situation(assets={0: "rig 1-1"})), 0, SellAsset("rig", site("1-1")))
    rejection = refused(state, 0, SellAsset("rig", site("1-1")))
    assert (rejection.code, rejection.rule) == ("not_productive", "assets/sell")

"""The complete tables of the rules, typed by hand from their text, compared with the figures in the code."""

import pytest

from mcmulti.domain.oil.names import EconomyName
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.postal.components import CLIMATES, COMPONENTS, KEY_STEPS
from mcmulti.domain.postal.refereeing.assets import AssetSold, RigConverted
from mcmulti.domain.postal.refereeing.dice import ClimateChanged, raised
from mcmulti.domain.postal.sheets.sheet import BuyAssetOrder, ConvertRigOrder, OrderSheet, SellAssetOrder
from tests.pure.mcmulti.situations import site
from tests.pure.postal.situations import NOTHING, A, orders_of, plot, refereed, situation

# The card, then the next for 1-1 to 6-6.
NEXT = """
recovery      expansion     expansion     expansion     expansion     expansion     rapid_growth
expansion     recovery      rapid_growth  rapid_growth  rapid_growth  rapid_growth  prosperity
rapid_growth  expansion     prosperity    prosperity    prosperity    prosperity    downturn
prosperity    rapid_growth  downturn      downturn      downturn      downturn      recession
downturn      prosperity    recession     recession     recession     recession     depression
recession     depression    depression    depression    depression    recovery      recovery
depression    recovery      recovery      recovery      recovery      expansion     expansion
"""

# Buy rig, pump, refinery; sell rig, pump, refinery, well.
PRICES = """
recovery      5  48  64    3 24  30 30
expansion     9  66  96    5 32  60 50
rapid_growth 14  88 132    9 50  80 65
prosperity   16 100 160   12 60 100 75
downturn     12  75 120    8 45  65 60
recession     8  55  80    4 30  32 45
depression    4  32  50    2 18  24 20
"""

DEMAND = {
    "recovery": 4,
    "expansion": 7,
    "rapid_growth": 9,
    "prosperity": 10,
    "downturn": 6,
    "recession": 4,
    "depression": 2,
}

STEPS = (5, 9, 13, 17, 21, 24, 27, 30, 33, 36, 39)
BY_TWO = (41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 63, 65)
ALL_TO_80 = (66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80)


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.strip().splitlines()]


def climates(text: str) -> list[tuple[EconomyName, list[str]]]:
    return [(next(name for name in CLIMATES if name == row[0]), row[1:]) for row in rows(text)]


CHANGES = [(before, double, after) for before, row in climates(NEXT) for double, after in enumerate(row, start=1)]


@pytest.mark.parametrize(("before", "double", "after"), CHANGES)
def test_postal_climate__the_double_names_the_next_climate(before: EconomyName, double: int, after: str) -> None:
    state = situation(climate=before, consumer=1)
    happened, _ = refereed(state, dict.fromkeys(range(4), NOTHING), (double, double, 1, 2, 1, 2, 1, 2))
    (changed,) = [event for event in happened if isinstance(event, ClimateChanged)]
    assert (changed.double, changed.before, changed.after) == (double, before, after)


def test_postal_climate__the_table_is_whole() -> None:
    assert len(CHANGES) == 7 * 6
    assert [name for name, _ in climates(NEXT)] == list(CLIMATES)


@pytest.mark.parametrize(("climate", "figures"), climates(PRICES))
def test_postal_prices__each_climate_has_its_own(climate: EconomyName, figures: list[str]) -> None:
    """Bought for the price in the table on three free places, sold for what it pays where the last roll hit."""
    assets = "rig 1-1, station 1-2, refinery 1-3, well 1-5"
    state = situation(climate=climate, cash=900, assets={A: assets}, hits={A: assets})
    sheet = OrderSheet(
        orders=(
            BuyAssetOrder("rig", plot("6-1")),
            BuyAssetOrder("station", plot("6-2")),
            BuyAssetOrder("refinery", plot("5-3")),
            SellAssetOrder("rig", plot("1-1")),
            SellAssetOrder("station", plot("1-2")),
            SellAssetOrder("refinery", plot("1-3")),
            SellAssetOrder("well", plot("1-5")),
        )
    )
    happened = orders_of(A, state, sheet)
    assert [type(event) for event in happened] == [AssetBought] * 3 + [AssetSold] * 4
    assert [event.price for event in happened if isinstance(event, AssetBought | AssetSold)] == list(map(int, figures))


def test_postal_prices__where_they_come_from_is_published() -> None:
    assert COMPONENTS["provenance"]["figures"]["climate"] == "postal"


def test_postal_demand__key_steps() -> None:
    assert (*STEPS, *BY_TWO, *ALL_TO_80) == KEY_STEPS


@pytest.mark.parametrize(("climate", "steps"), DEMAND.items())
def test_postal_demand__each_climate_has_its_own(climate: EconomyName, steps: int) -> None:
    assert CLIMATES[climate].demand == steps


def test_postal_demand__four_steps_from_19() -> None:
    """The example of the rules: over 21, 24, and 27 to 30."""
    assert raised(19, 4) == 30


@pytest.mark.parametrize(
    ("price", "steps", "after"),
    [
        (21, 4, 33),  # the step below the price does not count: 24, 27, 30, 33
        (1, 2, 9),  # 5, 9
        (4, 1, 5),
        (26, 7, 43),  # 27, 30, 33, 36, 39, 41, 43
        (63, 3, 67),  # 65, 66, 67
        (75, 10, 80),  # 76, 77, 78, 79, 80, the end of the track
        (80, 4, 80),
    ],
)
def test_postal_demand__counted_by_hand(price: int, steps: int, after: int) -> None:
    assert raised(price, steps) == after


def test_postal_demand__the_demand_of_the_new_climate_counts() -> None:
    """Recovery, 6-6: rapid growth with demand 9. From 26: 27, 30, 33, 36, 39, 41, 43, 45, 47."""
    happened, state = refereed(situation(), dict.fromkeys(range(4), NOTHING), (6, 6, 1, 2, 1, 2, 1, 2))
    (changed,) = [event for event in happened if isinstance(event, ClimateChanged)]
    assert (changed.price_before, changed.price_after) == (26, 47)
    assert (state.economy, state.consumer_price) == ("rapid_growth", 47)


@pytest.mark.parametrize(("before", "price"), [(0, 10), (1, 20), (4, 50)])
def test_postal_strike_cost__ten_for_each_conversion_in_the_game(before: int, price: int) -> None:
    """Conversions count, not the wells on the board: here there is none."""
    state = situation(assets={A: "rig 2-2"}, hits={A: "rig 2-2"}, struck={A: "2-2"}, conversions=before)
    happened = orders_of(A, state, OrderSheet(orders=(ConvertRigOrder(),)))
    assert happened == [RigConverted(A, site("2-2", A), before + 1, price)]

"""The supply: the box holds about 80 rigs, 16 wells, 12 refineries, 30 stations and 80 barrels of each kind."""

import pytest

from mcmulti.domain.mcmulti.commands import BuyAsset, PumpCrude, RefineCrude, StrikeOil
from mcmulti.domain.oil.names import Buyable
from tests.pure.mcmulti.situations import after, assets_phase, rolled, site, situation


def full_of(kind: str) -> str:
    """A quadrant without a free site: 36 of the kind, or 9 refineries."""
    step = 2 if kind == "refinery" else 1
    return ", ".join(f"{kind} {row}-{column}" for row in range(1, 7, step) for column in range(1, 7, step))


@pytest.mark.parametrize(
    ("kind", "in_the_box", "standing", "cash"),
    [("rig", 80, 3 * 36, 95), ("station", 30, 3 * 36, 52), ("refinery", 12, 3 * 9, 36)],
)
def test_supply_unlimited__assets_are_sold_beyond_those_in_the_box(
    kind: Buyable, in_the_box: int, standing: int, cash: int
) -> None:
    """Three full quadrants hold more than the box. Recovery: 100 less 5, 48 or 64."""
    assert standing > in_the_box
    state = assets_phase(situation(assets=dict.fromkeys((1, 2, 3), full_of(kind)), cash=100))
    state = after(state, 0, BuyAsset(kind, site("3-3")))
    assert sum(quadrant.standing(kind).bit_count() for quadrant in state.quadrants) == standing + 1
    assert state.players[0].cash == cash


def test_supply_unlimited__oil_is_struck_when_all_16_wells_of_the_box_stand() -> None:
    """Quadrant 2, which no die hits, holds 36 wells. The 37th costs 5 * 37 = 185."""
    state = rolled(situation(assets={0: "rig 2-5", 2: full_of("well")}, cash=185), 2, 5)
    state = after(state, 0, StrikeOil(site("2-5")))
    assert state.players[0].cash == 0
    assert state.wells == 37


def test_supply_unlimited__crude_is_pumped_beyond_the_80_barrels_of_the_box() -> None:
    """Row 2 and column 5 of a full quadrant: ten wells hit once, one hit twice, 10 * 2 + 4 = 24."""
    state = rolled(situation(assets={0: full_of("well")}, crude=80), 2, 5)
    assert after(state, 0, PumpCrude(24)).players[0].crude == 104


def test_supply_unlimited__crude_is_refined_beyond_the_80_barrels_of_the_box() -> None:
    state = rolled(situation(assets={0: "refinery 2-5"}, crude=90, gasoline=90), 2, 5)
    player = after(state, 0, RefineCrude(2)).players[0]
    assert (player.crude, player.gasoline) == (88, 92)

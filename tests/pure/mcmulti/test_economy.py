"""The economy: seven cards, and how one follows another."""

import pytest
from msgspec import Struct

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.offers import TextChoice
from mcmulti.domain.mcmulti.commands import BuyAsset, EndProduction, RollDice, SellGasoline
from mcmulti.domain.mcmulti.news.consumer import ConsumerPriceMoved
from mcmulti.domain.mcmulti.phases.dice import DifferenceAdvanced, EconomyChanged
from mcmulti.domain.mcmulti.phases.operations import GasolineSold
from mcmulti.domain.oil.names import EconomyName, Kind
from tests.pure.mcmulti.situations import (
    after,
    assets_phase,
    events,
    offered,
    refused,
    rolled,
    site,
    situation,
    started,
)

# The table of the rules, card by card: (rig, station, refinery), (rig, station, refinery, well), and
# where the green die leads, 1 to 6.
BUY: dict[EconomyName, tuple[int, int, int]] = {
    "recovery": (5, 48, 64),
    "expansion": (9, 66, 96),
    "rapid_growth": (14, 88, 132),
    "prosperity": (16, 100, 160),
    "downturn": (12, 75, 120),
    "recession": (8, 55, 80),
    "depression": (4, 32, 50),
}
SELL: dict[EconomyName, tuple[int, int, int, int]] = {
    "recovery": (3, 24, 30, 30),
    "expansion": (5, 32, 60, 50),
    "rapid_growth": (9, 50, 90, 65),
    "prosperity": (12, 60, 120, 75),
    "downturn": (8, 45, 80, 60),
    "recession": (4, 30, 32, 45),
    "depression": (2, 18, 24, 20),
}
LEADS_TO: dict[EconomyName, tuple[EconomyName, ...]] = {
    "recovery": ("downturn", "expansion", "expansion", "expansion", "expansion", "rapid_growth"),
    "expansion": ("recovery", "rapid_growth", "rapid_growth", "rapid_growth", "rapid_growth", "prosperity"),
    "rapid_growth": ("expansion", "prosperity", "prosperity", "prosperity", "prosperity", "downturn"),
    "prosperity": ("rapid_growth", "downturn", "downturn", "downturn", "downturn", "recession"),
    "downturn": ("prosperity", "recession", "recession", "recession", "recession", "depression"),
    "recession": ("depression", "depression", "depression", "recovery", "recovery", "recovery"),
    "depression": ("recovery", "recovery", "recovery", "recovery", "expansion", "expansion"),
}
# Where a barrel at 26 moves by the demand of the card that comes up: three prices a red field.
FROM_26: dict[EconomyName, int] = {
    "recovery": 35,  # +3
    "expansion": 38,  # +4
    "rapid_growth": 44,  # +6
    "prosperity": 47,  # +7
    "downturn": 32,  # +2
    "recession": 26,  # 0
    "depression": 20,  # -2
}


def test_economy_cards__the_game_starts_with_recovery() -> None:
    assert started().economy == "recovery"


def prices(economy: EconomyName, command: str) -> dict[object, int | None]:
    """What each kind costs or brings in an asset phase where the dice hit one of each."""
    state = situation(economy=economy, cash=160, assets={0: "rig 1-1, station 1-2, refinery 1-3, well 1-5"})
    return {offer.fields["kind"]: offer.price for offer in offered(assets_phase(state), 0, command)}


def by_kind(kinds: tuple[Kind, ...], amounts: tuple[int, ...]) -> dict[TextChoice, int]:
    return {TextChoice((kind,)): amount for kind, amount in zip(kinds, amounts, strict=True)}


@pytest.mark.parametrize("economy", BUY)
def test_economy_cards__what_assets_cost(economy: EconomyName) -> None:
    """Wells are not for sale, so a card has three purchase prices."""
    assert prices(economy, "BuyAsset") == by_kind(("rig", "station", "refinery"), BUY[economy])


@pytest.mark.parametrize("economy", SELL)
def test_economy_cards__what_assets_bring(economy: EconomyName) -> None:
    assert prices(economy, "SellAsset") == by_kind(("rig", "station", "refinery", "well"), SELL[economy])


@pytest.mark.parametrize("green", range(1, 7))
@pytest.mark.parametrize("before", LEADS_TO)
def test_economy_cards__where_each_green_die_leads_and_how_demand_moves(before: EconomyName, green: int) -> None:
    """The barrel at 26 moves by the demand of the new card, not of the old one."""
    state = rolled(situation(economy=before, difference=7, consumer=26), 1, 2, green)
    after_it = LEADS_TO[before][green - 1]
    assert (state.economy, state.consumer_price) == (after_it, FROM_26[after_it])


@pytest.mark.parametrize(("economy", "price"), [("recovery", 48), ("depression", 32)])
def test_economy_cards__one_million_short_is_too_little(economy: EconomyName, price: int) -> None:
    command = BuyAsset("station", site("3-3"))
    assert after(assets_phase(situation(economy=economy, cash=price)), 0, command).players[0].cash == 0
    rejection = refused(assets_phase(situation(economy=economy, cash=price - 1)), 0, command)
    assert (rejection.code, rejection.rule) == ("cash", "purchase/cash-only")


def changing(difference: int, red: int, black: int, green: int, consumer: int = 26, barrels: int = 1) -> list[Struct]:
    """What the roll brings with Recovery in force and nothing to operate."""
    state = situation(difference=difference, consumer=consumer, consumer_barrels=barrels)
    return events(state, 0, RollDice(), (red, black, green))


def test_economy_change__at_8_the_green_die_names_the_next_card() -> None:
    """Track at 5, dice 2 and 5: 5 + 3 = 8. Recovery with green 2 leads to Expansion, +4: from 20 to 32."""
    assert changing(5, 2, 5, 2, consumer=20)[1:4] == [
        DifferenceAdvanced(3, 8),
        EconomyChanged(Draw(5, 6, 2), "recovery", "expansion"),
        ConsumerPriceMoved(20, 32, 0),
    ]


@pytest.mark.parametrize(("difference", "red", "black"), [(7, 1, 2), (3, 6, 1), (7, 6, 1), (4, 2, 6), (6, 4, 1)])
def test_economy_change__puts_the_track_back_to_0_whatever_is_beyond_8(difference: int, red: int, black: int) -> None:
    state = rolled(situation(difference=difference), red, black, 1)
    assert (state.economy, state.difference) == ("downturn", 0)


@pytest.mark.parametrize(("difference", "red", "black", "reached"), [(6, 1, 2, 7), (2, 6, 1, 7), (7, 2, 2, 7)])
def test_economy_change__not_below_8(difference: int, red: int, black: int, reached: int) -> None:
    """No green die is rolled: the script of the dice has none."""
    state = rolled(situation(difference=difference, consumer=20, consumer_barrels=3), red, black)
    assert (state.economy, state.difference) == ("recovery", reached)
    assert (state.consumer_price, state.consumer_barrels) == (20, 3)


@pytest.mark.parametrize(("barrels", "removed"), [(1, 0), (2, 1), (7, 6)])
def test_economy_change__all_but_the_cheapest_consumer_barrel_are_removed(barrels: int, removed: int) -> None:
    """Barrels from 20 up. The one at 20 moves to 32."""
    assert changing(7, 1, 2, 2, consumer=20, barrels=barrels)[3] == ConsumerPriceMoved(20, 32, removed)
    state = rolled(situation(difference=7, consumer=20, consumer_barrels=barrels), 1, 2, 2)
    assert (state.consumer_price, state.consumer_barrels) == (32, 1)


def test_economy_change__barrels_are_removed_when_demand_is_0_as_well() -> None:
    """Downturn with green 2 leads to Recession. The cheapest of five barrels stays at 21, and so do the others."""
    state = rolled(situation(economy="downturn", difference=7, consumer=21, consumer_barrels=5), 1, 2, 2)
    assert (state.economy, state.consumer_price, state.consumer_barrels) == ("recession", 21, 1)


def test_economy_change__comes_before_production() -> None:
    """From 20 the barrel moves to 32, so the station in row 1 sells at 31 already."""
    state = rolled(situation(difference=7, consumer=20, gasoline=1, assets={0: "station 1-1"}), 1, 2, 2)
    assert events(state, 0, SellGasoline(1))[0] == GasolineSold(0, (31,))


def test_economy_change__the_new_prices_hold_in_the_same_turn() -> None:
    """Depression with green 5 leads to Expansion: a rig costs 9 and no longer 4."""
    state = rolled(situation(economy="depression", difference=7, assets={0: "well 1-1"}), 1, 2, 5)
    state = after(after(state, 0, EndProduction()), 0, BuyAsset("rig", site("6-6")))
    assert state.players[0].cash == 91

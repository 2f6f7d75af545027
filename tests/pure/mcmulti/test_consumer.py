"""The consumer market: where stations sell, from the cheapest barrel downwards."""

import pytest

from mcmulti.domain.mcmulti.commands import SellGasoline
from mcmulti.domain.mcmulti.components import COMPONENTS, EconomyName
from mcmulti.domain.mcmulti.operations import GasolineSold
from mcmulti.domain.mcmulti.state import State
from tests.pure.mcmulti.situations import after, events, most, refused, rolled, situation, started


def test_consumer_start__one_barrel_stands_at_26() -> None:
    state = started()
    assert (state.consumer_price, state.consumer_barrels) == (26, 1)


def doubly_productive_station(price: int, barrels: int = 1, gasoline: int = 2) -> State:
    """Production with both dice on a station. The well keeps production going when nothing can be sold."""
    assets = {0: "station 2-5, well 2-1"}
    return rolled(situation(assets=assets, consumer=price, consumer_barrels=barrels, gasoline=gasoline, cash=0), 2, 5)


def test_consumer_sale__below_barrels_at_26_and_25_a_barrel_brings_24() -> None:
    """The rulebook's example."""
    state = doubly_productive_station(25, barrels=2)
    assert events(state, 0, SellGasoline(1))[0] == GasolineSold(0, (24,))
    sold = after(state, 0, SellGasoline(1))
    assert (sold.consumer_price, sold.consumer_barrels) == (24, 3)
    assert (sold.players[0].cash, sold.players[0].gasoline) == (24, 1)


def test_consumer_sale__each_further_barrel_brings_1_less() -> None:
    """Below 26: 25 + 24 = 49."""
    state = doubly_productive_station(26)
    assert events(state, 0, SellGasoline(2))[0] == GasolineSold(0, (25, 24))
    sold = after(state, 0, SellGasoline(2))
    assert (sold.consumer_price, sold.consumer_barrels) == (24, 3)
    assert (sold.players[0].cash, sold.players[0].gasoline) == (49, 0)


def test_consumer_sale__from_the_upper_end_the_next_price_is_79() -> None:
    assert events(doubly_productive_station(80), 0, SellGasoline(1))[0] == GasolineSold(0, (79,))


@pytest.mark.parametrize(("price", "barrels"), [(1, 0), (2, 1)])
def test_consumer_sale__nothing_is_sold_below_1(price: int, barrels: int) -> None:
    """Two barrels and a doubly productive station; the track has no field 0."""
    rejection = refused(doubly_productive_station(price), 0, SellGasoline(barrels + 1))
    assert (rejection.code, rejection.rule, rejection.limit) == ("consumer_floor", "consumer/sale", barrels)
    assert most(doubly_productive_station(price), 0, "SellGasoline") == barrels


def test_consumer_sale__below_a_barrel_at_2_one_more_goes_at_1() -> None:
    sold = after(doubly_productive_station(2), 0, SellGasoline(1))
    assert (sold.players[0].cash, sold.consumer_price) == (1, 1)


def test_consumer_red_fields__every_third_price_from_2_to_80() -> None:
    assert COMPONENTS["consumer"]["red_fields"] == [
        *(2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35, 38, 41, 44, 47, 50, 53, 56, 59, 62, 65, 68, 71, 74, 77, 80),
    ]


def test_consumer_red_fields__are_marked_as_reconstructed() -> None:
    assert COMPONENTS["provenance"]["figures"]["consumer.red_fields"] == "reconstructed"


def moved(price: int, economy: EconomyName, green: int) -> int:
    """Where the barrel stands after the economy changed with this green die."""
    return rolled(situation(economy=economy, consumer=price, difference=7), 1, 2, green).consumer_price


@pytest.mark.parametrize(
    ("price", "moves_to"),
    [(20, 32), (21, 32), (22, 32), (23, 35), (26, 38), (1, 11), (2, 14), (67, 77), (68, 80)],
)
def test_consumer_red_fields__four_up_without_the_one_the_barrel_stands_on(price: int, moves_to: int) -> None:
    """Recovery, green 2: Expansion, +4. The rulebook's example is 20 -> 32: over 23, 26 and 29."""
    assert moved(price, "recovery", 2) == moves_to


@pytest.mark.parametrize("price", [71, 74, 77, 79, 80])
def test_consumer_red_fields__upwards_80_is_the_end(price: int) -> None:
    assert moved(price, "recovery", 2) == 80


@pytest.mark.parametrize(("price", "moves_to"), [(26, 20), (27, 23), (25, 20), (80, 74), (8, 2), (9, 5)])
def test_consumer_red_fields__two_down_without_the_one_the_barrel_stands_on(price: int, moves_to: int) -> None:
    """Recession, green 1: Depression, -2. From 27 over 26 to 23, from 25 over 23 to 20."""
    assert moved(price, "recession", 1) == moves_to


@pytest.mark.parametrize(("price", "moves_to"), [(7, 2), (5, 2), (3, 2), (2, 2), (1, 1)])
def test_consumer_red_fields__downwards_the_lowest_red_field_is_the_end(price: int, moves_to: int) -> None:
    """There is no red field below 2, and falling demand raises no price: a barrel at 1 stays there."""
    assert moved(price, "recession", 1) == moves_to


@pytest.mark.parametrize("price", [1, 2, 26, 27, 80])
def test_consumer_red_fields__with_a_demand_of_0_the_barrel_stays(price: int) -> None:
    """Downturn, green 3: Recession, 0."""
    assert moved(price, "downturn", 3) == price

"""The consumer market: where stations sell, from the cheapest barrel down."""

import msgspec
import pytest
from msgspec.structs import replace

from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import OperatingOrders, SellGasoline
from mcmulti.domain.mcmulti.components import COMPONENTS
from mcmulti.domain.mcmulti.phases.operations import GasolineSold
from mcmulti.domain.mcmulti.setup import ConsumerTrack, Setup, unfit
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.mcmulti.view import McMultiView
from mcmulti.domain.oil.names import EconomyName
from tests.pure.mcmulti.situations import after, events, most, refused, rolled, situation, started
from tests.scripted_chance import ScriptedChance


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


# A board of your own

OWN = ConsumerTrack(red_fields=(14, 30), prices=(10, 14, 20, 26, 30, 40))
"""Six fields, not all a dollar apart; two are red."""


def on_own_board(state: State) -> State:
    """The same at a table with an option for the track."""
    return replace(state, setup=replace(state.setup, consumer_track=OWN))


def test_consumer_sale__on_a_board_of_ones_own_each_barrel_goes_one_field_down() -> None:
    """Below 26: 20 + 14 = 34. Then one more is sold at 10, and none below that."""
    state = on_own_board(doubly_productive_station(26))
    assert events(state, 0, SellGasoline(2))[0] == GasolineSold(0, (20, 14))
    assert after(state, 0, SellGasoline(2)).players[0].cash == 34
    assert most(on_own_board(doubly_productive_station(14)), 0, "SellGasoline") == 1
    assert refused(on_own_board(doubly_productive_station(10)), 0, SellGasoline(1)).code == "consumer_floor"


@pytest.mark.parametrize(("price", "moves_to"), [(10, 30), (26, 30), (30, 30), (40, 40)])
def test_consumer_red_fields__on_a_board_of_ones_own_its_red_fields_count(price: int, moves_to: int) -> None:
    """Recovery, green 2: Expansion, +4. From 10 there are two red fields, 14 and 30; above 30 there is none."""
    state = on_own_board(situation(economy="recovery", consumer=price, difference=7))
    assert rolled(state, 1, 2, 2).consumer_price == moves_to


def test_consumer_red_fields__on_a_board_of_ones_own_falling_demand_counts_them_too() -> None:
    """Recession, green 1: Depression, -2. From 40 over 30 to 14."""
    state = on_own_board(situation(economy="recession", consumer=40, difference=7))
    assert rolled(state, 1, 2, 1).consumer_price == 14


def test_consumer_red_fields__only_the_red_fields_may_be_given() -> None:
    """Prices are 1 to 80 then: from 26, four red fields up is over 27, 28, and 29 to 40."""
    setup = Setup(consumer_track=ConsumerTrack(red_fields=(27, 28, 29, 40, 79)))
    assert unfit(setup) is None
    state = replace(situation(economy="recovery", difference=7), setup=setup)
    assert rolled(state, 1, 2, 2).consumer_price == 40


def test_consumer_red_fields__view_and_picture_show_the_table_its_own_track() -> None:
    state = on_own_board(situation(consumer=26))
    shown = RULESET.view(state, None)
    assert isinstance(shown, McMultiView)
    assert (shown.setup.consumer_track, shown.consumer.price, shown.consumer.next_sale) == (OWN, 26, 20)
    assert RULESET.picture is not None
    [track] = [each for each in RULESET.picture(state, "en").tracks if each.marked == OWN.red_fields]
    assert (track.values, track.occupied, track.sell) == (OWN.prices, (26,), 20)


@pytest.mark.parametrize(
    ("track", "code", "rule"),
    [
        (ConsumerTrack((14, 30, 20), OWN.prices), "track_falls", "consumer/red-fields"),
        (ConsumerTrack((14, 14), OWN.prices), "track_falls", "consumer/red-fields"),
        (ConsumerTrack((14,), (10, 26, 14)), "track_falls", "consumer/red-fields"),
        (ConsumerTrack((14,), (10, 14, 20, 30)), "track_start", "consumer/start"),
        (ConsumerTrack((15,), OWN.prices), "track_red", "consumer/red-fields"),
        (ConsumerTrack((81,)), "track_red", "consumer/red-fields"),
    ],
)
def test_consumer_red_fields__what_is_no_track_is_refused(track: ConsumerTrack, code: str, rule: str) -> None:
    rejection = RULESET.open("game", Setup(consumer_track=track), ScriptedChance())
    assert isinstance(rejection, Rejection)
    assert (rejection.code, rejection.rule, rejection.field) == (code, rule, "consumer_track")


@pytest.mark.parametrize(
    "track",
    [
        {"red_fields": []},
        {"red_fields": [0]},
        {"red_fields": [26], "prices": [26]},
        {"red_fields": [26], "prices": [26, 201]},
        {"red_fields": [26], "prices": list(range(1, 102))},
        {"red_fields": ["26"]},
        {"prices": [1, 26]},
        {"red_fields": [26], "more": 1},
    ],
)
def test_consumer_red_fields__a_track_has_bounds(track: dict[str, object]) -> None:
    """At least a red field and two fields, at most 100 of each, and prices from 1 to 200."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"consumer_track": track}, Setup)


@pytest.mark.parametrize(("below", "guards"), [(20, False), (21, True)])
def test_consumer_sale__the_guard_of_an_instruction_knows_the_track(below: int, guards: bool) -> None:
    """The next barrel brings 20, not 25."""
    state = on_own_board(situation(consumer=26))
    assert (OperatingOrders(price_below=below).guard(state, 0) == "price_below") is guards

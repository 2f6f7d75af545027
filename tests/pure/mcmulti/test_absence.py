"""What happens to the assets of a player whose time ran out, or who has left: nothing that no rule requires."""

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.capabilities.clock import TimeOut
from mcmulti.domain.core.capabilities.leaving import Resign
from mcmulti.domain.core.course.unasked import MovedUnasked
from mcmulti.domain.mcmulti.commands import Instruct, OperatingOrders
from mcmulti.domain.mcmulti.components import ECONOMY
from mcmulti.domain.mcmulti.flow import to_sell
from mcmulti.domain.mcmulti.news.taxes import TaxPaid
from mcmulti.domain.mcmulti.news.warming import CleanUpPaid
from mcmulti.domain.mcmulti.phases.assets import AssetSold
from mcmulti.domain.mcmulti.phases.ending import VictoryDeclared
from mcmulti.domain.mcmulti.phases.operations import CrudePumped, CrudeRefined, GasolineSold
from mcmulti.domain.mcmulti.state import State
from tests.pure.mcmulti.situations import after, assets_phase, events, rolled, site, situation
from tests.timed import timed

OURS = "rig 1-1, station 1-3, station 4-2, refinery 5-5, well 3-2"
"""A 1 and a 2 make all of them productive except the refinery."""
TWO_REFINERIES = "refinery 1-1, refinery 4-4"


def _inspected(**arrangement: object) -> State:
    """A double 6 brought the snap inspection: 3 for each barrel of crude, 5 for each of gasoline."""
    return timed(rolled(situation(less_likely="snap_inspection", **arrangement), 6, 6))  # type: ignore[arg-type]


def _instructed(state: State, **orders: Any) -> State:
    """The same situation at a table with instructions, in which Ada has set this one."""
    state = replace(state, setup=replace(state.setup, instructions=2))
    return after(state, 0, Instruct(OperatingOrders(**orders)))


def test_table_instruct__who_is_away_has_its_own_turn_operated_as_it_said() -> None:
    """A 2 hits the well and a station, a 5 the refinery.

    Of 4 barrels of gasoline 3 stay: one is sold for 24, since at 25 the next barrel brings 24. A barrel of crude is
    refined, and the well brings two.
    """
    state = timed(situation(assets={0: OURS}, crude=4, gasoline=4, consumer=25))
    state = _instructed(state, away_operates=True, sell_from=20, keep_gasoline=3, refine=True, keep_crude=3, pump=True)
    happened = events(state, None, TimeOut(), (5, 2))
    assert [type(event) for event in happened if isinstance(event, GasolineSold | CrudeRefined | CrudePumped)] == [
        GasolineSold,
        CrudeRefined,
        CrudePumped,
    ]
    player = after(state, None, TimeOut(), (5, 2)).players[0]
    assert (player.cash, player.crude, player.gasoline) == (100 + 24, 4 - 1 + 2, 4 - 1 + 1)


@pytest.mark.parametrize(
    "orders", [{"pump": True, "sell_from": 1}, {"away_operates": True, "cash_below": 101, "sell_from": 1}]
)
def test_table_instruct__without_that_wish_or_behind_a_guard_the_default_answer_is_given(
    orders: dict[str, Any],
) -> None:
    """Ada has 100, so a guard at 101 stops the instruction. Her well pumps, and nothing is sold."""
    state = _instructed(timed(situation(assets={0: OURS}, crude=4, gasoline=4)), **orders)
    player = after(state, None, TimeOut(), (5, 2)).players[0]
    assert (player.cash, player.crude, player.gasoline) == (100, 6, 4)


def test_table_instruct__who_is_away_sells_first_what_it_said_for_a_tax() -> None:
    """22 are due. Rigs bring 3 each, the station 24. Three rigs are all there are, so the station goes, too."""
    state = _inspected(cash=0, crude={0: 4}, gasoline={0: 2}, assets={0: "rig 1-1, rig 1-2, rig 1-3, station 4-4"})
    happened = events(_instructed(state, away_sells="rig"), None, TimeOut(), (1,))
    assert [event.price for event in happened if isinstance(event, AssetSold)] == [3, 3, 3, 24]
    assert TaxPaid(0, 22, 22) in happened


def test_table_instruct__who_is_away_pays_for_the_clean_ups_it_can_pay_for() -> None:
    """Two refineries stand idle.

    A clean-up costs 25: cash of 40 is enough for one, and none is paid for automatically.
    """
    state = timed(rolled(situation(likelier="global_warming_threat", cash={0: 40}, assets={0: TWO_REFINERIES}), 1, 1))
    paid = events(_instructed(state, away_cleans_up=True), None, TimeOut(), (5,))
    assert [event.site for event in paid if isinstance(event, CleanUpPaid)] == [site("1-1")]
    unasked = events(_instructed(state), None, TimeOut(), (5,))
    assert not [event for event in unasked if isinstance(event, CleanUpPaid)]


def test_table_clock__in_the_asset_phase_nothing_is_sold() -> None:
    """A rig and two stations were bought for 5 + 48 + 48 = 101. All three may be sold, and stay."""
    state = timed(assets_phase(situation(assets={0: "rig 1-1, station 1-3, station 4-2"})))
    happened = events(state, None, TimeOut())
    assert happened[0] == MovedUnasked(0, "time", "EndTurn", 1, 5)
    assert not any(isinstance(event, AssetSold | MovedUnasked) for event in happened[1:])
    assert after(state, None, TimeOut()).quadrants == state.quadrants


def test_table_vacant__a_player_who_leaves_in_the_asset_phase_sells_nothing() -> None:
    state = assets_phase(situation(assets={0: OURS}))
    left = after(state, 0, Resign())
    assert (left.quadrants, left.players[0].cash) == (state.quadrants, 100)


def test_table_clock__wells_pump_and_nothing_is_refined_or_sold_to_consumers() -> None:
    """A 2 hits the well for two barrels and a station, a 5 the refinery: crude and gasoline stay where they are."""
    state = timed(situation(assets={0: OURS}, crude=4, gasoline=4))
    happened = events(state, None, TimeOut(), (5, 2))
    assert [event.move for event in happened if isinstance(event, MovedUnasked)] == ["RollDice", "PumpCrude", "EndTurn"]
    assert CrudePumped(0, 2) in happened
    assert not any(isinstance(event, CrudeRefined | GasolineSold) for event in happened)
    player = after(state, None, TimeOut(), (5, 2)).players[0]
    assert (player.cash, player.crude, player.gasoline) == (100, 6, 4)


def test_table_clock__a_neighbors_wells_pump() -> None:
    """A 3 in Ada's turn hits Ben's well in row 3, once. His time runs out, and two barrels come."""
    state = rolled(timed(situation(assets={1: "well 3-2"})), 3, 6)
    assert state.movers == (1,)
    assert events(state, None, TimeOut())[:2] == [MovedUnasked(1, "time", "PumpCrude", 1, 5), CrudePumped(1, 2)]


def test_table_clock__no_oil_is_struck_and_no_victory_declared() -> None:
    """Both dice hit the rig, and a well would cost 5. Ada has the 750 to declare with."""
    state = timed(situation(cash=750, assets={0: "rig 1-2"}))
    happened = events(state, None, TimeOut(), (1, 2))
    assert [event.move for event in happened if isinstance(event, MovedUnasked)][-1] == "EndTurn"
    assert not any(isinstance(event, VictoryDeclared) for event in happened)
    assert after(state, None, TimeOut(), (1, 2)).players[0].cash == 750


def test_forced_sale__one_station_goes_for_a_tax_and_not_several_rigs() -> None:
    """Four barrels of crude and two of gasoline cost 22. Eight rigs at 3 raise 24, as the station does alone."""
    rigs = ", ".join(f"rig {row}-{column}" for row in (1, 2) for column in (1, 2, 3, 4))
    state = _inspected(cash=0, crude={0: 4}, gasoline={0: 2}, assets={0: f"{rigs}, station 4-4"})
    assert events(state, None, TimeOut(), (1,))[:3] == [
        MovedUnasked(0, "time", "SellAsset", 1, 5),
        AssetSold(0, "station", site("4-4"), 24),
        TaxPaid(0, 22, 22),
    ]


def test_forced_sale__what_is_in_hand_is_paid_first() -> None:
    """Of the 22 that are due, 20 are there: a rig at 3 raises the rest."""
    state = _inspected(cash={0: 20}, crude={0: 4}, gasoline={0: 2}, assets={0: "rig 1-1, rig 2-2, station 4-4"})
    happened = events(state, None, TimeOut(), (1,))
    assert [event for event in happened if isinstance(event, AssetSold)] == [AssetSold(0, "rig", site("1-1"), 3)]


def test_forced_sale__an_idle_refinery_goes_before_one_that_works() -> None:
    """30 are due, and one refinery brings 30. The second stands idle until it is cleaned up."""
    state = _inspected(cash=0, crude={0: 10}, assets={0: "refinery 1-1, refinery 4-4"}, idle={0: "refinery 4-4"})
    assert AssetSold(0, "refinery", site("4-4"), 30) in events(state, None, TimeOut(), (1,))


def test_forced_sale__all_goes_if_all_is_too_little() -> None:
    """50 are due, station and rig raise 24 + 3 = 27."""
    state = _inspected(cash=0, gasoline={0: 10}, assets={0: "rig 1-1, station 4-4"})
    happened = events(state, None, TimeOut(), (1,))
    assert [event.price for event in happened if isinstance(event, AssetSold)] == [24, 3]
    assert TaxPaid(0, 50, 27) in happened


@pytest.mark.parametrize("economy", ECONOMY)
def test_forced_sale__no_other_sales_raise_the_sum_with_fewer_assets_or_less(economy: str) -> None:
    """Every stock of up to two of each kind, and every sum, compared with all possible ways to sell."""
    prices = ECONOMY[economy].sell  # type: ignore[index]
    for stock in product(range(3), repeat=4):
        standing = dict(zip(prices, stock, strict=True))
        ways = [
            (sum(way), sum(number * price for number, price in zip(way, prices.values(), strict=True)))
            for way in product(*(range(number + 1) for number in stock))
        ]
        for short in (1, 2, 10, 22, 50, 77, 110):
            if max(raised for _, raised in ways) < short:
                continue
            left, raised, sold = dict(standing), 0, 0
            while raised < short:
                kind = to_sell(left, prices, short - raised)
                left[kind] -= 1
                raised, sold = raised + prices[kind], sold + 1
            assert (sold, raised) == min(way for way in ways if way[1] >= short)

"""Phase 3: the referee's dice, the climate, and automatic production."""

from collections.abc import Mapping, Sequence

import pytest
from msgspec import Struct
from msgspec.structs import replace

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.oil.rules.production import CrudePumped, CrudeRefined
from mcmulti.domain.postal.conditions import conditions as c
from mcmulti.domain.postal.conditions.findings import Finding
from mcmulti.domain.postal.refereeing.carrying_out import ConditionChecked
from mcmulti.domain.postal.refereeing.dice import ClimateChanged, DiceRolled, DoubleVoided
from mcmulti.domain.postal.refereeing.production import GasolineSold, OperationBegan, PumpsHeld
from mcmulti.domain.postal.sheets.sheet import HoldPumps, IfPumps, OrderSheet, PumpAt, SellAtPumps
from mcmulti.domain.postal.shown.gauges import gauges
from mcmulti.domain.postal.shown.picture import picture
from mcmulti.domain.postal.shown.view import view
from mcmulti.domain.postal.state import State
from tests.pure.mcmulti.situations import site
from tests.pure.postal.situations import NOTHING, A, B, C, D, plot, refereed, situation, turn_of

ALL = dict.fromkeys(range(4), NOTHING)


def rolled(state: State, seat: int, red: int, black: int, sheets: Mapping[int, OrderSheet] = ALL) -> list[Struct]:
    """What the seat's roll does, when all others roll row 6 and column 5 in the order A, B, C, D."""
    dice = [die for each in range(4) for die in ((red, black) if each == seat else (6, 5))]
    happened = turn_of(seat, refereed(state, sheets, dice)[0])
    first = next(index for index, event in enumerate(happened) if isinstance(event, DiceRolled))
    return [event for event in happened[first + 1 :] if type(event).__name__ != "RoundBegan"]


def began(seat: int, pumps: int, refineries: int, wells: int, strike: str | None = None) -> OperationBegan:
    return OperationBegan(seat, seat, False, pumps, refineries, wells, site(strike, seat) if strike else None)


def test_postal_phase_3__red_is_the_row_and_black_the_column() -> None:
    """Row 2 hits 2-5; column 3 hits 4-3; nothing else is hit."""
    state = situation(assets={A: "well 2-5, well 4-3, well 3-2"})
    assert rolled(state, A, 2, 3) == [began(A, 0, 0, 4), CrudePumped(A, 4)]


def test_postal_phase_3__pumps_then_refineries_then_wells() -> None:
    """All three in row 2. What is pumped now cannot be refined now, and what is refined now cannot be sold now.

    The sale brings the current 26.
    """
    state = situation(crude=1, gasoline=1, assets={A: "station 2-1, well 2-2, refinery 2-3"})
    assert rolled(state, A, 2, 6) == [
        began(A, 1, 1, 2),
        GasolineSold(A, (26,)),
        CrudeRefined(A, 1),
        CrudePumped(A, 2),
    ]


def test_postal_phase_3__without_stock_nothing_is_sold_or_refined() -> None:
    state = situation(assets={A: "station 2-1, well 2-2, refinery 2-3"})
    assert rolled(state, A, 2, 6) == [began(A, 1, 1, 2), CrudePumped(A, 2)]


def test_postal_phase_3__double_hits_count_twice() -> None:
    """Row 2 and column 3 cross in the refinery 2-3 (rows 2-3, columns 3-4), both dice hit it: 2 barrels."""
    state = situation(crude=9, assets={A: "refinery 2-3"})
    assert rolled(state, A, 2, 3) == [began(A, 0, 2, 0), CrudeRefined(A, 2)]
    state = situation(assets={A: "well 2-3, well 2-4"})
    assert rolled(state, A, 2, 3) == [began(A, 0, 0, 6), CrudePumped(A, 6)]
    state = situation(gasoline=9, assets={A: "station 2-3"})
    assert rolled(state, A, 2, 3) == [began(A, 2, 0, 0), GasolineSold(A, (26, 25))]


def test_postal_phase_3__a_refinery_is_hit_by_each_die_once() -> None:
    """Rows 2 and 3 both belong to it, but one die names one row."""
    state = situation(crude=9, assets={A: "refinery 2-3"})
    assert rolled(state, A, 3, 6) == [began(A, 0, 1, 0), CrudeRefined(A, 1)]


def test_postal_phase_3__a_rig_that_both_dice_hit_is_told() -> None:
    state = situation(assets={A: "rig 2-3"})
    assert rolled(state, A, 2, 3) == [began(A, 0, 0, 0, "2-3")]
    assert rolled(state, A, 2, 4) == []


def test_postal_phase_3__a_double_changes_the_climate_before_anything_operates() -> None:
    """From recovery by 1-1 to expansion, demand 7. From 26: 27, 30, 33, 36, 39, 41, 43. The pump sells at 43."""
    state = situation(gasoline=1, assets={A: "station 1-4"})
    assert rolled(state, A, 1, 1) == [
        ClimateChanged(1, "recovery", "expansion", 26, 43),
        began(A, 1, 0, 0),
        GasolineSold(A, (43,)),
    ]


def test_board_neighbours__they_operate_the_line_they_share_with_single_hits() -> None:
    """A rolls row 2 and column 3. B shares A's rows, D its columns, C nothing.

    B's well 2-3 is hit only by the row, D's only by the column. Wells at 5-3 (B) and 2-5 (D) are not hit.
    """
    wells = "well 2-3, well 5-3, well 2-5"
    state = situation(assets={B: wells, C: wells, D: wells})
    assert rolled(state, A, 2, 3) == [
        OperationBegan(B, B, True, 0, 0, 4, None),
        CrudePumped(B, 4),
        OperationBegan(D, D, True, 0, 0, 4, None),
        CrudePumped(D, 4),
    ]


def test_board_neighbours__who_shares_what() -> None:
    """Red 2, black 3. B (north-east): A shares its rows, C its columns. C: D rows, B columns. D: C rows, A columns."""
    for roller, by_row, by_column in ((B, A, C), (C, D, B), (D, C, A)):
        state = situation(assets=dict.fromkeys(range(4), "well 2-6, well 6-3, station 1-1"))
        hits = {
            event.seat: event.wells
            for event in rolled(state, roller, 2, 3)
            if isinstance(event, OperationBegan) and event.neighbour
        }
        assert hits == {by_row: 2, by_column: 2}
        state = situation(assets=dict.fromkeys(range(4), "well 2-6"))
        row_only = [event.seat for event in rolled(state, roller, 2, 3) if isinstance(event, OperationBegan)]
        assert row_only == [roller, by_row]


def test_board_neighbours__no_double_hits_and_no_strikes() -> None:
    state = situation(assets={B: "rig 2-3"})
    assert rolled(state, A, 2, 3) == []


def test_postal_phase_3__neighbors_operate_in_the_order_of_the_round() -> None:
    """Round 8 goes D, A, B, C. When A rolls, D sells before B: D at 26, B at 25."""
    state = situation(round=8, gasoline=1, assets={B: "station 2-6", D: "station 6-3"})
    assert state.order == (D, A, B, C)
    happened = turn_of(A, refereed(state, ALL, (5, 1, 2, 3, 5, 1, 5, 1))[0])
    sold = [event for event in happened if isinstance(event, GasolineSold)]
    assert sold == [GasolineSold(D, (26,)), GasolineSold(B, (25,))]


def test_postal_phase_3__the_player_comes_before_the_neighbors() -> None:
    """Round 5 goes A, B, C, D. When B rolls, it sells before A does, although A is first in the round."""
    state = situation(gasoline=1, assets={A: "station 2-6", B: "station 2-6"})
    sold = [event.seat for event in rolled(state, B, 2, 3) if isinstance(event, GasolineSold)]
    assert sold == [B, A]


def test_postal_pump__each_sale_brings_the_price_that_stands_and_lowers_it_by_1() -> None:
    """Three pumps, from 19: 19, 18, 17, and the price is 16 then."""
    state = situation(gasoline=5, assets={A: "station 2-1, station 2-2, station 2-3"}, consumer=19)
    assert rolled(state, A, 2, 6)[1:] == [GasolineSold(A, (19, 18, 17))]
    assert refereed(state, ALL, (2, 6, 5, 4, 5, 4, 5, 4))[1].consumer_price == 16


def test_postal_pump__a_double_hit_after_the_climate_changed_sells_from_the_new_price() -> None:
    """Recovery, 1-1: expansion, from 26 to 43. Column and row 1 cross in the pump: 43 and 42."""
    state = situation(gasoline=2, assets={A: "station 1-1"})
    assert rolled(state, A, 1, 1)[1:] == [began(A, 2, 0, 0), GasolineSold(A, (43, 42))]


def test_postal_pump__three_players_in_one_roll() -> None:
    """A rolls row 2 and column 3: A sells at 26, then B, whose rows it shares, at 25, then D, whose columns, at 24."""
    state = situation(gasoline=1, assets={A: "station 2-1", B: "station 2-6", D: "station 6-3"})
    sold = [event for event in rolled(state, A, 2, 3) if isinstance(event, GasolineSold)]
    assert sold == [GasolineSold(A, (26,)), GasolineSold(B, (25,)), GasolineSold(D, (24,))]


def test_postal_pump__at_1_one_more_barrel_is_sold_and_then_none_until_the_climate_changes() -> None:
    """Three pumps, from 2: the sales bring 2 and 1. Then there are none, so nothing is held back either.

    A double 1 (recovery to expansion, 7 steps) leads to 27: 5, 9, 13, 17, 21, 24, 27. Then they bring 27, 26, 25.
    """
    state = situation(gasoline=5, assets={A: "station 2-1, station 2-2, station 2-3"}, consumer=2)
    assert rolled(state, A, 2, 6)[1:] == [GasolineSold(A, (2, 1))]
    stands = situation(gasoline=5, assets={A: "station 2-1"}, consumer=1)
    assert rolled(stands, A, 2, 6)[1:] == [GasolineSold(A, (1,))]
    _, state = refereed(state, ALL, (2, 6, 5, 4, 5, 4, 5, 4))
    assert view(state, None).climate.consumer_price is None
    happened, _ = refereed(state, ALL, (5, 4, 5, 4, 5, 4, 2, 6))
    assert not [event for event in happened if isinstance(event, GasolineSold | PumpsHeld)]
    happened, _ = refereed(state, ALL, (1, 1, 5, 4, 5, 4, 2, 6))
    assert ClimateChanged(1, "recovery", "expansion", 0, 27) in happened
    assert GasolineSold(A, (27, 26, 25)) in happened


def test_postal_pump__the_sheet_may_hold_it_or_name_a_lowest_price() -> None:
    state = situation(gasoline=9, assets={A: "station 2-1, station 2-2, station 2-3"})
    hold = {**ALL, A: OrderSheet(pumps=HoldPumps())}
    assert rolled(state, A, 2, 6, hold)[1:] == [PumpsHeld(A, 1, 3)]
    lowest = {**ALL, A: OrderSheet(pumps=SellAtPumps(25))}
    assert rolled(state, A, 2, 6, lowest)[1:] == [PumpsHeld(A, 1, 1), GasolineSold(A, (26, 25))]


PUMPS = "station 2-1, station 2-2, station 2-3"
"""A roll of row 2 and column 3 hits two of them once, and the one at 2-3 twice: four barrels."""


def pumped(order: SellAtPumps, gasoline: int = 9) -> list[Struct]:
    """What A's pumps do with these orders."""
    return rolled(situation(gasoline=gasoline, assets={A: PUMPS}), A, 2, 3, {**ALL, A: OrderSheet(pumps=order)})[1:]


def test_postal_pump__each_sells_so_many_barrels_when_it_is_hit() -> None:
    assert pumped(SellAtPumps()) == [GasolineSold(A, (26, 25, 24, 23))]
    assert pumped(SellAtPumps(each=1)) == [PumpsHeld(A, 1, 1), GasolineSold(A, (26, 25, 24))]


def test_postal_pump__single_pumps_have_numbers_of_their_own() -> None:
    """The one at 2-3 sells nothing, so two barrels are left. Or only it sells, both of its own. 6-6 has no pump."""
    crossed, first, none = PumpAt(plot("2-3"), 0), PumpAt(plot("2-1"), 0), PumpAt(plot("6-6"), 0)
    assert pumped(SellAtPumps(at=(crossed,))) == [PumpsHeld(A, 1, 2), GasolineSold(A, (26, 25))]
    assert pumped(SellAtPumps(each=1, at=(PumpAt(plot("2-3"), 2),))) == [GasolineSold(A, (26, 25, 24, 23))]
    assert pumped(SellAtPumps(at=(first, none))) == [PumpsHeld(A, 1, 1), GasolineSold(A, (26, 25, 24))]


def test_postal_pump__gasoline_is_kept() -> None:
    assert pumped(SellAtPumps(keep=3), gasoline=5) == [PumpsHeld(A, 1, 2), GasolineSold(A, (26, 25))]
    assert pumped(SellAtPumps(keep=3), gasoline=3) == [PumpsHeld(A, 1, 3)]


def test_postal_pump__so_many_in_all_in_the_round() -> None:
    """Row 2 hits A's three pumps in A's roll, and in that of B, who shares its rows: three of five, then two of three.

    In the next round they may sell again.
    """
    state = situation(gasoline=9, assets={A: PUMPS})
    sheets = {**ALL, A: OrderSheet(pumps=SellAtPumps(at_most=5))}
    dice = (2, 6, 2, 6, 5, 6, 5, 6)
    happened, later = refereed(state, sheets, dice)
    told = [event for event in happened if isinstance(event, GasolineSold | PumpsHeld)]
    assert told == [GasolineSold(A, (26, 25, 24)), PumpsHeld(A, 1, 1), GasolineSold(A, (23, 22))]
    happened, _ = refereed(later, sheets, (5, 6, 5, 6, 5, 6, 2, 6))
    assert [event for event in happened if isinstance(event, GasolineSold)] == [GasolineSold(A, (21, 20, 19))]


def test_postal_pump__lowest_price_and_condition_mean_what_the_next_sale_brings() -> None:
    """The price is 26, so a sale brings 26, which is less than 27."""
    state = situation(gasoline=1, assets={A: "station 2-1"})
    dearer, enough = OrderSheet(pumps=SellAtPumps(27)), OrderSheet(pumps=SellAtPumps(26))
    asking = OrderSheet(pumps=IfPumps(c.ConsumerPriceIs(at_least=26, at_most=26), SellAtPumps(), HoldPumps()))
    assert rolled(state, A, 2, 6, {**ALL, A: dearer})[1:] == [PumpsHeld(A, 1, 1)]
    assert rolled(state, A, 2, 6, {**ALL, A: enough})[1:] == [GasolineSold(A, (26,))]
    assert rolled(state, A, 2, 6, {**ALL, A: asking})[2:] == [GasolineSold(A, (26,))]


@pytest.mark.parametrize(("price", "brings"), [(26, 26), (1, 1), (0, None)])
def test_postal_pump__what_the_next_sale_brings_is_shown(price: int, brings: int | None) -> None:
    """For programs, in the picture, and as a figure over time. 0 is the state after a sale at 1."""
    state = situation(consumer=price)
    assert view(state, None).climate.consumer_price == brings
    track = picture(state, "en").tracks[-1]
    assert (track.name, track.occupied, track.sell) == ("consumers", (brings,) if brings else (), brings)
    assert gauges(state).prices["consumers"] == brings


def test_postal_pump__no_condition_on_the_consumer_price_holds_while_there_is_none() -> None:
    """Neither a lowest nor a highest price is met. The pump that would sell otherwise has nobody to sell to."""
    state = situation(gasoline=1, assets={A: "station 2-1"}, consumer=0)
    for asked in (c.ConsumerPriceIs(at_least=0), c.ConsumerPriceIs(at_most=80)):
        sheets = {**ALL, A: OrderSheet(pumps=IfPumps(asked, SellAtPumps(), HoldPumps()))}
        assert rolled(state, A, 2, 6, sheets)[1:] == [ConditionChecked(A, 1, False, (Finding(asked, None, False),))]


def test_postal_pump__what_the_sheet_says_holds_for_hits_by_neighbors_too() -> None:
    state = situation(gasoline=9, assets={B: "station 2-1"})
    sheets = {**ALL, B: OrderSheet(pumps=HoldPumps())}
    assert rolled(state, A, 2, 6, sheets)[1:] == [PumpsHeld(B, 1, 1)]


def draws(first: int, *values: int) -> Sequence[Draw]:
    return [Draw(first + index, 6, value) for index, value in enumerate(values)]


def test_postal_two_changes__a_third_double_is_rolled_again_until_it_is_none() -> None:
    """A rolls 2-2 and B 1-1: recovery, expansion, recovery. C's 3-3 and 6-6 are void, and its third roll counts."""
    happened, state = refereed(situation(), ALL, (2, 2, 1, 1, 3, 3, 6, 6, 4, 5, 1, 2))
    changes = [(event.before, event.after) for event in happened if isinstance(event, ClimateChanged)]
    assert changes == [("recovery", "expansion"), ("expansion", "recovery")]
    dice = draws(5, 3, 3, 6, 6, 4, 5)
    assert [event for event in turn_of(C, happened) if isinstance(event, DoubleVoided | DiceRolled)] == [
        DoubleVoided(C, dice[0], dice[1]),
        DoubleVoided(C, dice[2], dice[3]),
        DiceRolled(C, dice[4], dice[5]),
    ]
    assert state.economy == "recovery"


def test_postal_two_changes__a_void_double_hits_nothing() -> None:
    state = situation(changes=2, assets={A: "well 3-3, well 4-5"})
    happened = turn_of(A, refereed(state, ALL, (3, 3, 4, 6, 1, 2, 1, 2, 1, 2))[0])
    assert happened[2:] == [began(A, 0, 0, 2), CrudePumped(A, 2)]


def test_postal_two_changes__where_it_was_agreed_on_a_third_double_stands_and_changes_nothing() -> None:
    """C's 3-3 hits its well at row 3, column 3 with both dice: four barrels. The climate stays the Recovery."""
    state = situation(assets={C: "well 3-3"})
    state = replace(state, setup=replace(state.setup, third_double="stands"))
    happened, state = refereed(state, ALL, (2, 2, 1, 1, 3, 3, 1, 2))
    rolled, operating, pumped, *_ = turn_of(C, happened)
    assert rolled == DiceRolled(C, *draws(5, 3, 3))
    assert (operating, pumped) == (began(C, 0, 0, 4), CrudePumped(C, 4))
    assert not any(isinstance(event, DoubleVoided) for event in happened)
    assert (state.economy, state.climate_changes) == ("recovery", 0)


def test_postal_two_changes__the_next_round_may_change_it_again() -> None:
    _, state = refereed(situation(), ALL, (2, 2, 1, 1, 4, 5, 1, 2))
    _, state = refereed(state, ALL, (1, 1, 1, 2, 1, 2, 1, 2))
    assert state.economy == "expansion"

"""Phase 3: what the neighbors operate, and the turns of the ghost."""

import pytest

from mcmulti.domain.core.chance import Draw
from mcmulti.domain.core.commands import Command
from mcmulti.domain.mcmulti import RULESET
from mcmulti.domain.mcmulti.commands import (
    BuyAsset,
    BuyBarrels,
    EndProduction,
    EndTurn,
    PumpCrude,
    RefineCrude,
    RollDice,
    SellAsset,
    SellGasoline,
    StrikeOil,
)
from mcmulti.domain.mcmulti.components import NewsName
from mcmulti.domain.mcmulti.news.cards import NewsTriggered
from mcmulti.domain.mcmulti.news.effects import BarrelsUsedUp
from mcmulti.domain.mcmulti.news.taxes import TaxLevied, TaxPaid
from mcmulti.domain.mcmulti.phases.dice import DiceRolled, DifferenceAdvanced, EconomyChanged
from mcmulti.domain.mcmulti.phases.ending import TurnBegan
from mcmulti.domain.mcmulti.phases.production import OperationBegan
from mcmulti.domain.mcmulti.state import Due, State
from tests.pure.mcmulti.situations import (
    after,
    assets_phase,
    events,
    most,
    offered,
    refused,
    rolled,
    rules,
    site,
    situation,
)

# With red 2 and black 5: a well in row 2 and two wells in column 5, so a row brings 2 and a column 4.
WELLS = "well 2-1, well 1-5, well 3-5"
ROW, COLUMN = 2, 4


def operate(state: State) -> list[tuple[int, int]]:
    """Who operates which quadrant in the neighbor phase, and how many barrels its wells bring. Nobody uses them."""
    operations = []
    while state.phase == "neighbours":
        (seat,) = RULESET.to_move(state)
        operations.append((state.now.operating, most(state, seat, "PumpCrude")))
        state = after(state, seat, EndProduction())
    assert state.phase == "assets"
    return operations


@pytest.mark.parametrize(
    ("quadrant", "left", "right"),
    [
        (0, (1, ROW), (3, COLUMN)),
        (1, (2, COLUMN), (0, ROW)),
        (2, (3, ROW), (1, COLUMN)),
        (3, (0, COLUMN), (2, ROW)),
    ],
)
def test_neighbour_lines__the_left_one_first_then_the_right_one_by_the_other_die(
    quadrant: int, left: tuple[int, int], right: tuple[int, int]
) -> None:
    """The opposite quadrant has wells as well and gets nothing."""
    others = dict.fromkeys({0, 1, 2, 3} - {quadrant}, WELLS)
    assert operate(rolled(situation(quadrant=quadrant, assets=others), 2, 5)) == [left, right]


def test_neighbour_lines__after_the_production_of_the_player_at_turn() -> None:
    """Ada's station sells at 25, Ben's, to her left, at 24, and that of Dan, to her right, at 23."""
    state = situation(gasoline=1, cash=0, assets={0: "station 2-1", 1: "station 2-1", 3: "station 1-5"})
    state = rolled(state, 2, 5)
    assert refused(state, 1, SellGasoline(1)).code == "out_of_turn"
    for seat in (0, 1, 3):
        state = after(state, seat, SellGasoline(1))
    assert [player.cash for player in state.players] == [25, 24, 0, 23]
    assert (state.phase, RULESET.to_move(state)) == ("assets", (0,))


def test_neighbour_lines__each_neighbors_turn_to_operate_names_the_rule() -> None:
    state = rolled(situation(assets={0: WELLS, 1: WELLS, 3: WELLS}), 2, 5)
    assert rules(state, 0, EndProduction()) == ["neighbour/lines"]
    state = after(state, 0, EndProduction())
    assert rules(state, 1, EndProduction()) == ["neighbour/lines"]


def test_neighbour_lines__a_neighbor_with_nothing_to_operate_is_passed_over() -> None:
    """Quadrant 1 has a well in column 5, but its line is row 2."""
    assert operate(rolled(situation(assets={1: "well 1-5", 3: "well 1-5"}), 2, 5)) == [(3, 2)]


@pytest.mark.parametrize(("neighbor", "red", "black"), [(1, 5, 1), (3, 1, 5)])
@pytest.mark.parametrize("asset", ["well 1-1", "station 1-1", "refinery 1-1"])
def test_neighbour_lines__the_die_of_the_other_neighbor_hits_nothing(
    asset: str, neighbor: int, red: int, black: int
) -> None:
    """The 1 would hit in the corner, but it is the other neighbor's die. Nothing stands on this line."""
    state = rolled(situation(crude=2, gasoline=2, assets={neighbor: asset}), red, black)
    assert state.phase == "assets"


def test_neighbour_lines__a_neighbor_finds_what_those_before_left() -> None:
    """Ada sells the barrel at 1. Nothing is left for Ben's station, so he is not asked."""
    state = rolled(situation(gasoline=1, consumer=2, assets={0: "station 2-1", 1: "station 2-1"}), 2, 5)
    assert most(after(state, 0, EndProduction()), 1, "SellGasoline") == 1
    assert after(state, 0, SellGasoline(1)).phase == "assets"


def test_neighbour_lines__the_order_of_production_holds_for_neighbors() -> None:
    """Ben pumps first, so he has passed his refinery and his station. What Ada did does not matter to him."""
    assets = "station 2-1, refinery 2-2, well 2-4"
    state = rolled(situation(crude=1, gasoline=1, assets={0: "well 2-1", 1: assets}), 2, 6)
    state = after(state, 0, PumpCrude(2))
    assert [most(state, 1, name) for name in ("SellGasoline", "RefineCrude", "PumpCrude")] == [1, 1, 2]
    refining = after(state, 1, RefineCrude(1))
    assert refused(refining, 1, SellGasoline(1)).code == "step_passed"
    assert most(refining, 1, "PumpCrude") == 2


def test_neighbour_lines__the_player_at_turn_waits_for_both() -> None:
    state = rolled(situation(assets={1: WELLS, 3: WELLS}), 2, 5)
    assert refused(state, 0, BuyAsset("rig", site("1-1"))).code == "out_of_turn"
    state = after(state, 1, PumpCrude(2))
    assert refused(state, 0, EndTurn()).code == "out_of_turn"
    assert after(state, 3, PumpCrude(4)).phase == "assets"


@pytest.mark.parametrize(
    ("asset", "command", "hits"),
    [("station 2-5", "SellGasoline", 1), ("refinery 1-4", "RefineCrude", 1), ("well 2-5", "PumpCrude", 2)],
)
@pytest.mark.parametrize("neighbor", [1, 3])
def test_neighbour_single_hits__where_the_lines_would_cross(neighbor: int, asset: str, command: str, hits: int) -> None:
    """Both dice name the asset's row and column, but only one of them is the neighbor's."""
    state = rolled(situation(crude=3, gasoline=3, assets={neighbor: asset}), 2, 5)
    assert most(state, neighbor, command) == hits


def test_neighbour_single_hits__the_log_says_what_the_die_hits() -> None:
    """Row 2 is Ben's: a barrel for the station, one for the refinery, two of the well, and no strike."""
    state = situation(crude=1, gasoline=1, assets={1: "station 2-1, refinery 2-2, well 2-4, rig 2-5, well 1-5"})
    assert events(state, 0, RollDice(), (2, 5))[-1] == OperationBegan(
        seat=1, quadrant=1, neighbour=True, stations=1, refineries=1, wells=2, strike=None
    )


@pytest.mark.parametrize(("command", "limit"), [(SellGasoline(2), 1), (RefineCrude(2), 1), (PumpCrude(4), 2)])
def test_neighbour_single_hits__more_is_refused(command: Command, limit: int) -> None:
    state = rolled(situation(crude=3, gasoline=3, assets={1: "station 2-1, refinery 2-5, well 2-4"}), 2, 5)
    rejection = refused(state, 1, command)
    assert (rejection.code, rejection.rule, rejection.limit) == ("hits", "production/hit", limit)


@pytest.mark.parametrize(("neighbor", "line"), [(1, "well 2-1"), (3, "well 1-5")])
def test_neighbour_single_hits__a_neighbor_never_strikes_oil(neighbor: int, line: str) -> None:
    """The rig stands at row 2, column 5, as the dice say; the well on the line keeps production open."""
    state = rolled(situation(assets={neighbor: f"rig 2-5, {line}"}), 2, 5)
    assert most(state, neighbor, "PumpCrude") == 2
    assert offered(state, neighbor, "StrikeOil") == []
    rejection = refused(state, neighbor, StrikeOil(site("2-5", neighbor)))
    assert (rejection.code, rejection.rule) == ("neighbour", "neighbour/single-hits")


# Three players: quadrant 3 is the ghost's. Its turn follows that of quadrant 2.


def before_ghost(
    assets: dict[int, str] | None = None,
    *,
    cash: int = 100,
    difference: int = 0,
    likelier: NewsName = "long_cold_winter",
) -> State:
    """The asset phase before the ghost's turn, which begins when player 2 ends this one."""
    state = situation(3, quadrant=2, assets=assets, cash=cash, difference=difference, likelier=likelier)
    return assets_phase(state)


def test_neighbour_ghost__its_dice_fall_by_themselves_and_nothing_else_is_asked() -> None:
    """Turn 6 is the ghost's, turn 7 already that of quadrant 0. Two draws turned over the first news."""
    assert events(before_ghost(), 2, EndTurn(), (2, 5)) == [
        TurnBegan(6, 3, None),
        DiceRolled(None, Draw(3, 6, 2), Draw(4, 6, 5)),
        DifferenceAdvanced(3, 3),
        TurnBegan(7, 0, 0),
    ]
    state = after(before_ghost(), 2, EndTurn(), (2, 5))
    assert (state.phase, RULESET.to_move(state)) == ("market", (0,))


def test_neighbour_ghost__its_neighbors_operate_the_left_one_first() -> None:
    """Quadrant 0 has the column, then quadrant 2 the row. The opposite one, 1, has nothing."""
    state = after(before_ghost(dict.fromkeys((0, 1, 2), WELLS)), 2, EndTurn(), (2, 5))
    assert (state.phase, state.now.seat, RULESET.to_move(state)) == ("neighbours", None, (0,))
    state = after(state, 0, PumpCrude(COLUMN))
    assert RULESET.to_move(state) == (2,)
    state = after(state, 2, PumpCrude(ROW))
    assert [player.crude for player in state.players] == [COLUMN, 0, ROW]
    assert (state.phase, state.now.quadrant, RULESET.to_move(state)) == ("market", 0, (0,))


def test_neighbour_ghost__news_happens_in_its_turn() -> None:
    """Double 1 and the long cold winter. The third draw turns over the next card."""
    happened = events(before_ghost(), 2, EndTurn(), (1, 1, 1))
    assert happened[2:4] == [NewsTriggered("long_cold_winter"), BarrelsUsedUp("domestic", "gasoline", 5)]
    assert happened[-1] == TurnBegan(7, 0, 0)


def test_neighbour_ghost__the_players_pay_taxes_in_its_turn() -> None:
    """15 a station, from the ghost on clockwise: 0, 1, 2."""
    stations = {0: "station 6-6", 1: "station 6-6, station 6-5", 2: "station 6-6"}
    state = before_ghost(stations, likelier="state_sales_tax")
    happened = events(state, 2, EndTurn(), (1, 1, 1))
    assert happened[3:7] == [
        TaxLevied("state_sales_tax", (Due(0, 15), Due(1, 30), Due(2, 15))),
        TaxPaid(0, 15, 15),
        TaxPaid(1, 30, 30),
        TaxPaid(2, 15, 15),
    ]


def test_neighbour_ghost__its_turn_goes_on_when_a_player_raised_the_tax() -> None:
    """Cleo pays 15 for a station that she sells for 24. Then black 1 lets quadrant 0 pump, to the ghost's left."""
    state = before_ghost({0: "well 1-1", 2: "station 6-6"}, cash=0, likelier="state_sales_tax")
    state = after(state, 2, EndTurn(), (1, 1))
    assert (state.phase, RULESET.to_move(state)) == ("news", (2,))
    state = after(state, 2, SellAsset("station", site("6-6", quadrant=2)), (1,))
    assert state.players[2].cash == 9
    assert (state.phase, RULESET.to_move(state)) == ("neighbours", (0,))
    state = after(state, 0, PumpCrude(2))
    assert (state.phase, state.now.number, state.now.quadrant) == ("market", 7, 0)


def test_neighbour_ghost__the_economy_changes_in_its_turn() -> None:
    """7 + 1 = 8. Green 6 leads from Recovery to Rapid Growth."""
    happened = events(before_ghost(difference=7), 2, EndTurn(), (2, 1, 6))
    assert EconomyChanged(Draw(5, 6, 6), "recovery", "rapid_growth") in happened
    assert after(before_ghost(difference=7), 2, EndTurn(), (2, 1, 6)).difference == 0


@pytest.mark.parametrize(
    ("quadrant", "operations"),
    [
        pytest.param(0, [(1, ROW)], id="the ghost to the right"),
        pytest.param(2, [(1, COLUMN)], id="the ghost to the left"),
        pytest.param(1, [(2, COLUMN), (0, ROW)], id="the ghost opposite"),
    ],
)
def test_neighbour_ghost__as_a_neighbor_it_does_nothing(quadrant: int, operations: list[tuple[int, int]]) -> None:
    others = dict.fromkeys({0, 1, 2} - {quadrant}, WELLS)
    assert operate(rolled(situation(3, quadrant=quadrant, assets=others), 2, 5)) == operations


@pytest.mark.parametrize("quadrant", [0, 1, 2])
def test_neighbour_ghost__nobody_builds_in_its_quadrant(quadrant: int) -> None:
    state = assets_phase(situation(3, quadrant=quadrant))
    assert refused(state, quadrant, BuyAsset("rig", site("1-1", quadrant=3))).code == "site"


# Two players: Ada owns quadrants 0 and 2, Ben 1 and 3.


@pytest.mark.parametrize(
    ("quadrant", "operations"),
    [
        (0, [(1, ROW), (3, COLUMN)]),
        (1, [(2, COLUMN), (0, ROW)]),
        (2, [(3, ROW), (1, COLUMN)]),
        (3, [(0, COLUMN), (2, ROW)]),
    ],
)
def test_neighbour_two_players__both_neighbors_are_the_opponents(
    quadrant: int, operations: list[tuple[int, int]]
) -> None:
    """The opposite quadrant, the player's own second one, gets nothing."""
    others = dict.fromkeys({0, 1, 2, 3} - {quadrant}, WELLS)
    state = rolled(situation(2, quadrant=quadrant, assets=others), 2, 5)
    assert {state.owners[operated] for operated, _ in operations} == {1 - quadrant % 2}
    assert operate(state) == operations


def test_neighbour_two_players__the_opponent_operates_one_quadrant_after_the_other() -> None:
    state = rolled(situation(2, assets={1: WELLS, 3: WELLS}), 2, 5)
    state = after(state, 1, PumpCrude(ROW))
    assert (state.now.operating, RULESET.to_move(state)) == (3, (1,))
    state = after(state, 1, PumpCrude(COLUMN))
    assert state.players[1].crude == 2 + 4
    assert (state.phase, RULESET.to_move(state)) == ("assets", (0,))


# On row 2 and on column 5 alike: one station, one refinery, and one well, and also two stations and two refineries.
ONE_EACH = "station 2-1, refinery 2-2, well 2-4, station 1-5, refinery 4-5, well 6-5"
TWO_EACH = "station 2-1, station 2-6, station 1-5, station 6-5, refinery 1-2, refinery 2-4, refinery 4-5"

all_round = pytest.mark.parametrize("quadrant", [0, 1, 2, 3])


def at_left(quadrant: int, crude: int, gasoline: int, right: str = ONE_EACH) -> tuple[State, int]:
    """Red 2 and black 5 in the turn of this quadrant. Its left neighbor operates. The opponent's seat is the second.

    The opponent has these barrels and no cash.
    """
    opponent = 1 - quadrant % 2
    assets = {(quadrant + 1) % 4: ONE_EACH, (quadrant + 3) % 4: right}
    before = situation(
        2, quadrant=quadrant, cash=0, crude={opponent: crude}, gasoline={opponent: gasoline}, assets=assets
    )
    state = rolled(before, 2, 5)
    assert (state.now.operating, RULESET.to_move(state)) == ((quadrant + 1) % 4, (opponent,))
    return state, opponent


@all_round
def test_neighbour_two_players__what_one_quadrant_refined_the_other_does_not_sell_in_this_turn(quadrant: int) -> None:
    """The only barrel is refined on the left. The station on the right, which would bring 25, may not sell it."""
    state, opponent = at_left(quadrant, crude=1, gasoline=0)
    state = after(after(state, opponent, RefineCrude(1)), opponent, EndProduction())
    assert (state.now.operating, state.players[opponent].gasoline) == ((quadrant + 3) % 4, 1)
    assert offered(state, opponent, "SellGasoline") == []
    rejection = refused(state, opponent, SellGasoline(1))
    assert (rejection.code, rejection.rule, rejection.limit) == ("fresh", "neighbour/two-players", 0)


@all_round
def test_neighbour_two_players__what_one_quadrant_pumped_the_other_does_not_refine_in_this_turn(quadrant: int) -> None:
    """Two barrels come from the well on the left. The refinery on the right gets none of them."""
    state, opponent = at_left(quadrant, crude=0, gasoline=0)
    state = after(state, opponent, PumpCrude(2))
    assert (state.now.operating, state.players[opponent].crude) == ((quadrant + 3) % 4, 2)
    assert offered(state, opponent, "RefineCrude") == []
    rejection = refused(state, opponent, RefineCrude(1))
    assert (rejection.code, rejection.rule, rejection.limit) == ("fresh", "neighbour/two-players", 0)


@all_round
def test_neighbour_two_players__what_was_in_store_before_the_other_quadrant_may_use(quadrant: int) -> None:
    """2 crude and 1 gasoline: refining one and pumping two on the left makes 3 and 2, of them 1 and 1 from before.

    On the right, two stations and two refineries are hit: the old barrels are sold at 25 and refined.
    """
    state, opponent = at_left(quadrant, crude=2, gasoline=1, right=TWO_EACH)
    state = after(after(state, opponent, RefineCrude(1)), opponent, PumpCrude(2))
    player = state.players[opponent]
    assert (player.crude, player.gasoline) == (3, 2)
    assert [most(state, opponent, name) for name in ("SellGasoline", "RefineCrude")] == [1, 1]
    too_many = [refused(state, opponent, command) for command in (SellGasoline(2), RefineCrude(2))]
    assert [(rejection.code, rejection.limit) for rejection in too_many] == [("fresh", 1), ("fresh", 1)]
    state = after(after(state, opponent, SellGasoline(1)), opponent, RefineCrude(1))
    player = state.players[opponent]
    assert (player.cash, player.crude, player.gasoline) == (25, 2, 2)
    assert state.phase == "assets"


@all_round
def test_neighbour_two_players__what_is_sold_at_the_left_is_gone_at_the_right(quadrant: int) -> None:
    """One old barrel of gasoline is sold on the left, and one is refined there.

    None of the one in store may be sold.
    """
    state, opponent = at_left(quadrant, crude=2, gasoline=1, right=TWO_EACH)
    state = after(after(state, opponent, SellGasoline(1)), opponent, RefineCrude(1))
    state = after(state, opponent, EndProduction())
    assert state.players[opponent].gasoline == 1
    assert [most(state, opponent, name) for name in ("SellGasoline", "RefineCrude")] == [0, 1]


@all_round
def test_neighbour_two_players__with_fresh_barrels_alone_the_other_quadrant_is_passed_over(quadrant: int) -> None:
    state, opponent = at_left(quadrant, crude=1, gasoline=0, right="station 2-1, station 1-5")
    state = after(after(state, opponent, RefineCrude(1)), opponent, EndProduction())
    assert (state.phase, RULESET.to_move(state)) == ("assets", (1 - opponent,))


@all_round
def test_neighbour_two_players__in_the_next_turn_nothing_is_fresh(quadrant: int) -> None:
    """The opponent's own turn follows, in the quadrant where it refined one barrel and pumped two. Two lines hit it."""
    state, opponent = at_left(quadrant, crude=1, gasoline=0)
    state = after(after(state, opponent, RefineCrude(1)), opponent, PumpCrude(2))
    state = after(after(state, opponent, EndProduction()), 1 - opponent, EndTurn())
    state = rolled(state, 2, 5)
    assert state.now.operating == (quadrant + 1) % 4
    assert [most(state, opponent, name) for name in ("SellGasoline", "RefineCrude")] == [1, 2]


def test_neighbour_two_players__what_the_player_at_turn_refined_does_not_bind_the_opponent() -> None:
    state = situation(2, crude=1, gasoline=1, assets=dict.fromkeys(range(4), ONE_EACH))
    state = after(after(rolled(state, 2, 5), 0, RefineCrude(1)), 0, PumpCrude(2))
    state = after(state, 0, EndProduction())
    assert (state.now.operating, RULESET.to_move(state)) == (1, (1,))
    assert [most(state, 1, name) for name in ("SellGasoline", "RefineCrude")] == [1, 1]


def test_neighbour_two_players__among_four_the_left_neighbor_does_not_bind_the_right_one() -> None:
    state = situation(crude=1, gasoline=1, assets={1: ONE_EACH, 3: ONE_EACH})
    state = after(after(rolled(state, 2, 5), 1, RefineCrude(1)), 1, PumpCrude(2))
    assert (state.now.operating, RULESET.to_move(state)) == (3, (3,))
    assert [most(state, 3, name) for name in ("SellGasoline", "RefineCrude")] == [1, 1]


def test_neighbour_two_players__barrels_bought_in_this_turn_are_not_fresh() -> None:
    """Crude at 6 and gasoline at 16 are operated in the turn of the purchase."""
    state = situation(2, assets={0: ONE_EACH})
    for good in ("crude", "gasoline"):
        state = after(state, 0, BuyBarrels("domestic", good, 1))
    state = rolled(state, 2, 5)
    assert [most(state, 0, name) for name in ("SellGasoline", "RefineCrude")] == [1, 1]


def test_neighbour_two_players__the_turns_alternate() -> None:
    state = situation(2)
    for seat in (0, 1, 0, 1):
        assert RULESET.to_move(state) == (seat,)
        state = after(after(state, seat, RollDice(), (4, 4)), seat, EndTurn())
    assert (state.now.quadrant, state.now.number) == (0, 9)

"""Phase 2: the assets that the dice hit, in fixed order: stations, refineries, wells, rigs."""

import pytest

from mcmulti.domain.core.commands import Command
from mcmulti.domain.core.offers import Range
from mcmulti.domain.mcmulti.commands import (
    EndProduction,
    EndTurn,
    PumpCrude,
    RefineCrude,
    RollDice,
    SellGasoline,
    StrikeOil,
)
from mcmulti.domain.mcmulti.phases.operations import CrudePumped, CrudeRefined, GasolineSold, OilStruck
from mcmulti.domain.mcmulti.phases.production import OperationBegan
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.names import Site
from tests.pure.mcmulti.situations import after, events, most, offered, refused, rolled, rules, site, situation


def producing(assets: str, crude: int = 0, gasoline: int = 0, cash: int = 100, others: str = "") -> State:
    """Production after a 2 on the red die and a 5 on the black one: row 2, column 5.

    `others`: the assets in quadrant 2.
    """
    return rolled(situation(assets={0: assets, 2: others}, crude=crude, gasoline=gasoline, cash=cash), 2, 5)


def stock(state: State, seat: int = 0) -> tuple[int, int, int]:
    """Cash, crude, gasoline."""
    player = state.players[seat]
    return player.cash, player.crude, player.gasoline


def barrels(asset: str, command: str) -> tuple[str, ...]:
    """The productivity of the asset in barrels: a line for each red die, a digit for each black one."""
    state = situation(assets={0: asset}, crude=4, gasoline=4)
    return tuple(
        "".join(str(most(rolled(state, red, black, *news(red, black)), 0, command)) for black in range(1, 7))
        for red in range(1, 7)
    )


def news(red: int, black: int) -> tuple[int, ...]:
    """The draw of the card that is turned over when a double makes news happen."""
    return (1,) if (red, black) in {(1, 1), (3, 3), (6, 6)} else ()


@pytest.mark.parametrize(
    ("asset", "command", "expected"),
    [
        ("station 3-4", "SellGasoline", "000100 000100 111211 000100 000100 000100"),
        ("station 1-1", "SellGasoline", "211111 100000 100000 100000 100000 100000"),
        ("well 6-1", "PumpCrude", "200000 200000 200000 200000 200000 422222"),
        ("well 5-5", "PumpCrude", "000020 000020 000020 000020 222242 000020"),
        # In the middle: rows 2 and 3, columns 4 and 5
        ("refinery 2-4", "RefineCrude", "000110 111221 111221 000110 000110 000110"),
        # In each corner
        ("refinery 1-1", "RefineCrude", "221111 221111 110000 110000 110000 110000"),
        ("refinery 1-5", "RefineCrude", "111122 111122 000011 000011 000011 000011"),
        ("refinery 5-1", "RefineCrude", "110000 110000 110000 110000 221111 221111"),
        ("refinery 5-5", "RefineCrude", "000011 000011 000011 000011 111122 111122"),
    ],
)
def test_production_hit__by_each_of_the_36_rolls(asset: str, command: str, expected: str) -> None:
    """Once by one die, twice only by both. For a refinery, either of its rows and either of its columns will do."""
    assert barrels(asset, command) == tuple(expected.split())


@pytest.mark.parametrize(
    ("assets", "command", "expected"),
    [
        ("station 2-1, station 2-5, station 4-5, station 1-1", "SellGasoline", 1 + 2 + 1),
        ("well 2-6, well 2-5, well 6-5, well 3-3", "PumpCrude", 2 + 4 + 2),
        ("refinery 2-1, refinery 1-5, refinery 5-4, refinery 5-1", "RefineCrude", 1 + 2 + 1),
    ],
)
def test_production_hit__the_hits_of_all_assets_of_a_kind_add_up(assets: str, command: str, expected: int) -> None:
    """Each list: one in row 2, one where row 2 and column 5 meet, one in column 5, one that is not hit."""
    assert most(producing(assets, crude=9, gasoline=9), 0, command) == expected


@pytest.mark.parametrize(
    ("assets", "command", "limit"),
    [
        ("station 2-1", SellGasoline(2), 1),
        ("station 2-5", SellGasoline(3), 2),
        ("refinery 2-1", RefineCrude(2), 1),
        ("refinery 2-5", RefineCrude(3), 2),
        ("well 2-1", PumpCrude(4), 2),
        ("well 2-5", PumpCrude(6), 4),
    ],
)
def test_production_hit__more_than_the_dice_hit_is_refused(assets: str, command: Command, limit: int) -> None:
    rejection = refused(producing(assets, crude=9, gasoline=9), 0, command)
    assert (rejection.code, rejection.rule, rejection.field) == ("hits", "production/hit", "quantity")
    assert rejection.limit == limit


@pytest.mark.parametrize("command", [SellGasoline(1), RefineCrude(1), PumpCrude(2)])
def test_production_hit__a_kind_that_is_not_hit_does_nothing(command: Command) -> None:
    """Only the rig is hit. Station, refinery, and well stand elsewhere."""
    state = producing("rig 2-5, station 1-1, refinery 3-1, well 6-6", crude=9, gasoline=9)
    rejection = refused(state, 0, command)
    assert (rejection.code, rejection.rule, rejection.limit) == ("hits", "production/hit", 0)


# A station, a refinery and a well hit once, and a rig hit twice.
ONE_OF_EACH = "station 2-1, refinery 2-2, well 2-4, rig 2-5"
SELL, REFINE, PUMP, STRIKE = SellGasoline(1), RefineCrude(1), PumpCrude(2), StrikeOil(site("2-5"))


def test_production_hit__the_log_says_what_the_dice_hit() -> None:
    """Stations in the row and the column sell 2 barrels, the refinery refines 1, wells in both lines bring 4."""
    state = situation(assets={0: f"{ONE_OF_EACH}, station 5-5, well 6-5"}, crude=1, gasoline=1)
    assert events(state, 0, RollDice(), (2, 5))[-1] == OperationBegan(
        seat=0, quadrant=0, neighbour=False, stations=2, refineries=1, wells=4, strike=site("2-5")
    )


def test_production_order__stations_refineries_wells_rigs() -> None:
    """25 for the gasoline, 10 for what becomes the second well: 100 + 25 - 10 = 115."""
    state = producing(ONE_OF_EACH, crude=2, gasoline=2)
    for command in (SELL, REFINE, PUMP, STRIKE):
        state = after(state, 0, command)
    assert stock(state) == (115, 2 - 1 + 2, 2 - 1 + 1)
    assert state.phase == "assets"


@pytest.mark.parametrize("command", [SELL, REFINE, PUMP, STRIKE])
def test_production_order__each_kind_may_be_the_first(command: Command) -> None:
    assert events(producing(ONE_OF_EACH, crude=1, gasoline=1), 0, command)


@pytest.mark.parametrize("command", [SELL, REFINE, PUMP])
def test_production_order__each_hit_is_used_once(command: Command) -> None:
    """There are enough barrels. The dice hit one station, one refinery, and one well."""
    state = after(producing(ONE_OF_EACH, crude=5, gasoline=5), 0, command)
    rejection = refused(state, 0, command)
    assert (rejection.code, rejection.rule) == ("hits", "production/hit")


def test_production_order__a_kind_may_be_operated_barrel_by_barrel() -> None:
    """Two stations are hit: 25 and 24 in two sales, as in one. Then a third sale is refused."""
    state = producing("station 2-1, station 2-6, well 1-5", gasoline=3)
    once = after(after(state, 0, SellGasoline(1)), 0, SellGasoline(1))
    assert stock(once) == stock(after(state, 0, SellGasoline(2))) == (100 + 25 + 24, 0, 1)
    assert refused(once, 0, SellGasoline(1)).code == "hits"


@pytest.mark.parametrize(("later", "earlier"), [(REFINE, SELL), (PUMP, SELL), (PUMP, REFINE)])
def test_production_order__operating_a_kind_gives_up_those_before_it(later: Command, earlier: Command) -> None:
    state = after(producing(ONE_OF_EACH, crude=2, gasoline=2), 0, later)
    rejection = refused(state, 0, earlier)
    assert (rejection.code, rejection.rule) == ("step_passed", "production/order")
    assert offered(state, 0, type(earlier).__name__) == []


@pytest.mark.parametrize("earlier", [SELL, REFINE, PUMP])
def test_production_order__the_rigs_are_the_last(earlier: Command) -> None:
    """Nothing comes after the strike, so it ends production."""
    state = after(producing(ONE_OF_EACH, crude=2, gasoline=2), 0, STRIKE)
    assert state.phase == "assets"
    assert refused(state, 0, earlier).code == "out_of_phase"


def test_production_order__is_voluntary() -> None:
    state = producing(ONE_OF_EACH, crude=2, gasoline=2)
    ended = after(state, 0, EndProduction())
    assert ended.phase == "assets"
    assert (ended.players, ended.quadrants) == (state.players, state.quadrants)


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        (SELL, "production/station"),
        (REFINE, "production/refinery"),
        (PUMP, "production/well"),
        (STRIKE, "production/rig"),
    ],
)
def test_production_order__offer_and_event_name_the_rule_of_the_kind(command: Command, rule: str) -> None:
    state = producing(ONE_OF_EACH, crude=1, gasoline=1)
    assert [offer.rule for offer in offered(state, 0, type(command).__name__)] == [rule]
    assert [offer.rule for offer in offered(state, 0, "EndProduction")] == ["production/order"]
    assert rules(state, 0, command)[0] == rule


def test_production_order__gasoline_refined_now_is_not_sold_now() -> None:
    """Without gasoline, the station has nothing to sell. When the refinery has worked, its turn is over."""
    state = producing(ONE_OF_EACH, crude=1)
    rejection = refused(state, 0, SELL)
    assert (rejection.code, rejection.limit) == ("gasoline", 0)
    state = after(state, 0, REFINE)
    assert stock(state) == (100, 0, 1)
    assert refused(state, 0, SELL).code == "step_passed"


def test_production_order__crude_pumped_now_is_not_refined_now() -> None:
    state = producing(ONE_OF_EACH)
    rejection = refused(state, 0, REFINE)
    assert (rejection.code, rejection.limit) == ("crude", 0)
    state = after(state, 0, PUMP)
    assert stock(state) == (100, 2, 0)
    assert refused(state, 0, REFINE).code == "step_passed"


def test_production_order__who_can_operate_nothing_is_not_asked() -> None:
    """A station without gasoline, a refinery without crude, a rig hit once: on to the asset phase."""
    assert producing("station 2-1, refinery 2-2, rig 1-5").phase == "assets"


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_production_order__the_others_wait(seat: int) -> None:
    rejection = refused(producing(ONE_OF_EACH, others="well 2-5"), seat, PumpCrude(2))
    assert (rejection.code, rejection.rule) == ("out_of_turn", "turn/phases")


@pytest.mark.parametrize(("station", "prices"), [("2-1", (25,)), ("1-5", (25,)), ("2-5", (25, 24))])
def test_production_station__sells_one_barrel_or_two(station: str, prices: tuple[int, ...]) -> None:
    state = producing(f"station {station}", gasoline=3)
    assert events(state, 0, SellGasoline(len(prices)))[0] == GasolineSold(0, prices)
    assert stock(after(state, 0, SellGasoline(len(prices)))) == (100 + sum(prices), 0, 3 - len(prices))


def test_production_station__the_offer_lists_the_prices() -> None:
    (offer,) = offered(producing("station 2-5, station 2-1", gasoline=5), 0, "SellGasoline")
    assert offer.fields == {"quantity": Range(1, 3, "hits", prices=(25, 24, 23))}


def test_production_station__fewer_barrels_than_hits_are_allowed() -> None:
    state = after(producing("station 2-5, station 2-1", gasoline=3), 0, SellGasoline(1))
    assert stock(state) == (125, 0, 2)


@pytest.mark.parametrize("owned", [1, 2])
def test_production_station__no_more_than_the_gasoline_in_store(owned: int) -> None:
    rejection = refused(producing("station 2-5, station 2-1", gasoline=owned), 0, SellGasoline(owned + 1))
    assert (rejection.code, rejection.rule, rejection.limit) == ("gasoline", "production/station", owned)


@pytest.mark.parametrize(("refinery", "quantity"), [("2-1", 1), ("1-1", 1), ("5-5", 1), ("5-4", 1), ("1-4", 2)])
def test_production_refinery__turns_one_barrel_or_two_into_gasoline(refinery: str, quantity: int) -> None:
    """Row 2 is the upper row of a block at 2-1 and the lower one of a block at 1-1. The same goes for column 5."""
    state = producing(f"refinery {refinery}", crude=3, gasoline=1)
    assert most(state, 0, "RefineCrude") == quantity
    assert events(state, 0, RefineCrude(quantity))[0] == CrudeRefined(0, quantity)
    assert stock(after(state, 0, RefineCrude(quantity))) == (100, 3 - quantity, 1 + quantity)


@pytest.mark.parametrize("owned", [1, 2])
def test_production_refinery__no_more_than_the_crude_in_store(owned: int) -> None:
    rejection = refused(producing("refinery 2-5, refinery 2-1", crude=owned), 0, RefineCrude(owned + 1))
    assert (rejection.code, rejection.rule, rejection.limit) == ("crude", "production/refinery", owned)


@pytest.mark.parametrize(("well", "quantity"), [("2-1", 2), ("1-5", 2), ("2-5", 4)])
def test_production_well__brings_two_barrels_or_four(well: str, quantity: int) -> None:
    state = producing(f"well {well}")
    assert events(state, 0, PumpCrude(quantity))[0] == CrudePumped(0, quantity)
    assert stock(after(state, 0, PumpCrude(quantity))) == (100, quantity, 0)


@pytest.mark.parametrize("quantity", [1, 3, 5])
def test_production_well__barrels_come_in_pairs(quantity: int) -> None:
    """Three wells hit once may bring 2, 4 or 6."""
    state = producing("well 2-1, well 2-2, well 2-3")
    rejection = refused(state, 0, PumpCrude(quantity))
    assert (rejection.code, rejection.rule, rejection.limit) == ("out_of_range", "production/well", 6)
    assert stock(after(state, 0, PumpCrude(4))) == (100, 4, 0)


@pytest.mark.parametrize(
    ("mine", "others", "number", "price"),
    [
        ("", "", 1, 5),
        ("well 6-6", "", 2, 10),
        ("", "well 1-1, well 2-5", 3, 15),
        ("well 6-6", "well 1-1, well 2-5", 4, 20),
    ],
)
def test_production_rig__the_price_counts_the_wells_of_the_whole_board(
    mine: str, others: str, number: int, price: int
) -> None:
    """5 for each well on the board at that time, whoever owns it."""
    state = producing(", ".join(filter(None, ("rig 2-5", mine))), others=others, cash=price)
    assert [offer.price for offer in offered(state, 0, "StrikeOil")] == [price]
    assert events(state, 0, STRIKE)[0] == OilStruck(0, site("2-5"), number, price)
    struck = after(state, 0, STRIKE)
    assert struck.players[0].cash == 0
    assert struck.quadrants[0].rigs == 0
    assert struck.wells == number


@pytest.mark.parametrize(
    ("rigs", "place"),
    [
        pytest.param("rig 2-1", site("2-1"), id="in the row only"),
        pytest.param("rig 1-5", site("1-5"), id="in the column only"),
        pytest.param("rig 5-2", site("5-2"), id="in neither, with the dice exchanged"),
        pytest.param("rig 2-1, rig 1-5", site("2-5"), id="no rig where the lines cross"),
        pytest.param("rig 2-5", site("2-5", quadrant=2), id="another quadrant"),
    ],
)
def test_production_rig__only_where_both_dice_hit_it(rigs: str, place: Site) -> None:
    """The well in row 2 keeps production open."""
    rejection = refused(producing(f"{rigs}, well 2-6", others="rig 2-5"), 0, StrikeOil(place))
    assert (rejection.code, rejection.rule) == ("not_crossed", "production/rig")


def test_production_rig__a_strike_needs_cash() -> None:
    """The well in row 2 makes this the second: 10."""
    rejection = refused(producing("rig 2-5, well 2-6", cash=9), 0, STRIKE)
    assert (rejection.code, rejection.rule) == ("cash", "purchase/cash-only")
    assert after(producing("rig 2-5, well 2-6", cash=10), 0, STRIKE).players[0].cash == 0


def test_production_rig__gasoline_sold_before_pays_for_the_strike() -> None:
    state = after(producing("rig 2-5, station 2-6", cash=0, gasoline=1), 0, SELL)
    assert after(state, 0, STRIKE).players[0].cash == 25 - 5


def test_production_rig__the_new_well_does_not_pump_in_this_turn() -> None:
    state = after(producing("rig 2-5, well 2-4"), 0, STRIKE)
    assert stock(state) == (90, 0, 0)
    assert refused(state, 0, PumpCrude(4)).code == "out_of_phase"


def test_production_rig__the_new_well_pumps_in_the_next_turn() -> None:
    """Ada strikes oil with 2 and 5. In her next turn red 2 hits the well once."""
    state = after(after(producing("rig 2-5"), 0, STRIKE), 0, EndTurn())
    for seat in (1, 2, 3):
        state = after(after(state, seat, RollDice(), (4, 4)), seat, EndTurn())
    state = rolled(state, 2, 6)
    assert most(state, 0, "PumpCrude") == 2

"""The players by post: accepted sheets, lines that serve their purpose, and games won."""

from typing import Any

import pytest

from mcmulti.bots.strategies.postal.climates import CLIMATES as ALMANAC
from mcmulti.bots.strategies.postal.climates import price, reachable
from mcmulti.bots.strategies.postal.lines import count
from mcmulti.bots.strategies.postal.mixed import by_post
from mcmulti.bots.strategies.postal.wild import WildSheets
from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.oil.rules.production import CrudePumped, CrudeRefined
from mcmulti.domain.oil.rules.trading import BarrelsBought, BarrelsSold
from mcmulti.domain.postal.components import CLIMATES
from mcmulti.domain.postal.refereeing.assets import AssetSold, RigConverted
from mcmulti.domain.postal.refereeing.carrying_out import ConditionChecked
from mcmulti.domain.postal.refereeing.production import GasolineSold, PumpsHeld
from mcmulti.domain.postal.refereeing.refereeing import OrdersSubmitted
from mcmulti.domain.postal.sheets.checking import check
from mcmulti.domain.postal.state import State
from tests.bots.by_post import Posted, as_sheet, play, seen, tycoon_sheet
from tests.pure.postal.situations import HARMLESS, A, B, D, orders_of, refereed, situation, started, turn_of

FIELD = "rig 1-1, rig 2-2, station 3-3, station 4-4, refinery 5-5"


@pytest.fixture(scope="module")
def games() -> list[Posted]:
    """Games of four tycoons."""
    return [play([tycoon_sheet] * 4, seed) for seed in range(6)]


def test_a_tycoon_knows_the_figures_of_the_rules() -> None:
    for name, climate in CLIMATES.items():
        assert ALMANAC.cards[name].sells == climate.sell
        assert {kind: price(kind, name) for kind in climate.buy} == climate.buy
        assert sorted(ALMANAC.cards[name].next) == sorted(climate.next)


def test_a_tycoon_knows_which_climates_it_may_meet() -> None:
    """From a recovery doubles lead to expansion and rapid growth, from there to recovery, prosperity, downturn."""
    assert reachable("recovery", 0) == ("recovery",)
    assert set(reachable("recovery", 1)) == {"recovery", "expansion", "rapid_growth"}
    assert set(reachable("recovery", 2)) == {"recovery", "expansion", "rapid_growth", "prosperity", "downturn"}


@pytest.mark.parametrize("seat", range(4))
def test_the_set_up_is_a_balanced_field_that_leaves_cash_for_barrels(seat: int) -> None:
    state = started()
    bought = _of_type(orders_of(seat, state, _sheet(state, seat)), AssetBought)
    kinds = [each.kind for each in bought]
    assert kinds.count("station") >= 1
    assert kinds.count("refinery") >= 1 or kinds.count("rig") >= 1
    assert len(set(kinds)) >= 2
    assert 100 <= sum(each.price for each in bought) <= 180


def test_what_is_hit_is_sold_where_the_bank_pays_best() -> None:
    """In prosperity a refinery brings 100, the most that it ever brings; with B near the target it earns no more."""
    for climate, sold in (("prosperity", True), ("depression", False)):
        cash = {A: 100, B: 940}
        state = situation(climate=climate, cash=cash, assets={A: FIELD}, hits={A: "refinery 5-5"})  # type: ignore[arg-type]
        assert bool(_of_type(orders_of(A, state, _sheet(state, A)), AssetSold)) is sold


def test_assets_are_bought_where_they_are_cheap_and_not_where_they_are_dear() -> None:
    """A station costs 32 in a depression and sells at 60 in prosperity, where it costs 100."""
    for climate, buys in (("depression", True), ("prosperity", False)):
        state = situation(climate=climate, cash=200)  # type: ignore[arg-type]
        bought = _of_type(orders_of(A, state, _sheet(state, A)), AssetBought)
        assert ("station" in {each.kind for each in bought}) is buys


def test_a_double_hit_rig_is_converted_while_wells_are_cheap() -> None:
    """The first conversion costs 10, the twentieth 200, more than any well ever brings."""
    for conversions, converts in ((0, True), (19, False)):
        state = situation(cash=300, assets={A: FIELD}, hits={A: "rig 1-1"}, struck={A: "1-1"}, conversions=conversions)
        assert bool(_of_type(orders_of(A, state, _sheet(state, A)), RigConverted)) is converts


def test_a_conversion_that_others_made_too_dear_is_left() -> None:
    """The sheet of D is written when a conversion costs 10; by its turn there were 19 more."""
    written = situation(cash=300, assets={D: FIELD}, hits={D: "rig 1-1"}, struck={D: "1-1"})
    dearer = situation(cash=300, assets={D: FIELD}, hits={D: "rig 1-1"}, struck={D: "1-1"}, conversions=19)
    sheet = _sheet(written, D)
    assert _of_type(orders_of(D, written, sheet), RigConverted)
    assert not _of_type(orders_of(D, dearer, sheet), RigConverted)


def test_a_sheet_for_the_last_turn_reckons_with_another_climate() -> None:
    """A's double 4 turns the downturn into a recession, the double 4 of B that into a depression, before D's turn.

    A station costs 75 in the downturn, 32 in the depression: D, who has 100, buys one in the depression only.
    """
    state = situation(climate="downturn", cash={D: 100})
    sheets = {seat: as_sheet({}) for seat in range(3)} | {D: _sheet(state, D)}
    for dice, buys in (((1, 2, 1, 2, 1, 2, 1, 2), False), ((4, 4, 4, 4, 1, 2, 1, 2), True)):
        happened, _ = refereed(state, sheets, dice)
        bought = _of_type(turn_of(D, happened), AssetBought)
        assert any(each.kind == "station" for each in bought) is buys


def test_who_can_reach_the_target_sells_what_it_takes() -> None:
    """In a recovery refineries bring 30, which no tycoon takes otherwise: 980 and 30 make 1010."""
    for cash, won in ((980, True), (400, False)):
        state = situation(cash={A: cash}, assets={A: FIELD}, hits={A: "refinery 5-5"})
        happened, after = refereed(state, {A: _sheet(state, A)}, () if won else HARMLESS)
        assert (after.winners == (A,)) is won
        assert bool(_of_type(happened, AssetSold)) is won


def test_barrels_are_sold_out_for_the_target() -> None:
    """Three barrels of gasoline bring 10 + 8 + 6 on either market at the start: 980 and 24 make 1004."""
    state = situation(cash={A: 980}, gasoline={A: 3}, assets={A: "station 1-1"})
    _, after = refereed(state, {A: _sheet(state, A)}, ())
    assert after.winners == (A,)


def test_barrels_that_bring_the_whole_target_are_sold_without_a_condition() -> None:
    """Gasoline brings 52 + 50 + ... + 6 = 696 for 24 barrels, crude 25 + 24 + ... + 7 = 304 for 19: 1000 together."""
    state = situation(cash={}, crude=19, gasoline=24, domestic=Market(0, 0), foreign=Market(25, 26))
    sheet = _sheet(state, A)
    assert not check(state, A, sheet)
    _, after = refereed(state, {A: sheet}, ())
    assert after.winners == (A,)


def test_the_cheaper_market_is_used_even_if_that_changed_since() -> None:
    """Gasoline costs 12 abroad and 20 at home when the sheet is written; before D's turn it turns about."""
    cheap, dear = Market(5, 5), Market(5, 9)
    for at_home, abroad in ((dear, cheap), (cheap, dear)):
        written = situation(cash=60, assets={D: "station 1-1, station 2-2"}, domestic=dear, foreign=cheap)
        found = situation(cash=60, assets={D: "station 1-1, station 2-2"}, domestic=at_home, foreign=abroad)
        bought = _of_type(orders_of(D, found, _sheet(written, D)), BarrelsBought)
        assert {each.market for each in bought} == {"foreign" if abroad is cheap else "domestic"}


def test_pumps_are_held_where_a_market_pays_more() -> None:
    """The markets pay 52 for gasoline, the consumers 20; nothing is sold to them although the pump is hit."""
    full = Market(5, 26)
    state = situation(gasoline={B: 3}, assets={B: "station 1-2"}, consumer=20, domestic=full, foreign=full, cash={B: 0})
    written = tycoon_sheet(seen(state, B), B) | {"trades": [], "orders": []}
    sheets = {seat: as_sheet(written if seat == B else {}) for seat in range(4)}
    happened, _ = refereed(state, sheets)
    assert _of_type(happened, PumpsHeld)
    assert not _of_type(happened, GasolineSold)


@pytest.mark.parametrize("writer", [tycoon_sheet, WildSheets(3)], ids=["tycoon", "random"])
def test_sheets_are_without_remarks_in_many_situations(writer: Any) -> None:
    for number in range(60):
        cash, climate = 50 * number % 1000, list(CLIMATES)[number % 7]
        state = situation(
            round=1 + number,
            climate=climate,
            cash=cash,
            crude=number % 5,
            gasoline=number % 11,
            assets=dict.fromkeys(range(4), FIELD),
            hits=dict.fromkeys(range(4), "rig 1-1, station 3-3, refinery 5-5"),
            struck=dict.fromkeys(range(4), "1-1"),
            consumer=number,
            domestic=Market(number % 27, (3 * number) % 27),
            foreign=Market((7 * number) % 27, (5 * number) % 27),
            conversions=number % 9,
        )
        for seat in range(4):
            assert check(state, seat, as_sheet(writer(seen(state, seat), seat))) == ()


def test_games_of_tycoons_end_in_good_time_and_without_remarks(games: list[Posted]) -> None:
    for game in games:
        assert 8 <= game.state.round <= 35
        assert not game.remarks


def test_tycoons_use_all_there_is_in_the_game(games: list[Posted]) -> None:
    happened = {type(fact.event) for game in games for fact in game.facts}
    assert happened >= {
        AssetBought,
        AssetSold,
        BarrelsBought,
        BarrelsSold,
        CrudePumped,
        CrudeRefined,
        GasolineSold,
        ConditionChecked,
        RigConverted,
    }


def test_the_sheets_of_tycoons_stay_far_below_the_limit(games: list[Posted]) -> None:
    sent = [fact.event.sheet for game in games for fact in game.facts if isinstance(fact.event, OrdersSubmitted)]
    assert max(sheet.measures()["sheet_lines"] for sheet in sent if sheet) <= 150


def test_a_tycoon_beats_random_players() -> None:
    wins = 0
    for seed in range(8):
        seat = seed % 4
        writers = [tycoon_sheet if each == seat else WildSheets(10 * seed + each) for each in range(4)]
        wins += play(writers, seed).state.winners == (seat,)
    assert wins >= 7


def test_random_players_come_to_an_end_and_repeat_by_their_seed() -> None:
    first, second = (play([WildSheets(seat) for seat in range(4)], 1) for _ in range(2))
    assert first.facts == second.facts
    assert play([WildSheets(seat + 1) for seat in range(4)], 1).facts != first.facts


def test_a_sheet_is_sent_once_a_round() -> None:
    strategy = by_post(tycoon_sheet)
    state = started()
    view = seen(state, A)
    [command] = strategy(view, [])
    assert command == {"type": "SubmitOrders", "round": view["round"], "sheet": tycoon_sheet(view, A)}
    assert strategy(view | {"sheet": command["sheet"]}, []) == []


def test_lines_are_counted_with_their_branches() -> None:
    """An if with two lines in one branch and an if with one line in the other: 1 + 2 + (1 + 1)."""
    inner = {"type": "IfOrder", "then": [{}], "else": []}
    assert count([{"type": "IfOrder", "then": [{}, {}], "else": [inner]}]) == 5


def _sheet(state: State, seat: int) -> Any:
    return as_sheet(tycoon_sheet(seen(state, seat), seat))


def _of_type(happened: list[Any], kind: Any) -> list[Any]:
    return [event for event in happened if isinstance(event, kind)]

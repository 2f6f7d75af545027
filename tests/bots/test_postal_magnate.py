"""The magnate by post: legal sheets on any seat, from its own view alone, and more victories than tycoons."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from mcmulti.domain.oil.rules.assets import AssetBought
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.oil.rules.trading import BarrelsSold
from mcmulti.domain.postal.components import CLIMATES
from mcmulti.domain.postal.sheets.checking import check
from mcmulti.domain.postal.sheets.sheet import first_excess
from mcmulti.domain.postal.state import State
from tests.bots.by_post import as_sheet, magnate_sheet, play, seen, tycoon_sheet
from tests.pure.postal.situations import A, B, orders_of, situation, started

FREE = st.integers(0, 26)
STOCK = st.integers(0, 40)
ASSETS = ("rig 1-1", "rig 2-2", "rig 6-1", "station 3-3", "station 1-6", "refinery 5-5", "refinery 3-1", "well 4-4")
SITUATIONS: st.SearchStrategy[State] = st.builds(
    situation,
    round=st.integers(1, 60),
    climate=st.sampled_from(list(CLIMATES)),
    cash=st.dictionaries(st.integers(0, 3), st.integers(0, 999)),
    crude=STOCK,
    gasoline=STOCK,
    assets=st.fixed_dictionaries(
        {seat: st.lists(st.sampled_from(ASSETS), unique=True).map(", ".join) for seat in range(4)}
    ),
    consumer=st.integers(0, 80),
    domestic=st.builds(Market, FREE, FREE),
    foreign=st.builds(Market, FREE, FREE),
    conversions=st.integers(0, 30),
)


@given(state=SITUATIONS, seat=st.integers(0, 3), hit=st.booleans())
def test_a_sheet_is_legal_in_any_position(state: State, seat: int, hit: bool) -> None:
    quadrants = state.quadrants
    state = (
        replace(state, hits=quadrants, struck=tuple(field.rigs & -field.rigs for field in quadrants)) if hit else state
    )
    sheet = as_sheet(magnate_sheet(seen(state, seat), seat))
    assert first_excess(sheet) is None
    assert {remark.code for remark in check(state, seat, sheet)} <= {"nothing_ordered"}


def test_what_a_seat_may_not_see_does_not_change_its_sheet() -> None:
    """Other players' sheets, and another secret for the dice."""
    idle, busy = as_sheet({}), as_sheet(tycoon_sheet(seen(started(), B), B))
    written = []
    for sheet, secret in ((idle, "1" * 64), (busy, "2" * 64)):
        state = replace(started(), sheets=(None, sheet, sheet, sheet), seed=secret)
        written.append(magnate_sheet(seen(state, A), A))
    assert written[0] == written[1]


def test_refineries_are_built_where_crude_is_cheap_and_gasoline_dear() -> None:
    """A refinery costs 64 in a recovery; it makes 36 of 4 on one market, 12 of 10 on the other."""
    for market, builds in ((Market(3, 17), True), (Market(9, 5), False)):
        state = situation(cash=70, assets={A: "refinery 1-1"}, domestic=market, foreign=market)
        assert ("refinery" in {each.kind for each in _happened(state, AssetBought)}) is builds


def test_more_gasoline_than_the_pumps_need_is_sold() -> None:
    market = Market(5, 15)
    state = situation(cash=0, gasoline=12, assets={A: "station 1-1"}, consumer=40, domestic=market, foreign=market)
    [sold] = _happened(state, BarrelsSold)
    assert 6 <= len(sold.prices) <= 11


def test_games_of_magnates_end_in_good_time_and_without_remarks() -> None:
    for seed in range(4):
        game = play([magnate_sheet] * 4, seed)
        assert 8 <= game.state.round <= 35
        assert game.remarks.keys() <= {"nothing_ordered"}


def test_two_magnates_beat_two_tycoons() -> None:
    """Four pairs of games with the same dice, seats changed; the same games every time."""
    wins = 0
    for number in range(4):
        for change in (False, True):
            here = {0: (0, 1), 1: (1, 2), 2: (0, 2), 3: (1, 3)}[number]
            magnates = [seat for seat in range(4) if (seat in here) is not change]
            writers = [magnate_sheet if seat in magnates else tycoon_sheet for seat in range(4)]
            wins += play(writers, 100 + number).state.winners[0] in magnates
    assert wins >= 5


def _happened(state: State, kind: Any) -> list[Any]:
    sheet = as_sheet(magnate_sheet(seen(state, A), A))
    return [event for event in orders_of(A, state, sheet) if isinstance(event, kind)]

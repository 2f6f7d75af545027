"""The board: four quadrants of 36 sites, and how they touch."""

import pytest

from mcmulti.domain.core.offers import Choice, TextChoice
from mcmulti.domain.mcmulti.commands import BuyAsset, EndTurn
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.names import Site
from tests.pure.mcmulti.situations import after, assets_phase, most, offered, refused, rolled, site, situation, started


def places(state: State, seat: int, kind: str) -> set[object]:
    """Where an asset of the kind may be placed."""
    fields = [offer.fields for offer in offered(state, seat, "BuyAsset") if offer.fields["kind"] == TextChoice((kind,))]
    return {place for field in fields if isinstance(field["site"], Choice) for place in field["site"].options}


@pytest.mark.parametrize("quadrant", range(4))
def test_board_quadrants__each_has_six_rows_of_six_columns(quadrant: int) -> None:
    """On the empty board, a rig fits on 36 sites. A refinery's top-left site is never in row 6 or column 6."""
    state = started(first=quadrant)
    assert places(state, quadrant, "rig") == {
        Site(quadrant, row, column) for row in range(1, 7) for column in range(1, 7)
    }
    assert places(state, quadrant, "refinery") == {
        Site(quadrant, row, column) for row in range(1, 6) for column in range(1, 6)
    }


@pytest.mark.parametrize("place", ["0-1", "7-1", "1-0", "1-7"])
def test_board_quadrants__there_is_nothing_beyond_the_edges(place: str) -> None:
    rejection = refused(started(), 0, BuyAsset("rig", site(place)))
    assert (rejection.code, rejection.rule, rejection.field) == ("site", "site/one-asset", "site")


@pytest.mark.parametrize(
    ("turn", "other", "barrels"),
    [
        pytest.param(0, 1, 2, id="north-west and north-east share rows"),
        pytest.param(1, 0, 2, id="north-east and north-west share rows"),
        pytest.param(2, 3, 2, id="south-east and south-west share rows"),
        pytest.param(3, 2, 2, id="south-west and south-east share rows"),
        pytest.param(0, 3, 4, id="north-west and south-west share columns"),
        pytest.param(3, 0, 4, id="south-west and north-west share columns"),
        pytest.param(1, 2, 4, id="north-east and south-east share columns"),
        pytest.param(2, 1, 4, id="south-east and north-east share columns"),
        pytest.param(0, 2, 0, id="north-west and south-east share nothing"),
        pytest.param(1, 3, 0, id="north-east and south-west share nothing"),
        pytest.param(2, 0, 0, id="south-east and north-west share nothing"),
        pytest.param(3, 1, 0, id="south-west and north-east share nothing"),
    ],
)
def test_board_quadrants__those_side_by_side_share_rows_and_those_above_each_other_columns(
    turn: int, other: int, barrels: int
) -> None:
    """Red 2, black 5. One well stands in row 2, two stand in column 5. A shared row pumps 2, a shared column 4."""
    state = rolled(situation(quadrant=turn, assets={other: "well 2-1, well 1-5, well 3-5"}), 2, 5)
    assert most(state, other, "PumpCrude") == barrels


@pytest.mark.parametrize(
    ("well", "red", "black", "barrels"),
    [("2-1", 2, 5, 2), ("2-1", 5, 2, 0), ("1-5", 2, 5, 2), ("1-5", 5, 2, 0), ("6-1", 6, 2, 2), ("1-6", 2, 6, 2)],
)
def test_board_neighbours__red_names_the_row_and_black_the_column(
    well: str, red: int, black: int, barrels: int
) -> None:
    assert most(rolled(situation(assets={0: f"well {well}"}), red, black), 0, "PumpCrude") == barrels


@pytest.mark.parametrize(("quadrant", "following"), [(0, 1), (1, 2), (2, 3), (3, 0)])
def test_board_neighbours__play_goes_clockwise(quadrant: int, following: int) -> None:
    state = after(assets_phase(situation(quadrant=quadrant)), quadrant, EndTurn())
    assert (state.phase, state.now.quadrant, state.now.seat) == ("market", following, following)


@pytest.mark.parametrize(("quadrant", "left", "right"), [(0, 1, 3), (1, 2, 0), (2, 3, 1), (3, 0, 2)])
def test_board_neighbours__the_next_clockwise_sits_to_the_left(quadrant: int, left: int, right: int) -> None:
    """The left neighbor operates before the right one, so the order of operating tells them apart."""
    everywhere = dict.fromkeys({0, 1, 2, 3} - {quadrant}, "well 2-1, well 1-5")
    state = rolled(situation(quadrant=quadrant, assets=everywhere), 2, 5)
    assert state.now.operating == left
    assert refused(state, right, EndTurn()).code == "out_of_turn"

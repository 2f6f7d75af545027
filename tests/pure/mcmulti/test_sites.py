"""Where assets stand: one site each, blocks of two by two for refineries."""

import pytest

from mcmulti.domain.core.offers import Choice, TextChoice
from mcmulti.domain.mcmulti.commands import BuyAsset, SellAsset
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.names import Site
from tests.pure.mcmulti.situations import after, assets_phase, offered, placed, refused, site, situation

FULL_OF_RIGS = ", ".join(f"rig {row}-{column}" for row in range(1, 7) for column in range(1, 7))
CHEQUERED = ", ".join(f"rig {row}-{column}" for row in (2, 4, 6) for column in (2, 4, 6))


def _buying(assets: str, quadrant: int = 0) -> State:
    """The asset phase of the quadrant with these assets, and enough cash for anything."""
    return assets_phase(situation(quadrant=quadrant, cash=5000, assets={quadrant: assets}))


def _places(state: State, kind: str) -> set[str]:
    """Where the kind may be put, as row-column."""
    for offer in offered(state, state.now.seat, "BuyAsset"):
        places = offer.fields["site"]
        assert isinstance(places, Choice)
        if offer.fields["kind"] == TextChoice((kind,)):
            return {f"{at.row}-{at.column}" for at in places.options if isinstance(at, Site)}
    return set()


def _all_sites() -> set[str]:
    return {f"{row}-{column}" for row in range(1, 7) for column in range(1, 7)}


# One site


@pytest.mark.parametrize("kind", ["rig", "station"])
def test_site_one_asset__takes_any_free_site_of_the_quadrant(kind: str) -> None:
    state = _buying("rig 1-1, station 2-2, well 3-3, refinery 5-5")
    taken = {"1-1", "2-2", "3-3", "5-5", "5-6", "6-5", "6-6"}
    assert _places(state, kind) == _all_sites() - taken


@pytest.mark.parametrize("place", ["1-1", "2-2", "3-3", "5-5", "5-6", "6-5", "6-6"])
def test_site_one_asset__no_site_holds_two(place: str) -> None:
    """A rig, a station, a well and each of the four sites of a refinery."""
    state = _buying("rig 1-1, station 2-2, well 3-3, refinery 5-5")
    rejection = refused(state, 0, BuyAsset("rig", site(place)))
    assert (rejection.code, rejection.rule, rejection.field) == ("site", "site/one-asset", "site")


@pytest.mark.parametrize("place", [Site(0, 0, 1), Site(0, 7, 1), Site(0, 1, 0), Site(0, 1, 7), Site(4, 1, 1)])
def test_site_one_asset__there_is_nothing_beyond_the_edge(place: Site) -> None:
    rejection = refused(_buying(""), 0, BuyAsset("rig", place))
    assert (rejection.code, rejection.rule) == ("site", "site/one-asset")


@pytest.mark.parametrize("kind", ["rig", "station"])
def test_site_one_asset__a_full_quadrant_takes_none(kind: str) -> None:
    state = _buying(FULL_OF_RIGS)
    assert offered(state, 0, "BuyAsset") == []
    rejection = refused(state, 0, BuyAsset(kind, site("1-1")))  # type: ignore[arg-type]
    assert (rejection.code, rejection.rule) == ("quadrant_full", "site/one-asset")


def test_site_one_asset__a_site_is_free_again_when_its_asset_is_sold() -> None:
    """The roll of red 1, black 2 hits the rig in row 1."""
    state = after(_buying(FULL_OF_RIGS), 0, SellAsset("rig", site("1-5")))
    assert _places(state, "station") == {"1-5"}
    assert after(state, 0, BuyAsset("station", site("1-5"))).quadrants[0].stations.bit_count() == 1


# Blocks


def test_site_refinery__fits_wherever_row_and_column_of_its_top_left_site_are_five_or_less() -> None:
    assert _places(_buying(""), "refinery") == {f"{row}-{column}" for row in range(1, 6) for column in range(1, 6)}


@pytest.mark.parametrize("place", ["6-1", "6-6", "1-6", "5-6", "6-5"])
def test_site_refinery__does_not_stand_out_over_the_edge(place: str) -> None:
    rejection = refused(_buying(""), 0, BuyAsset("refinery", site(place)))
    assert (rejection.code, rejection.rule, rejection.field) == ("block", "site/refinery", "site")


@pytest.mark.parametrize("asset", ["rig 3-3", "well 3-3", "station 3-3"])
def test_site_refinery__all_four_sites_must_be_free(asset: str) -> None:
    """An asset on 3-3 blocks the blocks that begin at 2-2, 2-3, 3-2, and 3-3, and no other."""
    state = _buying(asset)
    covered = {"2-2", "2-3", "3-2", "3-3"}
    assert _places(state, "refinery") == {f"{row}-{column}" for row in range(1, 6) for column in range(1, 6)} - covered
    for place in sorted(covered):
        rejection = refused(state, 0, BuyAsset("refinery", site(place)))
        assert (rejection.code, rejection.rule) == ("block", "site/refinery")


def test_site_refinery__two_refineries_do_not_overlap_but_may_touch() -> None:
    """A refinery at 3-3 covers 3-3 to 4-4. Any block that begins within one site of 3-3 would share a site with it."""
    overlapping = {f"{row}-{column}" for row in (2, 3, 4) for column in (2, 3, 4)}
    everywhere = {f"{row}-{column}" for row in range(1, 6) for column in range(1, 6)}
    assert _places(_buying("refinery 3-3"), "refinery") == everywhere - overlapping


def test_site_refinery__nine_fill_a_quadrant() -> None:
    state = _buying("")
    for row in (1, 3, 5):
        for column in (1, 3, 5):
            state = after(state, 0, BuyAsset("refinery", site(f"{row}-{column}")))
    assert state.quadrants[0].refineries.bit_count() == 9
    rejection = refused(state, 0, BuyAsset("refinery", site("1-1")))
    assert (rejection.code, rejection.rule) == ("no_block", "site/refinery")


def test_site_refinery__free_sites_that_form_no_block_are_not_enough() -> None:
    """27 sites are free around the nine rigs, but every block of four holds a rig."""
    state = _buying(CHEQUERED)
    assert len(_places(state, "rig")) == 27
    rejection = refused(state, 0, BuyAsset("refinery", site("1-1")))
    assert (rejection.code, rejection.rule) == ("no_block", "site/refinery")


def test_site_refinery__a_row_and_its_neighbors_in_the_next_row_do_not_wrap_around() -> None:
    """Only 1-6, 2-6, 2-1, and 3-1 are free: no block, although they are consecutive when counted row by row."""
    free = {"1-6", "2-6", "2-1", "3-1"}
    state = _buying(", ".join(f"rig {place}" for place in sorted(_all_sites() - free)))
    assert _places(state, "refinery") == set()
    assert _places(state, "rig") == free


def test_site_refinery__leaves_its_four_sites_free_when_sold() -> None:
    """Red 1 hits it."""
    state = after(_buying("refinery 1-1"), 0, SellAsset("refinery", site("1-1")))
    assert state.quadrants[0] == placed("")
    assert _places(state, "rig") == _all_sites()


def test_site_refinery__is_bought_and_stands_in_the_quadrant_at_turn() -> None:
    state = after(_buying("", quadrant=2), 2, BuyAsset("refinery", site("5-5", 2)))
    assert [quadrant.refineries.bit_count() for quadrant in state.quadrants] == [0, 0, 1, 0]

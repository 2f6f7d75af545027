"""How a page uses a drawn board: it finds what a command may name, and what changed since another moment."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, cast
from xml.etree.ElementTree import Element, tostring

import msgspec
import pytest
import svg
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple, replace

from mcmulti.domain.core.offers import Choice, Offer
from mcmulti.domain.core.ruleset import Ruleset
from mcmulti.domain.core.shown.board import Grid, Map, Placed
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.mcmulti.picture import picture
from mcmulti.domain.postal.state import State
from mcmulti.domain.rulesets import CURRENT
from mcmulti.projections.svg.board import drawn
from mcmulti.projections.svg.style import STYLE
from tests.profiles import profile_of
from tests.projections.boards import ALL, TOWN
from tests.projections.svg import classed, parsed
from tests.pure.mcmulti.situations import assets_phase, situation
from tests.pure.properties.random_games import game, moment
from tests.thorough import examples

ELSEWHERE = {"kind", "visitors", "hold", "round", "ones", "tens", "hundreds", "thousands", "ten_thousands"}
"""Fields whose choices are made beside it."""

names = st.sampled_from(sorted(CURRENT))
seeds = st.integers(0, 5)
numbers = st.integers(0, 399)


def shown(ruleset: Ruleset[Any], state: Any) -> Element:
    assert ruleset.picture is not None
    return parsed(ruleset.picture(state, "en"))


def picks(root: Element) -> Iterator[tuple[dict[str, str], Element]]:
    """The ways in which parts of a picture are picked: values by field."""
    for element in root.iter():
        for way in (element.get("data-picks") or "").split():
            yield dict(pair.split("=") for pair in way.split(";")), element


def written(value: Any) -> str:
    """A value of a field, as written in the attribute."""
    return ",".join(map(str, astuple(value))) if isinstance(value, msgspec.Struct) else str(value)


def parts(root: Element) -> dict[str, str]:
    """The parts of a picture by their keys, as text. Two parts with the same key would be one too few."""
    found = [
        (element.attrib["data-part"], tostring(element, "unicode"))
        for element in root.iter()
        if "data-part" in element.attrib
    ]
    assert len(dict(found)) == len(found)
    return dict(found)


def changed(before: Element, after: Element) -> set[str]:
    one, other = parts(before), parts(after)
    return {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


def choices(offer: Offer) -> dict[str, set[str]]:
    return {name: set(map(written, field.options)) for name, field in offer.fields.items() if isinstance(field, Choice)}


@examples(40)
@given(names, seeds, numbers)
def test_whatever_an_offer_lets_a_player_choose_on_the_board_is_found_there(name: str, seed: int, number: int) -> None:
    """A site, a fountain, a shop, and an end of the queue are parts.

    A market and a good are picked together by their track.
    """
    ruleset, state = CURRENT[name], moment(name, seed, number)
    ways, picked = [way for way, _ in picks(shown(ruleset, state))], profile_of(name).picked
    assert {field for way in ways for field in way} <= picked
    for seat in ruleset.to_move(state):
        for offer in ruleset.offers(state, seat):
            chosen = choices(offer)
            assert chosen.keys() <= picked | ELSEWHERE
            for field in chosen.keys() & picked:
                fitting = [way for way in ways if field in way and way.keys() <= chosen.keys()]
                found = {way[field] for way in fitting if all(way[each] in chosen[each] for each in way)}
                assert chosen[field] <= found, (offer.command, field)


@examples(40)
@given(seeds, numbers)
def test_every_plot_that_a_sheet_may_name_is_found_among_those_of_its_seat(seed: int, number: int) -> None:
    """All 36 of a quadrant, except the three other sites of each refinery, which counts from its top left."""
    ruleset, state = CURRENT["postal"], cast(State, moment("postal", seed, number))
    root = shown(ruleset, state)
    for seat, _ in enumerate(state.players):
        plots = [way["plot"] for way, element in picks(root) if element.get("data-seat") == str(seat) and "plot" in way]
        quadrants = [index for index, owner in enumerate(state.owners) if owner == seat]
        covered = sum(3 * state.quadrants[index].standing("refinery").bit_count() for index in quadrants)
        assert len(plots) == 36 * len(quadrants) - covered
        assert set(plots) <= {f"{row},{column}" for row in range(1, 7) for column in range(1, 7)}


@examples(40)
@given(names, seeds, numbers)
def test_what_changes_in_a_picture_is_in_a_part_that_changed(name: str, seed: int, number: int) -> None:
    ruleset, played = CURRENT[name], game(name, seed)
    first = number % len(played)
    moments = [shown(ruleset, step.state) for step in played[first : first + 4]]
    for before, after in pairwise(moments):
        assert bool(changed(before, after)) == (tostring(before) != tostring(after))


def test_the_parts_that_a_purchase_changes_are_the_site_the_cash_and_the_net_worth() -> None:
    before = situation(assets={0: "rig 1-1"})
    after = situation(assets={0: "rig 1-1, station 2-5"})
    paid = replace(after, players=(replace(after.players[0], cash=after.players[0].cash - 9), *after.players[1:]))
    roots = [parsed(picture(state, "en")) for state in (before, paid)]
    assert changed(*roots) == {"site-0-2-5", "seat-0-amount-0", "seat-0-amount-3"}
    titles = [{e.get("data-part"): e.findtext("title") for e in root.iter()}["site-0-2-5"] for root in roots]
    assert titles == ["row 2, column 5", "station, row 2, column 5"]


def test_the_parts_that_a_roll_changes_are_the_dice_and_what_is_hit() -> None:
    assets = {0: "rig 1-1, rig 2-4, rig 5-5"}
    one, other = (parsed(picture(assets_phase(situation(assets=assets), red=red, black=5), "en")) for red in (1, 2))
    assert changed(one, other) == {"die-0", "site-0-1-1", "site-0-2-4"}


def test_a_refinery_takes_the_four_sites_it_stands_on() -> None:
    root = parsed(picture(situation(assets={1: "refinery 2-3"}), "en"))
    found = {way["site"]: element for way, element in picks(root) if "site" in way}
    assert len(found) == 4 * 36 - 3
    assert not {"1,2,4", "1,3,3", "1,3,4"} & found.keys()
    (cell,) = classed(found["1,2,3"], "cell")
    (piece,) = classed(found["1,2,3"], "piece")
    assert (cell.get("width"), cell.get("height"), piece.get("width")) == ("66", "66", "60")


@pytest.mark.parametrize("drawing", ALL.values(), ids=ALL)
def test_parts_have_no_parts_in_them_and_nothing_is_styled_by_an_attribute(drawing: Any) -> None:
    root = parsed(drawing)
    assert [element for element in root.iter() if "style" in element.attrib] == []
    keyed = [element for element in root.iter() if "data-part" in element.attrib]
    assert keyed
    for element in keyed:
        assert [each.get("data-part") for each in element.iter() if "data-part" in each.attrib] == [
            element.get("data-part")
        ]


@pytest.mark.parametrize("name", CURRENT)
def test_keys_and_picks_are_the_same_in_every_language(name: str) -> None:
    ruleset, state = CURRENT[name], moment(name, 1, 60)
    assert ruleset.picture is not None
    roots = [parsed(ruleset.picture(state, language)) for language in LANGUAGES]
    assert len({tuple(parts(root)) for root in roots}) == 1
    assert len({tuple(element.get("data-picks") for element in root.iter()) for root in roots}) == 1


def test_a_rule_set_breaks_out_of_no_attribute() -> None:
    hostile = 'shop="><script>&'
    assert isinstance(TOWN.board, Map)
    piece = replace(TOWN.board.pieces[0], picks=(hostile,))
    assert hostile in [
        element.get("data-picks")
        for element in parsed(replace(TOWN, board=replace(TOWN.board, pieces=(piece,)))).iter()
    ]


def test_grids_whose_spaces_are_never_picked_have_parts_all_the_same() -> None:
    grid = Grid(name="quay", rows=1, columns=2, pieces=(Placed(ALL["town"].kinds[0], 1, row=1, column=2),))
    root = parsed(replace(ALL["town"], board=(grid,)))
    assert {"site-0-1-1", "site-0-1-2"} <= parts(root).keys()
    assert not [way for way, _ in picks(root) if "seat" not in way]
    assert b'data-picks=""' not in drawn(replace(ALL["town"], board=(grid,)))


def test_every_rule_of_the_style_sheet_is_about_the_board() -> None:
    """A page may adopt it without any change to its own style."""
    rules = re.sub(r"@media[^{]*{", "", STYLE).replace("\n", " ").split("}")
    selectors = [one.strip() for rule in rules if "{" in rule for one in rule.split("{")[0].split(",")]
    assert len(selectors) > 50
    assert {one for one in selectors if not one.startswith(".board")} == set()


def test_of_a_picture_only_what_changed_is_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more rig. Everything else was already in the previous picture."""
    written_down = 0
    write = svg.Element.as_str

    def counted(element: svg.Element) -> str:
        nonlocal written_down
        written_down += 1
        return write(element)

    def elements(assets: str) -> int:
        nonlocal written_down
        written_down = 0
        drawn(picture(situation(assets={0: assets}), "en"))
        return written_down

    monkeypatch.setattr(svg.Element, "as_str", counted)
    elements("rig 1-1")
    same, other = elements("rig 1-1"), elements("rig 1-1, rig 2-3")
    assert same < 150
    assert same < other < same + 60

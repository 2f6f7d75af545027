"""What a picture shows: everything in the state, at any moment, drawn, in characters, and in words."""

import re
from xml.etree import ElementTree

import pytest

from mcmulti.domain.core.shown.board import Map
from mcmulti.domain.core.wording.telling import LANGUAGES, Language
from mcmulti.domain.marracash import RULESET
from mcmulti.domain.marracash.picture import picture
from mcmulti.domain.marracash.state import Crowd, MarraCashSetup
from mcmulti.projections.svg import board as board_svg
from mcmulti.simulation import play
from tests.projections.boards import TOWN
from tests.pure.marracash.situations import ADA, BEN, situation, table

SVG = "{http://www.w3.org/2000/svg}"


def _town(drawn: Map | object) -> Map:
    assert isinstance(drawn, Map)
    return drawn


def test_streets_lie_as_in_the_town_that_was_drawn_by_hand() -> None:
    by_hand, derived = _town(TOWN.board), _town(picture(table(), "en").board)
    assert [(way.first, way.second, set(way.bends)) for way in derived.ways] == [
        (way.first, way.second, set(way.bends)) for way in by_hand.ways
    ]
    assert [(place.row, place.column) for place in derived.places] == [
        (place.row, place.column) for place in by_hand.places
    ]


def test_shops_groups_and_the_queue_are_shown() -> None:
    """B3 is Ben's and has two customers. Three red visitors and a green one stand at 5, and ten are outside."""
    shown = picture(situation(shops={"B3": (BEN, 2)}, groups={5: Crowd(red=3, green=1)}), "en")
    town = _town(shown.board)
    [shop] = [piece for piece in town.pieces if piece.name == "B3"]
    assert (shop.owner, shop.colour, [inside.count for inside in shop.holds]) == (BEN, "blue", [2])
    assert (shop.row, shop.column, shop.rows, shop.columns) == (5, 9, 1, 2)
    assert [(piece.colour, piece.count) for piece in town.places[4].pieces] == [("red", 3), ("green", 1)]
    assert sum(piece.count for piece in shown.piles[0].pieces) == 10
    assert [seat.amounts for seat in shown.seats][BEN] == (1000, 2, 5)
    assert shown.seats[ADA].waited_for


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_moment_of_a_game_can_be_drawn(language: Language) -> None:
    for number, step in enumerate(play(RULESET, MarraCashSetup(seats=4), 3)):
        if number % 5 == 0 or RULESET.status(step.state) == "finished":
            shown = picture(step.state, language)
            town = _town(shown.board)
            inside = sum(piece.count for shop in town.pieces for piece in shop.holds)
            standing = sum(piece.count for place in town.places for piece in place.pieces)
            outside = sum(piece.count for pile in shown.piles for piece in pile.pieces)
            assert inside + standing + outside == (54 if shown.piles else 0)
            said = " ".join(ElementTree.fromstring(board_svg.drawn(shown)).itertext())
            assert all(f"Player {seat + 1}" in said for seat in range(4) if step.state.names[seat])


@pytest.mark.parametrize(
    "group",
    [Crowd(red=1), Crowd(red=3, green=1), Crowd(1, 1, 1), Crowd(2, 3, 4, 5), Crowd(9, 9, 9, 9, 9)],
    ids=lambda group: f"{len(list(group))} colours",
)
def test_a_group_stands_below_the_number_of_its_fountain_each_color_on_a_chip_of_its_own(group: Crowd) -> None:
    drawn = ElementTree.fromstring(board_svg.drawn(picture(situation(groups={5: group}), "en")))
    [place] = [
        each for each in drawn.iter(f"{SVG}g") if (each.findtext(f"{SVG}title") or "").startswith("5 (fountain,")
    ]
    ground, *_ = place.findall(f"{SVG}rect")
    x, y, size = (float(ground.attrib[name]) for name in ("x", "y", "width"))
    seen: list[str] = []
    numbers: list[str | None] = []
    for row in place.findall(f"{SVG}g"):
        left, top, scale = [float(number) for number in re.findall(r"[\d.]+", f"{row.attrib['transform']} 1")][:3]
        for chip in row.findall(f"{SVG}rect"):
            across, down, width, height = (float(chip.attrib.get(name, 0)) for name in ("x", "y", "width", "height"))
            assert x <= left + across * scale
            assert left + (across + width) * scale <= x + size
            assert y + 10.5 < top + down * scale
            assert top + (down + height) * scale <= y + size
            seen.append(chip.attrib["class"].split()[0])
        numbers += [text.text for text in row.findall(f"{SVG}text")]
    assert list(zip(seen, numbers, strict=True)) == [(color, str(number)) for color, number in group]

"""Boards of other games: a ring, a town, none at all, drawn, in characters, and in words."""

import re
from itertools import combinations

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from mcmulti.domain.core.shown.board import Grid, Kind, Mark, Piece, Placed, Ring, Space
from mcmulti.domain.core.shown.picture import Card, Counter, Die, Picture, Seat, Unit
from mcmulti.projections.pictures.fit import in_cells, in_pixels
from mcmulti.projections.pictures.ring import around
from mcmulti.projections.pictures.words import described
from mcmulti.projections.terminal import board as board_text
from tests.projections.boards import ALL, BARE, NAMES, NASTY, RING, TOWN, WELL
from tests.projections.svg import classed, named, parsed, texts, written


def lines(shown: Picture) -> list[str]:
    """The picture in characters, line by line."""
    return board_text.drawn(shown).plain.split("\n")


@pytest.mark.parametrize("shown", ALL.values(), ids=ALL)
def test_no_text_is_over_another_or_over_the_edge(shown: Picture) -> None:
    root = parsed(shown)
    height = float(root.get("height") or 0)
    found = list(written(root))
    assert found
    for one in found:
        assert one.left >= 0, one
        assert one.right <= 800.5, one
        assert one.bottom <= height, one
    assert [(one.text, other.text) for one, other in combinations(found, 2) if one.overlaps(other)] == []


@pytest.mark.parametrize("shown", ALL.values(), ids=ALL)
def test_the_words_of_a_drawing_are_the_whole_position(shown: Picture) -> None:
    root = parsed(shown)
    (words,) = (element.text for element in root if element.get("id") == "board-desc")
    assert words == " ".join(described(shown))
    for seat in shown.seats:
        assert f"{seat.name}: " in (words or "")


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("shown", ALL.values(), ids=ALL)
def test_no_name_breaks_out_of_a_board(shown: Picture, name: str) -> None:
    seats = tuple(replace(seat, name=name) for seat in shown.seats)
    renamed = replace(shown, seats=seats, title=name, subtitle=name)
    assert max(map(cell_len, lines(renamed))) <= 80
    root = parsed(renamed)
    assert {element.tag for element in root.iter()} == {element.tag for element in parsed(shown).iter()}
    found = list(written(root))
    assert [(one.text, other.text) for one, other in combinations(found, 2) if one.overlaps(other)] == []
    assert max(one.right for one in found) <= 800.5


# The ring


def test_a_ring_lies_along_a_square_clockwise_from_its_top_left() -> None:
    """56 spaces are 14 on each side. Ten are 3, 3, 2, and 2, with more distance on the short sides."""
    side, places = around(56)
    assert side == 14
    assert [places[number] for number in (0, 1, 14, 15, 28, 29, 42, 43)] == [
        *((0, 0), (1, 0), (14, 0), (14, 1)),
        *((14, 14), (13, 14), (0, 14), (0, 13)),
    ]
    assert around(10) == (
        3,
        [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (3, 2), (3, 3), (1.5, 3), (0, 3), (0, 1.5)],
    )


@pytest.mark.parametrize("spaces", range(1, 61))
def test_no_two_spaces_of_a_ring_lie_on_each_other(spaces: int) -> None:
    side, places = around(spaces)
    assert len(places) == spaces
    for (x, y), (other_x, other_y) in combinations(places, 2):
        assert abs(x - other_x) >= 1 or abs(y - other_y) >= 1
    assert all(0 <= x <= side and 0 <= y <= side for x, y in places)


def test_all_fields_of_a_ring_are_drawn_with_whose_pieces_lie_there() -> None:
    """Nine: the pawn and stakes of six. The amounts are in the middle."""
    root = parsed(RING)
    spaces = list(classed(root, "place"))
    assert len(spaces) == 56
    nine, twenty = spaces[9], spaces[20]
    assert [len(list(classed(nine, f"seat-{seat}"))) for seat in range(6)] == [1] * 6
    assert len(list(classed(nine, "piece"))) == 1
    assert [len(list(classed(twenty, f"seat-{seat}"))) for seat in range(6)] == [1, 0, 0, 0, 1, 0]
    assert twenty.findtext("title") == "20 (beige): 2 × 1000, Ada; 10, Ada; 10000, Eve."
    assert {"pawn", "Finn: 6 × 100", "Ada: 2 × 1000; 10", "Eve: 10000", "Finn: 12 × 1"} <= set(texts(root))


def test_more_than_the_middle_of_a_ring_has_room_for_is_cut_short() -> None:
    crowd = tuple(Space(str(number), pieces=(Piece(WELL, number % 6),)) for number in range(56))
    root = parsed(replace(RING, board=Ring("crowd", crowd)))
    assert "…" in texts(root)
    bottom = max(one.bottom for one in written(root) if one.text == "…")
    assert bottom < min(one.top for one in written(root) if one.text == "42")


@pytest.mark.parametrize("spaces", [1, 2, 4, 5, 8, 12, 31, 100])
def test_rings_of_any_size_keep_to_their_place(spaces: int) -> None:
    crowd = tuple(Piece(WELL, seat, count=99) for seat in range(6))
    ring = Ring("ring", tuple(Space(f"space {number}", pieces=crowd) for number in range(spaces)))
    shown = replace(RING, board=ring)
    found = list(written(parsed(shown)))
    assert [(one.text, other.text) for one, other in combinations(found, 2) if one.overlaps(other)] == []
    assert max(map(cell_len, lines(shown))) <= 80


PURSES = [Kind(str(10**digits), "$") for digits in range(6)]
STAKES = tuple(Piece(kind, seat, count=10 * seat + digits) for seat in range(6) for digits, kind in enumerate(PURSES))


def test_what_lies_inside_a_ring_is_a_table_of_owners_and_kinds() -> None:
    """Six owners with six kinds each: Ben, the second, has 10 to 15 of them."""
    spaces = tuple(Space(str(number)) for number in range(56))
    shown = replace(RING, board=Ring("ring", spaces, Space("stakes", pieces=STAKES)))
    found = list(written(parsed(shown)))
    ben = max((one for one in found if one.text == "Ben"), key=lambda one: -one.left)
    line = sorted((one for one in found if abs(one.bottom - ben.bottom) < 1), key=lambda one: one.left)
    assert [one.text for one in line if ben.right < one.left < 480][:6] == ["10", "11", "12", "13", "14", "15"]
    assert "stakes (Ben): 10 × 1; 11 × 10; 12 × 100; 13 × 1000; 14 × 10000; 15 × 100000." in described(shown)
    nothing = replace(RING, board=Ring("ring", spaces, Space("stakes")))
    assert "empty" in texts(parsed(nothing))
    assert "stakes: empty." in described(nothing)


def test_names_in_the_center_of_a_ring_have_the_room_that_numbers_leave() -> None:
    spaces = tuple(Space(str(number)) for number in range(56))
    seats = tuple(Seat(seat, f"Gambler {seat + 1}", ()) for seat in range(3))
    stakes = tuple(Piece(PURSES[0], seat) for seat in range(3))
    shown = replace(RING, seats=seats, board=Ring("ring", spaces, Space("stakes", pieces=stakes)), units=())
    drawn = texts(parsed(shown))
    assert [drawn.count(f"Gambler {number}") for number in (1, 2, 3)] == [2, 2, 2]  # there, and beside the ring


@pytest.mark.parametrize("spaces", [1, 4, 5, 8, 12, 20, 31, 56, 100])
def test_what_lies_inside_a_ring_of_any_size_keeps_to_its_place(spaces: int) -> None:
    ring = Ring("ring", tuple(Space(str(number)) for number in range(spaces)), Space("stakes", pieces=STAKES))
    shown = replace(RING, board=ring)
    found = list(written(parsed(shown)))
    assert [(one.text, other.text) for one, other in combinations(found, 2) if one.overlaps(other)] == []
    assert max(map(cell_len, lines(shown))) <= 80


def test_purses_of_many_units_have_a_line_of_their_own() -> None:
    root = parsed(RING)
    cleo = next(seat for seat in classed(root, "seat") if "Cleo" in texts(seat))
    assert texts(cleo) == ["Cleo", "812,037", "7", "3", "9", "2", "1", "8", "50"]
    assert cleo.findtext("title") == (
        "Cleo: 812,037 in all, 7 × 1, 3 × 10, 9 × 100, 2 × 1000, 1 × 10000, 8 × 100000, pension 50."
    )
    heads = {text: x for text, x in ((one.text, one.right) for one in written(root)) if text in {"1000", "pension"}}
    figures = {one.text: one.right for one in written(cleo)}
    assert heads["pension"] - figures["50"] == pytest.approx(480)


def test_a_ring_in_letters() -> None:
    """Three columns per space: the names at the top from the arrow to 14, 15 and 55 at the sides, signs of stakes."""
    shown = lines(RING)
    assert shown[0] == "Round 12 · settlement · It is about the million"
    assert shown[1] == "first die 6, second die 3, decider 5"
    assert shown[3][:45] == " →  1  2  3  4  5  6  7  8 P●+10 11 12 13 14 "
    assert shown[4][:45] == "55" + " " * 40 + "15 "
    assert shown[9][:45].split() == ["50", "●▼"]
    assert shown[16][:45].split() == ["★", "27"]
    assert shown[17][:45] == "42 41 40 39 38 37 36 35 34 33 32 31 30 29 28 "
    told = " ".join(line.strip() for line in shown)
    assert "The track, 56 spaces: black →, 7, 14, 21, 28, 35, 42, 49; blue 1, 3, 5, 8, 10, 12; beige 2, 4," in told
    assert "20 (beige): 2 × 1000, Ada; 10, Ada; 10000, Eve." in shown


# The town


def test_a_town_has_all_its_places_ways_and_shops() -> None:
    root = parsed(TOWN)
    assert len(list(classed(root, "way"))) == 23
    assert len(list(classed(root, "place"))) == 16
    shops = [title for title in named(root, "standing") if title.startswith("shop")]
    assert len(shops) == 25
    assert "shop R1 (red), Ben, row 1, columns 5-6, holds 4 × customer (red)" in shops
    assert "shop G4 (green), rows 7-8, column 2" in shops


def test_a_shop_shows_its_name_its_owner_and_how_many_are_in_it() -> None:
    (shop,) = (each for each in classed(parsed(TOWN), "standing") if "R1" in texts(each))
    assert texts(shop) == ["R1", "4"]
    assert len(list(classed(shop, "seat-1"))) == 1
    (box,) = classed(shop, "piece")
    assert "red" in (box.get("class") or "")
    space = 448 / 13
    assert [float(box.get(name) or 0) for name in ("x", "y", "width", "height")] == pytest.approx(
        [4 * space + 3, 30 + 3, 2 * space - 6, space - 6], abs=0.01
    )


def test_groups_stand_in_places_by_color_as_far_as_there_is_room() -> None:
    """Five groups of up to nine fit. Five of ten and more do not, and are added up: 12 + 11 + 10 + 10 + 14 = 57."""
    places = {(texts(place) or [""])[0]: place for place in classed(parsed(TOWN), "place")}
    assert texts(places["5"]) == ["5", "3", "2", "4", "1", "9"]
    assert [(chip.get("class") or "").split()[0] for chip in classed(places["5"], "chip")] == [
        "blue",
        "purple",
        "red",
        "green",
        "yellow",
    ]
    assert texts(places["16"]) == ["16", "×57"]
    assert (places["5"].findtext("title") or "").startswith(
        "5 (fountain, left now, ways to 3, 6, 11): 3 × customer (blue);"
    )


def test_a_town_in_letters() -> None:
    """Compared with the board it was made from: two shops beside each other above, the street from 4 over 3 to 5."""
    shown = [line[:39].rstrip() for line in lines(TOWN)[2:12]]
    assert shown == [
        "Marrakesh",
        "Y1#P1#G1####R1■×4# ┌────────1+───────2",
        "###### ┌───────────3 B1●P2# │ G2▲×3# │",
        " ┌─────4 Y2◆×2#P3● │ ×1#### │ R2#### │",
        " │ B2# │ R3# t ×1# 5+───────6─────7──┘",
        " │ ### │ ###Y3#### │ G3#B3####Y4# │ P4#",
        " 8─────9─────10────11###R4▲×3#### │ ###",
        " │ G4#B4■×4# │ R5# └────12+───────13 t",
        " │ ###Y5●×1# │ ###P5#### │ B5#### │ G5◆",
        " 14──────────15─────────16+───────┘ ×2#",
    ]
    assert "12 (fountain): 2 × customer (yellow)." in lines(TOWN)


def test_queues_and_auctions_are_told() -> None:
    told = list(described(TOWN))
    assert "auction: Shop R3; highest bid 325; Ben." in told
    assert told[-1].startswith("queue (21 wait): customer (yellow); 2 × customer (purple); 3 × customer (green);")
    assert "5 × customer (blue)" in told[-1], "two and three next to each other are five"
    assert "customers outside: 21/45." in told


# Without a board


def test_a_game_without_a_board_fills_the_width() -> None:
    root = parsed(BARE)
    assert named(root, "seat") == [f"{6 - seat}. {name}: {7 * seat} Punkte." for seat, name in enumerate(NAMES)]
    first, second = next(classed(root, "seats")), next(classed(root, "beside"))
    assert [each.get("transform") for each in (first, second)] == ["translate(16 0)", "translate(408 0)"]
    assert "buy" not in texts(root)
    assert lines(BARE)[2:5] == ["Punkte".rjust(80), " ● 6. Ada" + "0".rjust(71), " ■ 5. Ben" + "7".rjust(71)]
    assert "Wertung               0 ██████ 35" in lines(BARE)


# Any game


def test_a_kind_without_a_drawing_is_shown_by_its_sign() -> None:
    board = (Grid(name="field", rows=3, columns=4, pieces=(Placed(Kind("sheep", "s"), 4, row=2, column=3),)),)
    shown = replace(BARE, board=board)
    (standing,) = classed(parsed(shown), "standing")
    assert texts(standing) == ["s"]
    assert standing.findtext("title") == "sheep, Eve, Zeile 2, Spalte 3"
    assert [line[:14].rstrip() for line in lines(shown)[2:7]] == [
        "     field",
        "   1  2  3  4",
        "1  ·  ·  ·  ·",
        "2  ·  ·  s  ·",
        "3  ·  ·  ·  ·",
    ]


def test_a_long_name_has_all_of_a_wide_piece_and_signs_shrink_with_theirs() -> None:
    """A piece of four spaces by one, 48 pixels each, has room for a name that is cut short on one space."""
    wide, narrow = (Placed(WELL, 1, name="Warehouse", row=row, column=1, columns=row**2) for row in (2, 1))
    root = parsed(replace(BARE, board=(Grid(name="quay", rows=2, columns=4, pieces=(wide, narrow)),)))
    second, first = (texts(each)[0] for each in classed(root, "standing"))
    assert first == "Warehouse"
    assert second.endswith("…")
    crowd = Space("1", pieces=tuple(Piece(Kind(f"animal {sign}", sign)) for sign in "abcdefg"))
    found = list(written(parsed(replace(BARE, board=Ring("farm", (crowd, *(Space("") for _ in range(55))))))))
    assert [(one.text, other.text) for one, other in combinations(found, 2) if one.overlaps(other)] == []


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 30), (12, 3), (40, 2)])
def test_grids_of_any_shape_keep_to_the_board(rows: int, columns: int) -> None:
    piece = Placed(WELL, 1, count=3, row=rows, column=columns)
    shown = replace(BARE, board=(Grid(name="odd", rows=rows, columns=columns, owner="nobody", pieces=(piece,)),))
    root = parsed(shown)
    assert len(list(classed(root, "space"))) == rows * columns
    assert all(0 <= float(box.get("x") or 0) <= 448 for box in classed(root, "space"))
    assert max(map(cell_len, lines(shown))) <= 80


def test_three_rows_of_grids_have_their_names_between_them() -> None:
    grids = tuple(Grid(name=f"floor {down}", rows=2, columns=3, down=down, owner=down) for down in range(3))
    shown = replace(BARE, board=grids)
    found = list(written(parsed(shown)))
    assert [(one.text, other.text) for one, other in combinations(found, 2) if one.overlaps(other)] == []
    named_at = [next(one.top for one in found if one.text == f"floor {down}") for down in range(3)]
    assert named_at == sorted(named_at)
    assert [line.strip() for line in lines(shown) if "flo" in line] != []


def test_a_seventh_seat_begins_the_signs_again() -> None:
    seats = tuple(Seat(seat, f"P{seat}", (seat,)) for seat in range(8))
    shown = replace(BARE, seats=seats, board=Ring("ring", (Space("1", pieces=(Piece(WELL, 6),)),)))
    assert len(list(classed(parsed(shown), "seat"))) == 8
    assert any(line.startswith(" ● P6") or " ● P6 " in line for line in lines(shown))


def test_long_texts_of_cards_and_counters_are_wrapped_or_summed_up() -> None:
    long = "Every player who has more than three pieces on the board returns one of them"
    shown = replace(BARE, cards=(Card("law", long, note="until winter"),), counters=(Counter("years", 99, 100),))
    found = [text for text in texts(parsed(shown)) if text and text in long]
    assert " ".join(found) == long
    assert "99/100" in texts(parsed(shown))
    narrow = lines(replace(shown, board=RING.board))
    assert all(re.search(rf"\b{word}\b", "\n".join(narrow)) for word in long.split())


def test_amounts_too_wide_for_a_line_go_below() -> None:
    units = tuple(Unit(f"a rather long name {number}", "{} things") for number in range(5))
    seats = tuple(Seat(seat, name, (10**9,) * 5) for seat, name in enumerate(NAMES))
    shown = replace(BARE, units=units, seats=seats, goal=10**9)
    found = list(written(parsed(shown)))
    assert [(one.text, other.text) for one, other in combinations(found, 2) if one.overlaps(other)] == []
    assert sum(line.count("1.000.000.000") for line in lines(shown)) == 1 + 5 * 6, "the goal, and all that all have"


def test_a_die_of_more_faces_shows_its_number() -> None:
    """Dice have at most six pips. Twenty is written as a number."""
    shown = replace(BARE, dice=(Die("small", "red", 6), Die("large", "black", 20)))
    dice = [each for each in parsed(shown).iter("g") if (each.findtext("title") or "").startswith(("small", "large"))]
    assert [len(list(classed(die, "pip"))) for die in dice] == [6, 0]
    assert texts(dice[1]) == ["20"]


def test_a_game_in_which_nobody_owns_anything_is_shown_by_who_plays() -> None:
    seats = tuple(replace(seat, amounts=()) for seat in BARE.seats)
    shown = replace(BARE, units=(), seats=seats, kinds=(), marks=(Mark("asleep", "z"),))
    root = parsed(shown)
    assert [texts(seat) for seat in classed(root, "seat")] == [
        [f"{6 - seat}. {name}"] for seat, name in enumerate(NAMES)
    ]
    assert not {"asleep", "z"} & set(texts(root))
    assert " ● 6. Ada" in lines(shown)
    assert "6. Ada." in list(described(shown))


@pytest.mark.parametrize(
    ("name", "cells", "shown"),
    [
        ("Postal tycoon 2", 15, "Postal tycoon 2"),
        ("Postal tycoon 2", 10, "Postal… 2"),
        ("Postal tycoon 12", 11, "Postal… 12"),
        ("Postal tycoon", 8, "Postal…"),
        ("Agent 2007", 6, "Agent…"),
        ("A 2", 2, "A…"),
        ("Ada", 1, "…"),
    ],
)
def test_a_name_that_is_cut_keeps_the_number_that_tells_it_apart(name: str, cells: int, shown: str) -> None:
    assert in_cells(name, cells) == shown


def test_names_that_begin_alike_differ_on_drawn_boards_too() -> None:
    one, other = (in_pixels(f"Postal tycoon {number}", 70, 12) for number in (2, 3))
    assert one.startswith("Postal")
    assert (one[-3:], other[-3:]) == ("… 2", "… 3")

"""The board as SVG: every fact in its place, readable by people and by programs, for any names."""

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import get_args
from xml.etree.ElementTree import Element

import pytest
from msgspec.structs import replace

from mcmulti.domain.core.shown.board import Colour
from mcmulti.domain.core.table import presented
from mcmulti.domain.core.wording.telling import Language
from mcmulti.domain.mcmulti.picture import picture
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.rules.market import Market
from mcmulti.domain.oil.state import Standing
from mcmulti.domain.postal.components import KEY_STEPS
from mcmulti.domain.postal.shown.picture import picture as picture_by_post
from mcmulti.events.log.codec import fold, opened_with
from mcmulti.projections.pictures.fit import pixels
from mcmulti.projections.svg import marks as board_svg_marks
from mcmulti.projections.svg.board import WIDTH, drawn
from tests.golden.games import FILES, load, with_quadrants
from tests.projections.boards import NASTY, OTHER
from tests.projections.pictured import glances
from tests.projections.svg import classed, named, parsed, texts
from tests.pure.mcmulti.situations import assets_phase, situation, started, table

SITE = 33
CORNERS = {"north-west": (30, 108), "north-east": (244, 108), "south-east": (244, 322), "south-west": (30, 322)}
"""The positions of the fields, in pixels: 12 + 18 from the left, 64 + 26 + 18 from the top.

Each is 198 wide, with gaps of 16.
"""


def svg(state: State, language: Language = "en") -> Element:
    """The drawing of a state of the box game, parsed, without its namespace."""
    return parsed(picture(state, language))


def place(field: str, row: int, column: int) -> tuple[float, float]:
    """The top left corner of a piece on a site: three pixels inside it."""
    x, y = CORNERS[field]
    return x - 12 + (column - 1) * SITE + 3, y - 64 + (row - 1) * SITE + 3


def standing(root: Element) -> dict[tuple[float, float], tuple[str, float, int]]:
    """The pieces by their corner within the board: kind, width, and the dots that mark hits."""
    found = {}
    for element in classed(root, "standing"):
        (rect,) = classed(element, "piece")
        x, y, width = (float(rect.get(name) or "") for name in ("x", "y", "width"))
        dots = len(list(classed(element, "dot")))
        found[x, y] = ((element.findtext("title") or "").split(",")[0], width, dots)
    return found


def test_every_asset_stands_on_its_site() -> None:
    state = situation(assets={0: "rig 1-1, station 6-6", 1: "well 3-2", 2: "refinery 5-5", 3: "rig 2-4"})
    assert standing(svg(state)) == {
        place("north-west", 1, 1): ("rig", 27, 0),
        place("north-west", 6, 6): ("station", 27, 0),
        place("north-east", 3, 2): ("well", 27, 0),
        place("south-east", 5, 5): ("refinery", 60, 0),
        place("south-west", 2, 4): ("rig", 27, 0),
    }


def test_hits_of_the_quadrant_at_turn_and_of_its_neighbors() -> None:
    """Red 2, black 3 in the north-west: row 2 and column 3 there, row 2 in the north-east, column 3 in the south-west.

    Both dice hit the rig on 2-3, and also the refinery on rows 1 and 2 of columns 3 and 4. In the north-east, columns
    do not count. In the south-west, rows do not count. In the south-east, nothing counts.
    """
    assets = "rig 4-3, station 2-1, well 6-6, refinery 1-3"
    state = assets_phase(situation(assets=dict.fromkeys(range(4), assets)), red=2, black=3)
    dots = {where: hits for where, (_, _, hits) in standing(svg(state)).items() if hits}
    assert dots == {
        place("north-west", 4, 3): 1,
        place("north-west", 2, 1): 1,
        place("north-west", 1, 3): 2,
        place("north-east", 2, 1): 1,
        place("north-east", 1, 3): 1,
        place("south-west", 4, 3): 1,
        place("south-west", 1, 3): 1,
    }


def test_the_rig_both_dice_hit_is_hit_twice() -> None:
    state = assets_phase(situation(assets={0: "rig 2-3"}), red=2, black=3)
    assert standing(svg(state)) == {place("north-west", 2, 3): ("rig", 27, 2)}
    assert named(svg(state), "standing") == ["rig, row 2, column 3, hit twice"]


@pytest.mark.parametrize(
    ("quadrant", "row_across", "column_down"),
    [
        (0, "north-west, north-east", "north-west, south-west"),
        (1, "north-west, north-east", "north-east, south-east"),
        (2, "south-east, south-west", "north-east, south-east"),
        (3, "south-east, south-west", "north-west, south-west"),
    ],
)
def test_lines_run_through_the_gap_into_the_neighbors(quadrant: int, row_across: str, column_down: str) -> None:
    """Two fields of 198 pixels and the gap of 16 are 412: the length of each line.

    One site is 33 wide, the width of a line.
    """
    root = svg(assets_phase(situation(quadrant=quadrant), red=5, black=4))
    assert named(root, "line") == [f"row 5 (red die): {row_across}", f"column 4 (black die): {column_down}"]
    row, column = classed(root, "band")
    x, y = CORNERS["north-west"][0] - 12, CORNERS["north-west" if quadrant < 2 else "south-west"][1] - 64
    assert [row.get(name) for name in ("x", "y", "width", "height")] == [f"{n}" for n in (x, y + 4 * 33, 412, 33)]
    x, y = CORNERS["north-west" if quadrant in (0, 3) else "north-east"][0] - 12, CORNERS["north-west"][1] - 64
    assert [column.get(name) for name in ("x", "y", "width", "height")] == [f"{n}" for n in (x + 3 * 33, y, 33, 412)]


def test_before_the_roll_there_are_neither_dice_nor_lines() -> None:
    root = svg(situation(assets={0: "rig 2-3"}))
    assert not list(classed(root, "band"))
    assert not list(classed(root, "die"))
    rolled = svg(assets_phase(situation(), red=6, black=1))
    assert [len(list(classed(die, "pip"))) for die in rolled.iter("g") if list(classed(die, "die"))][-2:] == [6, 1]


@pytest.mark.parametrize("face", range(1, 7))
def test_the_pips_of_a_die_look_the_same_upside_down(face: int) -> None:
    pips = board_svg_marks.PIPS[face]
    assert len(set(pips)) == face
    assert {(-across, -down) for across, down in pips} == set(pips)


def test_an_idle_refinery_is_outlined() -> None:
    root = svg(situation(assets={0: "refinery 1-1, refinery 4-4"}, idle={0: "refinery 4-4"}))
    assert named(root, "standing") == ["refinery, rows 1-2, columns 1-2", "refinery, rows 4-5, columns 4-5, idle"]
    assert [bool(list(classed(element, "outlined"))) for element in classed(root, "standing")] == [False, True]


def test_markets_show_the_barrels_and_the_next_prices() -> None:
    """Nine free fields of crude: 21 barrels from 10 on, sold at 9. Thirty barrels of gasoline: none is left to buy."""
    root = svg(situation(domestic=Market(9, 30), foreign=Market(0, 7), consumer=20, consumer_barrels=4))
    assert named(root, "track") == [
        "crude, domestic: 21 barrels, buy 10, sell 9.",
        "gasoline, domestic: 0 barrels, sell 60.",
        "crude, foreign: 30 barrels, buy 1.",
        "gasoline, foreign: 23 barrels, buy 16, sell 14.",
        "consumers: 4 barrels, sell 19.",
    ]
    boxes = [Counter(element.get("class") for element in track.iter("rect")) for track in classed(root, "track")]
    assert [counts["brown taken"] + counts["yellow taken"] for counts in boxes] == [21, 0, 30, 23, 4]
    assert [counts["free"] for counts in boxes[:4]] == [9, 30, 0, 7]
    assert [counts["next"] for counts in boxes[:4]] == [2, 1, 1, 2]
    assert boxes[4]["marked"] == 27 - 2  # barrels on 20 to 23 hide the red fields 20 and 23


def test_a_closed_market_says_so() -> None:
    root = svg(situation(active=("foreign_embargo",)))
    assert ["closed" in texts(track) for track in classed(root, "track")] == [False, False, True, True, False]


def test_cards_seats_and_the_difference_track() -> None:
    """Prices of the downturn: rig 12 and 8, well 60, station 75 and 45, refinery 120 and 80. Demand is +2."""
    root = svg(
        situation(
            economy="downturn",
            difference=6,
            cash={0: 7, 1: 1234},
            crude={0: 11},
            gasoline={1: 13},
            likelier="state_sales_tax",
            less_likely="foreign_embargo",
            active=("domestic_price_freeze",),
        )
    )
    assert named(root, "card") == [
        "economy: Downturn; rig buy 12, sell 8; well sell 60; station buy 75, sell 45; refinery buy 120, sell 80; "
        "demand +2.",
        "likelier: State sales tax.",
        "less likely: Foreign embargo.",
        "in force: Domestic price freeze.",
    ]
    assert named(root, "seat")[:2] == [
        "Ada: 7 million dollars, crude 11, gasoline 0, net worth 7, to move.",
        "Ben: 1,234 million dollars, crude 0, gasoline 13, net worth 1,234.",
    ]
    assert named(root, "counter") == ["difference track: 6/8."]
    (counter,) = classed(root, "counter")
    assert [text.text for text in classed(counter, "strong")] == ["6"]


def test_the_position_in_words() -> None:
    root = svg(assets_phase(situation(3, assets={0: "rig 2-3", 1: "well 1-1"}, cash=50), red=2, black=5))
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "board-title board-desc"
    (title,) = (element.text for element in root if element.get("id") == "board-title")
    (words,) = (element.text or "" for element in root if element.get("id") == "board-desc")
    assert title == "Turn 5 · asset phase · Ada · north-west"
    assert words.startswith(
        "Dice: red die 2, black die 5. "
        "north-west (Ada, row 2 (red die), column 5 (black die)): rig, row 2, column 3, hit once. "
        "north-east (Ben, row 2 (red die)): well, row 1, column 1. "
        "south-east (Cleo): empty. "
        "south-west (nobody, column 5 (black die)): empty. "
        "Ada: 50 million dollars, crude 0, gasoline 0, net worth 53, to move."
    )


def test_net_worth_is_the_cash_and_what_the_bank_pays_for_the_assets() -> None:
    """In the downturn, it pays 8 for a rig, 60 for a well, 45 for a station, 80 for a refinery, nothing for barrels."""
    assets = {0: "rig 1-1, rig 1-2, station 6-6, refinery 3-3", 1: "well 3-2", 3: "rig 1-1"}
    state = situation(3, economy="downturn", assets=assets, cash={0: 100, 1: 5, 2: 7}, crude={0: 9})
    worth = [
        next(text for part in seat if (part.get("data-part") or "").endswith("amount-3") for text in texts(part))
        for seat in classed(svg(state), "seat")
    ]
    assert worth == [str(100 + 8 + 8 + 45 + 80), str(5 + 60), "7"]


def test_framed_prices_and_red_fields_are_explained() -> None:
    """They appear as soon as there are any. A game by post has other names for them."""
    explained = {"next price", "red field"}
    assert explained <= set(texts(svg(situation())))
    assert {"nächster Preis", "rotes Feld"} <= set(texts(svg(situation(), "de")))
    assert not explained & set(texts(svg(table())))
    *_, (_, by_post) = glances(Path(FILES[0]).parent / "by-post-pumps.jsonl", 200)
    assert {"next price", "key step"} <= set(texts(parsed(picture_by_post(by_post, "en"))))


def test_german() -> None:
    state = assets_phase(situation(assets={0: "refinery 2-3"}, economy="rapid_growth"), red=2, black=5)
    root = svg(state, "de")
    assert root.get("lang") == "de"
    assert named(root, "standing") == ["Raffinerie, Zeilen 2-3, Spalten 3-4, einfach getroffen"]
    assert {"Zug 5 · Anlagenphase", "Ada · Nordwesten", "Rohöl, Inland", "Rasches Wachstum", "Kauf"} <= set(texts(root))
    assert not {"buy", "sell", "cash", "Turn 5", "row"} & set(texts(root))


def test_the_table_fills() -> None:
    root = svg(table(2, taken=[0]))
    assert {"Seating", "Ada", "free seat"} <= set(texts(root))
    assert not list(classed(root, "track"))


def test_the_special_purchase_round() -> None:
    assert {"Special purchase round", "Cleo · south-east"} <= set(texts(svg(started(first=2))))


def test_the_end_names_the_winner_and_the_ranks() -> None:
    standings = (Standing(1, 1, 900, 0), Standing(0, 2, 100, 0))
    state = replace(
        assets_phase(situation(2), red=3, black=3), phase="over", standings=standings, winners=(1,), declared_by=0
    )
    root = svg(state)
    assert {"Game over", "Winner: Ben", "2. Ada", "1. Ben", "declared victory"} <= set(texts(root))
    assert not list(classed(root, "band"))


@pytest.mark.parametrize("name", NASTY)
def test_names_of_any_kind_are_safe_and_keep_to_their_places(name: str) -> None:
    """A seat has 210 pixels for a name, and a line below the title has 640.

    No letter is narrower than three pixels there.
    """
    state = situation(2)
    state = presented(state, dict.fromkeys(state.everybody, name))
    root = svg(state)
    assert {element.tag for element in root.iter()} == {element.tag for element in svg(situation(2)).iter()}
    written = [next(iter(texts(seat))) for seat in classed(root, "seat")]
    for text in written:
        assert len(text) <= 40
        assert len(text) < 20 or not set(text) & set("W\N{ROCKET}\N{CJK UNIFIED IDEOGRAPH-6CB9}")
        assert not set(text) & set("\x00\x07\x1b\n\t\u202e")


def test_markup_in_a_name_is_text() -> None:
    state = situation(2)
    name = '<b>&"</b>'
    state = presented(state, dict.fromkeys(state.everybody, name))
    assert [texts(seat)[0] for seat in classed(svg(state), "seat")] == [name, name]


def test_nothing_is_loaded_or_run_and_both_color_schemes_are_told() -> None:
    content = drawn(picture(situation(), "en")).decode()
    (style,) = (element.text or "" for element in svg(situation()).iter("style"))
    assert "@media (prefers-color-scheme: dark)" in style
    assert content.count("http") == content.count('xmlns="http://www.w3.org/2000/svg"') == 1
    for forbidden in ("<script", "@import", "url(", "href", "onload"):
        assert forbidden not in content
    coloured = {"fill", "stroke", "style", "color"}
    assert not [element.tag for element in svg(situation()).iter() if coloured & set(element.attrib)]


def test_no_text_is_smaller_than_eleven_pixels() -> None:
    (style,) = (element.text or "" for element in svg(situation()).iter("style"))
    sizes = [float(part.split("px")[0]) for part in style.split("font-size: ")[1:]]
    assert sizes
    assert min(sizes) >= 11
    assert svg(situation()).get("viewBox", "").split()[2] == str(WIDTH) == "800"


def luminance(color: str) -> float:
    """The relative luminance by WCAG 2 of a color such as #1c1f24."""
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *((text, ground) for text in ("text", ".muted", ".nobody") for ground in (".page", ".panel")),
        *((f".seat-{seat}", ground) for seat in range(6) for ground in (".page", ".panel")),
        *((".glyph", f".seat-{seat}") for seat in range(6)),
        *((f".on-{color}", f".{color}") for color in get_args(Colour)),
        (".page", ".ink"),
    ],
)
def test_what_is_written_can_be_read_in_both_color_schemes(scheme: str, text: str, ground: str) -> None:
    """WCAG 2.2 requires a contrast of 4.5 to 1 between text and background, and 3 to 1 for signs."""
    (style,) = (element.text or "" for element in svg(situation()).iter("style"))
    rules = style.split("@media (prefers-color-scheme: dark)")[scheme == "dark"]
    fills = {
        selector.strip().removeprefix(".board "): fill
        for selectors, fill in re.findall(r"^([^{}\n]+) { fill: (#[0-9a-f]{6})", rules, re.MULTILINE)
        for selector in selectors.split(",")
    }
    darker, lighter = sorted((luminance(fills[text]), luminance(fills[ground])))
    assert (lighter + 0.05) / (darker + 0.05) >= (3 if text == ".glyph" else 4.5)


def test_another_game_with_such_a_board_is_drawn_as_well() -> None:
    """26 prices from 3 to 78, the first three of them free: 23 barrels. The other market has none."""
    root = parsed(OTHER)
    assert {"Round 3", "orders are sealed", "Alaska", "Norway", "Mild", "oil well", "78", "130"} <= set(texts(root))
    assert len(list(classed(root, "brown", "taken"))) == 23
    assert not list(classed(root, "yellow", "taken"))
    assert set(standing(root)) == {
        place(name, 6, column)
        for column, name in enumerate(("north-west", "north-east", "south-west", "south-east"), start=1)
    }


def test_the_prices_below_the_consumers_of_a_game_by_post_leave_each_other_room() -> None:
    """Key steps from 65 on are neighbors: their boxes are marked, and every third one has its number."""
    events = load(next(file for file in FILES if file.stem == "by-post-sales"))
    ruleset = opened_with(events[0])
    state = fold(ruleset, events)
    assert ruleset.picture is not None
    [track] = [
        group for group in classed(parsed(ruleset.picture(state, "en")), "track") if list(classed(group, "marked"))
    ]
    below = list(classed(track, "small", "figure", "middle"))
    middles = [float(text.get("x", "0")) for text in below]
    widths = [pixels(text.text or "", 11) for text in below]
    edges = [(x - width / 2, x + width / 2) for x, width in zip(middles, widths, strict=True)]
    assert all(right + 3 <= left for (_, right), (left, _) in pairwise(edges))
    numbers = [int(text.text or "") for text in below]
    assert set(numbers) <= set(KEY_STEPS)
    assert {5, 9, 13, 17, 21, 24, 27, 65, 80} <= set(numbers)


@pytest.mark.parametrize("file", with_quadrants(), ids=lambda file: file.stem)
def test_every_golden_game_can_be_drawn_at_any_time(file: Path) -> None:
    """At every 17th event and at the end, the picture has as many assets and as much cash as the state."""
    for seen, state in glances(file, 17):
        root = parsed(seen)
        pieces = sum(sum(state.pieces(seat).values()) for seat in range(len(state.players)))
        assert len(list(classed(root, "standing"))) == pieces
        cash = [next(classed(seat, "h2")).text for seat in classed(root, "seat")]
        assert cash == [seen.number(player.cash) for player in state.players] or not state.players

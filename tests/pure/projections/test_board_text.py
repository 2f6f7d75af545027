"""The board in characters: every fact in its place, in eighty columns, and clear without color."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from mcmulti.domain.core.table import presented
from mcmulti.domain.core.wording.telling import LANGUAGES, Language, grouped
from mcmulti.domain.mcmulti.picture import picture
from mcmulti.domain.mcmulti.state import State
from mcmulti.domain.oil.rules.market import Market
from mcmulti.projections.terminal.board import drawn, fitted
from tests.golden.games import FILES, files_of, with_quadrants
from tests.projections.boards import NASTY, OTHER
from tests.projections.pictured import glances
from tests.pure.mcmulti.situations import assets_phase, situation, table
from tests.thorough import QUICK

ON_A_RING = files_of("millionenspiel")
STEP = 53 if QUICK else 13
"""Events from one board that is looked at to the next."""


def lines(state: State, language: Language = "en") -> list[str]:
    """The board, line by line, without color."""
    return drawn(picture(state, language)).plain.split("\n")


def board(state: State) -> list[str]:
    """The lines of the four fields, without what is beside them."""
    return [line[:40].rstrip() for line in lines(state)[2:21]]


def test_the_whole_board() -> None:
    """Red 2 and black 3 in the south-east: row 2 there and in the south-west, column 3 there and in the north-east.

    The rig on 2-3 is hit twice. The refinery on rows 1-2, columns 5-6, is hit once. In the north-east, the refinery on
    columns 2-3 and rows 5-6 is hit once. In the south-west, the well on row 2 is hit, and the idle refinery on rows 3-4
    is not. Each site has three columns: on a line, it begins with a stroke, and ends with one unless there is a mark
    for a hit.
    """
    state = situation(
        quadrant=2,
        assets={
            0: "rig 1-1",
            1: "refinery 5-2, station 6-6",
            2: "rig 2-3, refinery 1-5",
            3: "well 2-4, refinery 3-1",
        },
        idle={3: "refinery 3-1"},
    )
    assert board(assets_phase(state, red=2, black=3)) == [
        "     north-west          north-east",
        "   ● Ada               ■ Ben",
        "   1  2  3  4  5  6    1  2  3  4  5  6",
        "1  R  ·  ·  ·  ·  ·    ·  ·  │  ·  ·  ·",
        "2  ·  ·  ·  ·  ·  ·    ·  ·  │  ·  ·  ·",
        "3  ·  ·  ·  ·  ·  ·    ·  ·  │  ·  ·  ·",
        "4  ·  ·  ·  ·  ·  ·    ·  ·  │  ·  ·  ·",
        "5  ·  ·  ·  ·  ·  ·    ·  ####+ ·  ·  ·",
        "6  ·  ·  ·  ·  ·  ·    ·  ####  ·  ·  S",
        "                             │",
        "1  ·  ·  ·  ·  ·  ·    ·  ·  │  ·  ####+",
        f"2 {'─' * 10}W+{'─' * (6 + 2 + 7)}R*{'─' * 4}####─",
        "3  ====  ·  ·  ·  ·    ·  ·  │  ·  ·  ·",
        "4  ====  ·  ·  ·  ·    ·  ·  │  ·  ·  ·",
        "5  ·  ·  ·  ·  ·  ·    ·  ·  │  ·  ·  ·",
        "6  ·  ·  ·  ·  ·  ·    ·  ·  │  ·  ·  ·",
        "   1  2  3  4  5  6    1  2  3  4  5  6",
        "   ◆ Dan              ▸▲ Cleo",
        "     south-west          south-east",
    ]


def downturn(**more: Any) -> Any:
    """A situation in which all figures beside and below the board differ."""
    return situation(
        economy="downturn",
        difference=6,
        cash={0: 7, 1: 1234},
        crude={0: 11},
        gasoline={1: 13},
        domestic=Market(9, 30),
        foreign=Market(0, 7),
        consumer=39,
        likelier="state_sales_tax",
        less_likely="world_market_uncertainty",
        active=("foreign_embargo",),
        **more,
    )


def test_everything_beside_and_below_the_board() -> None:
    """Nine free fields of domestic crude: bought at 10, sold at 9. A market without free fields buys nothing."""
    state = downturn(consumer_barrels=4)
    shown = lines(assets_phase(state, red=2, black=3))
    assert shown[:2] == ["Turn 5 · asset phase · Ada · north-west", "red die 2, black die 3"]
    assert [line[42:] for line in shown[2:22]] == [
        "goal 750                          cash",
        "    crude gasoline net worth",
        "▸● Ada                               7",
        "       11        0         7",
        " ■ Ben                           1,234",
        "        0       13     1,234",
        " ▲ Cleo                              0",
        "        0        0         0",
        " ◆ Dan                               0",
        "        0        0         0",
        "",
        "difference track",
        " 0  1  2  3  4  5 [6] 7  8",
        "economy: Downturn",
        "demand +2        R     W     S     #",
        "buy             12     -    75   120",
        "sell             8    60    45    80",
        "likelier: State sales tax",
        "less likely: World market uncertainty",
        "in force: Foreign embargo",
    ]
    assert shown[23:29] == [
        "crude, domestic       1 " + "·" * 9 + "█" * 21 + " 30  buy 10 · sell 9",
        "gasoline, domestic    2 " + "·" * 30 + " 60  sell 60",
        "crude, foreign        1 " + "█" * 30 + " 30  closed",
        "gasoline, foreign     2 " + "·" * 7 + "█" * 23 + " 60  closed",
        "consumers             1 " + "·¦·" * 12 + "·¦██ 40  sell 38",
        "                     41 ██" + "·¦·" * 12 + "·¦ 80",
    ]


def test_german() -> None:
    """The card has a place and a name too long for one line."""
    assets = {0: "rig 4-1, station 4-2"}
    state = situation(economy="rapid_growth", less_likely="snap_inspection", assets=assets)
    shown = lines(assets_phase(state, red=4, black=1), "de")
    assert shown[:2] == ["Zug 5 · Anlagenphase · Ada · Nordwesten", "roter Würfel 4, schwarzer Würfel 1"]
    beside = [line[42:] for line in shown[2:23]]
    assert beside[0] == "Ziel 750                       Bargeld"
    assert "Nachfrage +6     R     W     S     #" in beside
    place = beside.index("unwahrscheinlicher:")
    assert beside[place + 1] == "  Unangemeldete Prüfung"
    assert shown[-2:] == [
        "R Bohrturm · W Ölquelle · S Tankstelle · # Raffinerie · ¦ rotes Feld",
        "+ einfach getroffen · * doppelt getroffen · ▸ am Zug",
    ]


def test_before_the_roll_no_line_is_drawn() -> None:
    shown = "\n".join(board(situation(assets={0: "rig 2-3"})))
    assert not set(shown) & set("─│┼+*")


def test_the_table_fills() -> None:
    shown = lines(table(2, taken=[1]))
    assert shown[0] == "Seating"
    assert [line[42:] for line in shown[3:8]] == [
        "    crude gasoline net worth",
        " ● free seat                         0",
        "        0        0         0",
        " ■ Ben                               0",
        "        0        0         0",
    ]


@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_makes_a_line_too_long_or_adds_one(name: str, language: Language) -> None:
    state = assets_phase(situation(4, cash=2**31 - 1, active=("domestic_price_freeze",)), red=6, black=6)
    named = replace(presented(state, dict.fromkeys(state.everybody, name)), phase="over", winners=(0, 1, 2, 3))
    for shown in (replace(named, phase="assets"), named):
        assert len(lines(shown, language)) <= 40
        assert max(map(cell_len, lines(shown, language))) <= 80
        assert not set("".join(lines(shown, language))) & set("\x00\x07\x1b\u202e")


def test_a_wider_terminal_has_more_room_for_names() -> None:
    state = situation(2)
    long = "Ada Lovelace of Ockham Park in Surrey"
    state = presented(state, dict.fromkeys(state.everybody, long))
    assert long not in drawn(picture(state, "en"), 80).plain.replace(f"· {long} ·", "")
    wide = drawn(picture(state, "en"), 120).plain
    assert long in wide.replace(f"· {long} ·", "")
    assert max(map(cell_len, wide.split("\n"))) <= 120


def test_less_than_eighty_columns_are_too_few() -> None:
    with pytest.raises(ValueError, match="80 columns, not 79"):
        drawn(picture(situation(2), "en"), 79)


def test_another_game_with_such_a_board_is_shown_as_well() -> None:
    """26 prices from 3 to 78 and from 5 to 130; wells in the sixth row."""
    shown = drawn(OTHER).plain.split("\n")
    assert shown[0] == "Round 3 · orders are sealed"
    assert shown[10][:40].rstrip() == "6  W  ·  ·  ·  ·  ·    ·  W  ·  ·  ·  ·"
    assert "London crude          3 ···" + "█" * 23 + " 78  buy 12 · sell 9" in shown
    assert "New York petrol       5 " + "·" * 26 + " 130 sell 130" in shown


@pytest.mark.parametrize("file", ON_A_RING, ids=lambda file: file.stem)
def test_every_golden_game_on_a_ring_can_be_shown_at_any_time(file: Path) -> None:
    """At some events, in eighty columns."""
    for seen, state in glances(file, STEP):
        shown = drawn(seen).plain
        assert max(map(cell_len, shown.split("\n"))) <= 80
        assert all(grouped(player.money, seen.language) in shown for player in state.players)


@pytest.mark.parametrize("file", with_quadrants(), ids=lambda file: file.stem)
def test_every_golden_game_can_be_shown_at_any_time(file: Path) -> None:
    """At some events: as many marks as assets, a pair for each of the four sites of a refinery. Eighty columns."""
    for seen, state in glances(file, STEP):
        shown = drawn(seen).plain.split("\n")
        assert max(map(cell_len, shown)) <= 80
        assert len(shown) <= 40
        marks = "".join(line[2:40] for line in [*shown[5:11], *shown[12:18]])
        quadrants = state.quadrants
        assert marks.count("R") == sum(quadrant.rigs.bit_count() for quadrant in quadrants)
        assert marks.count("W") == sum(quadrant.wells.bit_count() for quadrant in quadrants)
        assert marks.count("S") == sum(quadrant.stations.bit_count() for quadrant in quadrants)
        blocks = sum(quadrant.refineries.bit_count() for quadrant in quadrants)
        assert marks.count("#") + marks.count("=") == 8 * blocks
        assert marks.count("=") == 8 * sum(quadrant.idle.bit_count() for quadrant in quadrants)


def test_the_whole_board_in_a_small_terminal() -> None:
    """A market with nine free fields, one with none, one with seven. A closed one shows no prices.

    The barrel of the consumers is at $39M, so the next brings 38. The red fields next to it are 38 and 41. Without
    assets, net worth is cash.
    """
    state = downturn()
    shown = fitted(picture(assets_phase(state, red=2, black=3), "en"), 80, 18).plain.split("\n")
    assert shown[0] == "Turn 5 · asset phase · Ada · north-west · difference track: 6/8"
    assert [line[:40].rstrip() for line in shown[1:16]] == [
        "  ▸● Ada               ■ Ben",
        "   1  2  3  4  5  6    1  2  3  4  5  6",
        "1  ·  ·  │  ·  ·  ·    ·  ·  ·  ·  ·  ·",
        "2 ───────┼──────────────────────────────",
        *(f"{row}  ·  ·  │  ·  ·  ·    ·  ·  ·  ·  ·  ·" for row in (3, 4, 5, 6)),
        "   ◆ Dan               ▲ Cleo",
        *(f"{row}  ·  ·  │  ·  ·  ·    ·  ·  ·  ·  ·  ·" for row in (1, 2, 3, 4, 5, 6)),
    ]
    assert [line[41:] for line in shown[1:16]] == [
        "goal 750      cash crude gasoline  net…",
        "▸● Ada           7    11        0     7",
        " ■ Ben       1,234     0       13 1,234",
        " ▲ Cleo          0     0        0     0",
        " ◆ Dan           0     0        0     0",
        "economy: Downturn",
        "demand +2        R     W     S     #",
        "buy             12     -    75   120",
        "sell             8    60    45    80",
        "crude, domestic 21/30 buy 10 · sell 9",
        "gasoline, domestic 0/30 sell 60",
        "crude, foreign 30/30 closed",
        "gasoline, foreign 23/30 closed",
        "consumers 1/80 sell 38 ¦ 38, 41",
        "likelier: State sales tax.",
    ]
    assert " ".join(shown[16:]).startswith("less likely: World market uncertainty. in force: Foreign embargo.")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_golden_game_fits_in_a_small_terminal(file: Path) -> None:
    """18 lines leave six of 24 for moves and news.

    They contain every amount that any player has, in either language.
    """
    for seen, _ in glances(file, 211):
        shown = fitted(seen, 80, 18)
        assert len(shown.split("\n")) <= 18, shown.plain
        assert max(line.cell_len for line in shown.split("\n")) <= 80
        for seat in seen.seats:
            assert all(seen.number(amount) in shown.plain for amount in seat.amounts)


def test_visitors_are_told_by_the_beginnings_of_their_colors() -> None:
    """In German, green and yellow begin with the same letter. With enough room, the board is drawn as usual."""
    (file,) = (file for file in FILES if file.stem == "marracash-four-players")
    seen = [picture for picture, _ in glances(file, 100)]
    assert fitted(seen[0], 80, 60).plain == drawn(seen[0]).plain
    german = " ".join(fitted(each, 80, 18).plain.replace("\n", " ") for each in seen if each.language == "de")
    assert all(said in german for said in ("ge gelb", "gr grün", "r rot", "b blau", "l lila"))

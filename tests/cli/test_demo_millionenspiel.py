"""The demo of the Millionenspiel, in a process of its own, and its display."""

from io import StringIO

import msgspec
import pytest
from msgspec.structs import replace
from rich.console import Console

from mcmulti.cli.demo.display import Display
from mcmulti.cli.demo.faces.face import Sight
from mcmulti.cli.demo.faces.games.millionenspiel import FACE
from mcmulti.cli.demo.faces.registry import face_of
from mcmulti.domain.millionenspiel import RULESET
from mcmulti.domain.millionenspiel.pieces import Pieces
from mcmulti.domain.millionenspiel.state import Millionenspiel
from tests.pure.millionenspiel.situations import BEIGE, RED, landing, settled, situation, started, table

BEN = 1


def sight(state: Millionenspiel) -> Sight:
    return Sight(msgspec.to_builtins(RULESET.view(state, None)))


def headline(state: Millionenspiel) -> str:
    return FACE.headline(sight(state)).plain.strip()


def test_the_headline_tells_where_the_game_stands() -> None:
    assert face_of("millionenspiel") is FACE
    assert headline(table()) == "The table fills"
    assert headline(started()) == "Round 1 · Ada has the dice"
    assert headline(landing(RED, {}, {})) == "Round 1 · Ada has the dice · thrown 1-2"
    over, _ = settled(landing(RED, {}, {BEN: Pieces(ten_thousands=1)}))
    assert headline(over) == "Round 1 · Ben has won"


def test_where_the_pawn_stands_and_whether_it_is_about_the_million() -> None:
    state = landing(
        RED, {BEN: Pieces(4)}, {BEN: Pieces(ten_thousands=1)}, pawn=BEIGE, at_stake=(BEN,), pensions={BEN: 50}
    )
    seen = sight(state)
    assert FACE.circumstances(seen).plain.strip() == "the pawn stands on 4, beige · it is about the million: Ben"
    assert FACE.line(seen) == "round   1, pawn on 4, beige: Ada 0, Ben 10004, Cleo 0"
    assert FACE.circumstances(sight(started())).plain.strip() == "the pawn stands on the arrow, black"
    assert FACE.line(sight(table())) is None
    assert FACE.row(seen, BEN) == ("━━━━━      10,004", "10,000", "50")
    assert FACE.row(seen, 0) == ("                0", "0", "5")
    assert FACE.row(sight(table()), 0) == ("                0", "0", "")


@pytest.mark.parametrize(
    ("event", "data", "told"),
    [
        ("PensionBought", {}, True),
        ("GameEnded", {}, True),
        ("StakeWon", {"pieces": {"ten_thousands": 1}}, True),
        ("StakeWon", {"pieces": {"thousands": 9, "hundreds": 9}}, False),
        ("RestTaken", {"pieces": {"hundred_thousands": 1}}, True),
        ("NotesLost", {"staked": {"thousands": 5}, "kept": {"thousands": 5}}, True),
        ("NotesLost", {"staked": {}, "kept": {"thousands": 5}}, False),
        ("StakePlaced", {"pieces": {"hundred_thousands": 1}}, False),
    ],
)
def test_what_is_worth_telling(event: str, data: dict[str, object], told: bool) -> None:
    assert FACE.tells(event, data) is told


def test_the_picture_of_a_game_fits_80_columns() -> None:
    rich = Pieces(10, 10, 10, 10, 10, 100)
    state = replace(
        situation(dict.fromkeys(range(5), rich), seats=5, waiting=(1, 2, 3, 4, 0)), at_stake=(0, 1, 2, 3, 4)
    )
    out = StringIO()
    with Display(Console(file=out, width=80, force_terminal=True, color_system=None), FACE) as display:
        for each in (table(5), state):
            display.show(sight(each))
    assert "10,111,110" in out.getvalue()
    assert "…" not in out.getvalue()

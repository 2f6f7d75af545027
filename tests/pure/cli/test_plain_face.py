"""How a game without a display of its own is shown."""

from io import StringIO

import pytest
from rich.console import Console

from mcmulti.cli.demo.display import Display
from mcmulti.cli.demo.faces.face import Sight
from mcmulti.cli.demo.faces.plain import PLAIN
from mcmulti.cli.demo.faces.registry import face_of

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil")


def _sight(status: str, *to_move: int) -> Sight:
    seats = [{"seat": seat, "name": name} for seat, name in enumerate(NAMES)]
    view = {"ruleset": "wool_fair", "status": status, "to_move": list(to_move), "seats": seats}
    if status == "open":
        return Sight(view)
    return Sight(view, 3, [{"florins": 10 + seat, "wool": seat} for seat in range(len(NAMES))])


def _shown(*sights: Sight, terminal: bool) -> str:
    out = StringIO()
    console = Console(file=out, width=80, force_terminal=terminal, color_system=None)
    with Display(console, PLAIN) as display:
        display.add_event("Ada buys 2 sacks for 10 florins.")
        for sight in sights:
            display.show(sight)
    return out.getvalue()


def test_it_is_the_face_of_what_has_no_own() -> None:
    assert face_of("wool_fair") is PLAIN
    assert face_of("mcmulti") is not PLAIN


def test_a_terminal_shows_who_is_to_move_what_everybody_has_and_what_happened() -> None:
    shown = _shown(_sight("open"), _sight("running", 0, 2), _sight("finished"), terminal=True)
    for words in ("The table fills", "Turn 3 · Ada, Cleo to move", "it is over", "florins", "wool", "▸ Ada"):
        assert words in shown
    assert "Ada buys 2 sacks for 10 florins." in shown
    assert "cash" not in shown


@pytest.mark.parametrize("name", NAMES)
def test_elsewhere_a_line_says_what_everybody_has(name: str) -> None:
    seat = NAMES.index(name)
    [line] = _shown(_sight("open"), _sight("running", 1), terminal=False).splitlines()
    assert line.startswith("turn   3: Ada 10 florins + 0 wool, ")
    assert f"{name} {10 + seat} florins + {seat} wool" in line

"""The demo of the game by post, in a process of its own."""

import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from mcmulti.cli.demo.display import Display
from mcmulti.cli.demo.faces.face import Sight
from mcmulti.cli.demo.faces.registry import face_of
from tests.bots.by_post import seen
from tests.cli.command import TYPED, left_behind, running
from tests.pure.postal.situations import A, situation, table


def test_a_whole_game_is_played_and_proven(tmp_path: Path) -> None:
    with running("demo", "--ruleset", "postal", temporary=tmp_path) as demo:
        assert (demo.code(), demo.said) == (0, "")
        printed = demo.printed
    assert re.search(r"1 +(Amber|Basalt|Cobalt|Dune) ★ +postal-magnate +1\d\d\d", printed)
    assert re.search(r"^ +sum( +0){5,7} *$", printed, re.MULTILINE)
    assert (printed.count("✓"), printed.count("✗")) == (7, 0)
    assert f"{TYPED} demo --ruleset postal --folder" in printed
    assert left_behind(tmp_path) == []


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    with running("demo", "--ruleset", "postal", temporary=tmp_path) as demo:
        demo.line("round ")
        assert demo.interrupt() == 130
        assert demo.said == "Interrupted. Everything has stopped.\n"
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize(
    ("option", "value"),
    [("--players", "3"), ("--target", "750"), ("--strategy", "tycoon"), ("--strategy", "random,random")],
)
def test_what_a_game_by_post_leaves_no_choice_of_is_refused(option: str, value: str, tmp_path: Path) -> None:
    with running("demo", "--ruleset", "postal", option, value, temporary=tmp_path) as demo:
        assert demo.code() == 2
        assert f"Invalid value for {option}" in demo.said


def test_the_picture_of_a_game_fits_80_columns() -> None:
    out = StringIO()
    console = Console(file=out, width=80, force_terminal=True, color_system=None)
    with Display(console, face_of("postal")) as display:
        display.add_event("The climate turns from rapid growth to recession, and this goes on and on and on and on.")
        for state in (table(()), table(), situation(cash=999, crude=10, gasoline=10, assets={A: "rig 1-1"})):
            display.show(Sight(seen(state, A)))
    printed = out.getvalue()
    assert "The table fills" in printed
    assert "Round 5 · 0 of 4 sheets are in · order Ada, Ben, Cleo, Dan" in printed
    assert "refineries" in printed

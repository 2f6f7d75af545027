"""The demo of the game by post, in a process of its own."""

import re
from pathlib import Path

import pytest

from tests.cli.command import TYPED, left_behind, running


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
        demo.line("Round ")
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

"""`mcmulti play --against`: the computer plays at the terminal, without a server."""

import re
from pathlib import Path

import pytest

from mcmulti import load_game
from mcmulti.domain.rulesets import SHIPPED
from tests.cli.command import left_behind
from tests.cli.person import Person


@pytest.fixture
def ada(tmp_path: Path) -> Person:
    """A person without a server and without an account."""
    return Person("http://127.0.0.1:9", tmp_path, "ada")


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_every_game_is_played_against_its_bots(ruleset: str, ada: Person, tmp_path: Path) -> None:
    level = SHIPPED[ruleset].bots[-1]
    name = level.capitalize().replace("-", " ")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    arguments = ("play", "--against", level, "--ruleset", ruleset)
    resigning = "resign\nyes\n" * 4  # each of three bots may move between two lines, so the line must be typed again
    said = ada.does(*arguments, typed=f":board\n{resigning}", TMPDIR=str(temporary))
    bots = load_game(ruleset).num_players() - 1
    for seated in ("Player", *(name, f"{name} 2", f"{name} 3")[:bots]):
        assert seated in said, said
    assert re.search(r"> yes\nPlayer resigns, and seat 1 is empty\.", said), said
    assert left_behind(temporary) == []
    assert not ada.accounts.exists()


def test_moves_are_made_and_the_bots_answer_them(ada: Person) -> None:
    """Two players at the box game with two quadrants each: four rounds of purchases, then the first turn."""
    arguments = ("play", "--against", "random", "--players", "2", "--set", "first_seat=0")
    said = ada.does(*arguments, typed="buy rig 2,5\nend\nend\nroll\nyes\n")
    assert "Player buys a rig for $5M and places it at row 2, column 5 of the north-west." in said
    assert "Random buys nothing more" in said
    assert re.search(r"> yes\nPlayer rolls ", said), said


def test_each_may_play_at_a_level_of_its_own_and_german_is_understood(ada: Person) -> None:
    said = ada.does("play", "--against", "random,tycoon", "--language", "de", typed=":board\n:quit\n")
    for name in ("Spieler", "Random", "Tycoon"):
        assert name in said, said
    assert "Ereignis " in said


def test_people_take_turns_at_one_terminal(ada: Person) -> None:
    """Each buys a rig in the round of purchases. Then one of the two resigns, and the game is over."""
    typed = "buy rig 2,5\nend\n" * 2 + "end\n" * 2 + ":board\nresign\nyes\n"
    said = ada.does("play", "--people", "Ada,Ben", "--set", "first_seat=0", typed=typed)
    for name in ("Ada", "Ben"):
        assert f"{name} plays." in said, said
        assert f"{name} buys a rig for $5M and places it at row 2, column 5" in said, said
    assert said.index("Ada buys a rig") < said.index("Ben plays.") < said.index("Ben buys a rig"), said
    assert re.search(r"(Ada|Ben) resigns, and seat . is empty\.", said), said
    assert "Error" in ada.fails("play", "--people", "Ada,ADA")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--against", "clever"], "'clever' does not play mcmulti: random or tycoon or magnate."),
        (["--against", "tycoon", "--ruleset", "marracash"], "'tycoon' does not play marracash: random or merchant."),
        (["--against", "random,random,random,random"], "5 is not in the range 2<=x<=4."),
        (["--against", "tycoon,random", "--players", "2"], "2 opponents for 2 players."),
        (["--against", "tycoon", "--players", "9"], "9 is not in the range 2<=x<=4."),
        (["--against", "tycoon", "--set", "colour=red"], "has no option 'colour'. Options:"),
        (["--against", "tycoon", "--sit"], "--sit is for games on a server, not for --against."),
        (["--against", "tycoon", "--server", "http://x"], "--server is for games on a server, not for --against."),
        (["--against", "tycoon", "0" * 32], "Give either a GAME or --against, not both."),
        (["--people", "Ada,Ben", "--against", "tycoon"], "--against does not go with --people."),
        (["--people", "Ada,Ben", "0" * 32], "Give either a GAME or --people, not both."),
        (["--people", "Ada"], "1 is not in the range 2<=x<=4."),
        (["--ruleset", "postal", "0" * 32], "--ruleset is for games without a server. Add --against LEVEL or --people"),
        ([], "Give a GAME, or play the computer with --against LEVEL."),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(arguments: list[str], why: str, ada: Person) -> None:
    ended = ada.run("play", *arguments)
    assert ended.returncode == 2
    assert why in " ".join(ended.stderr.split())

"""Users' own strategies: from a file, as a program; and their failures."""

import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from mcmulti.bots.seats import trouble
from mcmulti.bots.seats.trouble import StrategyFailed, Watched, keep, read_trouble
from mcmulti.bots.strategies.own import maker_of, strategy_name
from mcmulti.bots.strategy import Command, NoStrategy, Offer, View
from mcmulti.cli.commands.player.bot import bot
from tests.bots.minds import program, strategies

VIEW = {"you": 1, "ruleset": "mcmulti"}
OFFERS: list[dict[str, Any]] = [{"command": "EndTurn", "rule": "turn/end", "sentence": "End the turn."}]


def _watched(name: str, seconds: float | None = 5.0) -> Watched:
    return Watched(maker_of("mcmulti", name)(7), name=name, ruleset="mcmulti", seed=7, seconds=seconds)


@pytest.mark.parametrize("name", ["first", "Plain"])
def test_a_function_and_a_class_of_a_file_play(name: str, tmp_path: Path) -> None:
    assert _watched(f"{strategies(tmp_path)}:{name}")(VIEW, OFFERS) == [{"type": "EndTurn"}]


def test_a_class_that_takes_a_seed_gets_it(tmp_path: Path) -> None:
    make = maker_of("mcmulti", f"{strategies(tmp_path)}:Seeded")
    assert make(3)(VIEW, OFFERS) == make(3)(VIEW, OFFERS) != make(4)(VIEW, OFFERS)


def test_a_file_finds_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside_it.py").write_text("ANSWER = [{'type': 'RollDice'}]")
    (tmp_path / "mine.py").write_text("import beside_it\ndef go(view, offers):\n    return beside_it.ANSWER")
    assert _watched(f"{tmp_path}/mine.py:go")(VIEW, OFFERS) == [{"type": "RollDice"}]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("minds.py:Nobody", "has no class or function Nobody"),
        ("minds.py:number", "has no class or function number"),
        ("minds.py:odd", "takes 3 arguments"),
        ("nowhere.py:Mine", "There is no file"),
        ("minds.py", "add the class or function"),
        ("broken.py:Mine", "cannot be loaded: ZeroDivisionError"),
        ("notes.txt", "is not an executable program"),
    ],
)
def test_what_is_no_strategy_is_told(name: str, said: str, tmp_path: Path) -> None:
    strategies(tmp_path)
    (tmp_path / "broken.py").write_text("1 / 0")
    (tmp_path / "notes.txt").write_text("buy low")
    with pytest.raises(NoStrategy, match=said):
        maker_of("mcmulti", f"{tmp_path}/{name}")


def test_a_strategy_of_another_rule_set_is_none() -> None:
    with pytest.raises(NoStrategy, match="'merchant' does not play mcmulti: magnate or random or tycoon, "):
        maker_of("mcmulti", "merchant")


def test_players_are_called_by_the_file_without_folders() -> None:
    assert strategy_name("/home/me/my_bot.py:Mine") == "my_bot.py:Mine"
    assert strategy_name("./bot\x1b[31m" + "x" * 50) == "bot?[31m" + "x" * 22


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("raises", "raised", "KeyError: 'comand'"),
        ("quits", "raised", "SystemExit: 3"),
        ("hangs", "late", "within 0.3 seconds"),
        ("nonsense", "nonsense", "not a list of commands: {'type': 'EndTurn'}"),
    ],
)
def test_what_a_strategy_does_wrong_is_told_with_its_position(name: str, kind: str, said: str, tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(StrategyFailed) as raised:
        _watched(f"{strategies(tmp_path)}:{name}", 0.3)(VIEW, OFFERS)
    assert time.monotonic() - began < 50
    told = raised.value.trouble
    assert (told.kind, told.view, told.offers, told.seed) == (kind, VIEW, OFFERS, 7)
    assert said in told.error
    assert read_trouble(keep(told, tmp_path / "kept")) == told


def test_the_position_of_a_file_is_asked_again(tmp_path: Path) -> None:
    path = strategies(tmp_path)
    with pytest.raises(StrategyFailed) as raised:
        _watched(f"{path}:raises")(VIEW, OFFERS)
    kept = str(keep(raised.value.trouble, tmp_path / "kept"))
    again = CliRunner().invoke(bot, ["--position", kept])
    assert again.exit_code == 1
    assert "KeyError: 'comand'" in again.output
    mended = CliRunner().invoke(bot, ["--position", kept, "--strategy", f"{path}:first"])
    assert json.loads(mended.output) == [{"type": "EndTurn"}]
    assert "does not contain a position" in CliRunner().invoke(bot, ["--position", str(path)]).output


def test_all_attempts_together_are_within_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 50 seconds, two attempts take 20 each; the third one would need more than the 10 that are left."""
    now = [0.0]

    def slow(view: View, offers: list[Offer]) -> list[Command]:
        now[0] += 20
        return []

    monkeypatch.setattr(trouble, "time", SimpleNamespace(monotonic=lambda: now[0]))
    mind = Watched(slow, name="slow", ruleset="mcmulti", seed=7, seconds=50)
    for _ in range(2):
        mind(VIEW, OFFERS)
    with pytest.raises(StrategyFailed) as raised:
        mind(VIEW, OFFERS)
    assert raised.value.trouble.kind == "late"
    mind.settled()
    assert mind(VIEW, OFFERS) == []
    assert mind({**VIEW, "turn": 2}, OFFERS) == []
    assert mind({**VIEW, "turn": 3}, OFFERS) == []


def test_a_program_plays_and_is_told_the_end(tmp_path: Path) -> None:
    mind = _watched(str(program(tmp_path, "plays")))
    assert [mind(VIEW, OFFERS) for _ in range(3)] == [[{"type": "EndTurn"}]] * 3
    mind.close()
    assert (tmp_path / "ended").read_text() == "yes"


def _state(stat: Path) -> str | None:
    """The state of a process; None if it no longer exists."""
    try:
        return stat.read_text().split()[2]
    except (FileNotFoundError, ProcessLookupError):
        return None


@pytest.mark.parametrize(
    ("how", "kind", "said"),
    [
        ("dies", "raised", "ended with status 4, and has not answered.\nIt wrote to standard error:\nmy last words"),
        ("garbage", "nonsense", "with a JSON object: 'Thinking about it'"),
        ("silent", "nonsense", "not a list of commands: None"),
        ("newer", "nonsense", "speaks version 2 of the protocol, not 1"),
        ("hangs", "late", "within 2 seconds"),
    ],
)
def test_what_a_program_does_wrong_is_told(how: str, kind: str, said: str, tmp_path: Path) -> None:
    mind = _watched(str(program(tmp_path, how)), 2)
    with pytest.raises(StrategyFailed) as raised:
        mind(VIEW, OFFERS)
    assert raised.value.trouble.kind == kind
    assert said in raised.value.trouble.error
    if how == "hangs":
        child = Path("/proc") / (tmp_path / "child").read_text() / "stat"
        deadline = time.monotonic() + 10
        while _state(child) not in (None, "Z"):  # a killed process may take a moment to end
            assert time.monotonic() < deadline
            time.sleep(0.05)
    mind.close()

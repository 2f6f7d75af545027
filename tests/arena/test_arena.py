"""`mcmulti arena`, as its user runs it."""

import json
import subprocess
from itertools import cycle
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from mcmulti.bots.seats.trouble import read_trouble
from mcmulti.bots.strategies.registry import strategies_of
from mcmulti.cli.commands.records.arena import arena
from mcmulti.cli.commands.records.verify import verify
from mcmulti.domain.rulesets import CURRENT
from tests.arena.arena import command, reported
from tests.bots.minds import program, strategies
from tests.cli.command import running


@pytest.mark.parametrize("ruleset", CURRENT)
def test_strategies_play_each_other_in_every_game(ruleset: str, tmp_path: Path) -> None:
    best, wild = strategies_of(ruleset)[0], strategies_of(ruleset)[-1]
    report = reported("--ruleset", ruleset, "--games", "2", "--folder", tmp_path / "kept", best, wild)
    assert [standing["entrant"] for standing in report["standings"]] == [0, 1]
    assert report["failures"] == []
    assert report["played"] == len(report["results"]) >= 2
    assert sum(standing["victories"] for standing in report["standings"]) == pytest.approx(report["played"])
    files = sorted((tmp_path / "kept" / "games").iterdir())
    assert len(files) == report["played"]
    proof = CliRunner().invoke(verify, [str(files[0])])
    assert proof.exit_code == 0, proof.output


FAILING = ("raises", "quits", "nonsense", "no_json", "not_offered", "waits", "Broken")


@pytest.mark.parametrize(("mind", "ruleset"), [*zip(FAILING, cycle(CURRENT))])
def test_who_fails_resigns_and_the_arena_goes_on(mind: str, ruleset: str, tmp_path: Path) -> None:
    """In one game each, and in each game: the arena knows none of them."""
    name = f"{strategies(tmp_path)}:{mind}"
    report = reported(
        "--ruleset", ruleset, "--games", "2", "--folder", tmp_path / "kept", name, strategies_of(ruleset)[-1]
    )
    bad = next(standing for standing in report["standings"] if standing["entrant"] == 0)
    assert bad["victories"] == 0
    assert bad["failed"] == bad["games"] == len(report["failures"])
    kept = next(
        failure for failure in report["failures"] if failure["file"]
    )  # not all, and not those of the first games
    trouble = read_trouble(Path(kept["file"]))
    assert trouble.ruleset == ruleset
    assert trouble.view["you"] == kept["seat"]


def test_who_hangs_or_dies_is_late_or_gone_and_told(tmp_path: Path) -> None:
    names = [f"{strategies(tmp_path)}:hangs", *(str(program(tmp_path, how)) for how in ("dies", "garbage", "hangs"))]
    report = reported(
        *("--ruleset", "mcmulti", "--games", "1", "--time-limit", "1", "--folder", tmp_path / "kept"), *names
    )
    kinds = {failure["entrant"]: failure["kind"] for failure in report["failures"] if failure["game"] == 1}
    assert len(kinds) == 3
    assert kinds.items() <= {0: "late", 1: "raised", 2: "nonsense", 3: "late"}.items()
    said = CliRunner().invoke(
        arena, ["--games", "1", "--time-limit", "1", "--folder", str(tmp_path / "other"), names[0], "tycoon"]
    )
    assert "minds.py:hangs failed in game 1, late: It did not respond within 1.0 seconds." in said.output


@pytest.mark.parametrize(
    ("mind", "how"),
    [
        ("crashes", "killed by SIGKILL"),
        ("CrashesLater", "with exit code 7"),
        ("CrashesMade", "killed by SIGABRT"),
    ],
)
def test_who_ends_its_process_is_named_with_the_game_and_the_others_results_are_kept(
    mind: str, how: str, tmp_path: Path
) -> None:
    name = f"{strategies(tmp_path)}:{mind}"
    asked = ("--ruleset", "marracash", "--games", "3", "--processes", "2", "--folder", tmp_path / "kept")
    report = reported(*asked, "merchant", name, "random")
    assert report["played"] == len(report["results"]) == len(list((tmp_path / "kept" / "games").iterdir()))
    assert [(told["game"], told["entrant"], told["kind"]) for told in report["failures"]] == [
        (game, 1, "raised") for game in range(1, report["played"] + 1)
    ]
    assert {told["error"] for told in report["failures"]} == {f"It ended the process that it played in, {how}."}
    won = {standing["entrant"]: standing for standing in report["standings"]}
    assert (won[1]["failed"], won[1]["victories"], won[1]["rating"]["low"]) == (report["played"], 0, None)
    assert won[0]["victories"] + won[2]["victories"] == pytest.approx(report["played"])
    if mind == "CrashesLater":  # its earlier actions are in the file: it joined, and it moved
        moves = Path(next((tmp_path / "kept" / "games").iterdir())).read_text("utf-8")
        assert moves.count('"actor"') > 10


def test_two_strategies_stop_when_it_is_clear_who_is_better(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcmulti.arena.sprt.FEWEST", 3)  # so that it is soon
    asked = ["--ruleset", "marracash", "--players", "3", "--games", "300", "--sprt", "0", "400", "merchant", "random"]
    asked += ["--folder", str(tmp_path / "kept"), "--processes", "2"]
    report = json.loads(CliRunner().invoke(arena, [*asked, "--json"]).stdout)
    test = report["test"]
    assert (test["decided"], test["low"], test["high"]) == ("high", 0, 400)
    assert test["ratio"] > 2.9
    assert len({result["match"] for result in report["results"]}) == test["matches"] < 100
    said = CliRunner().invoke(arena, asked).output
    assert f"merchant leads random by +400 points rather than +0: decided after {test['matches']} matches" in said
    assert "games/s" not in said  # nothing was left to play


def test_progress_is_told_without_a_terminal() -> None:
    asked = command("--ruleset", "marracash", "--games", "20", "--processes", "1", "random", "random")
    ended = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=600)
    assert ended.returncode == 0
    assert ended.stderr.splitlines() == [f"{done} of 20 games played" for done in range(2, 21, 2)]


def test_the_same_seed_makes_the_same_games_whatever_the_processes(tmp_path: Path) -> None:
    name = str(program(tmp_path, "plays"))
    asked = ("--ruleset", "marracash", "--games", "6", "--seed", "5", name, "random", "merchant")
    kept = []
    for processes in ("1", "3"):
        folder = tmp_path / processes
        report = reported("--processes", processes, "--folder", folder, *asked)
        kept.append(([path.read_bytes() for path in sorted((folder / "games").iterdir())], report["standings"]))
    assert kept[0] == kept[1]


def test_games_that_are_missing_are_played_and_the_others_are_kept(tmp_path: Path) -> None:
    """As after a kill, which tests/slow/arena covers."""
    asked = ("--ruleset", "marracash", "--games", "3", "--folder", tmp_path / "kept", "merchant", "random", "random")
    whole = reported(*asked)
    games = sorted((tmp_path / "kept" / "games").iterdir())
    written = [path.read_bytes() for path in games]
    games[1].unlink()
    again = reported(*asked)
    assert (again["played"], again["standings"]) == (1, whole["standings"])
    assert [path.read_bytes() for path in games] == written


def test_the_games_that_somebody_lost_are_listed(tmp_path: Path) -> None:
    asked = [
        "--ruleset",
        "marracash",
        "--games",
        "3",
        "--folder",
        str(tmp_path / "kept"),
        "merchant",
        "random",
        "random",
    ]
    listed = CliRunner().invoke(arena, [*asked, "--lost-by", "random"]).output.split()
    lost = [word for word in listed if word.endswith(".jsonl")]
    report = reported(*asked)
    assert len(lost) == sum(
        1 not in [result["seats"][seat] for seat in result["winners"]] for result in report["results"]
    )
    assert all(Path(path).is_file() for path in lost)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tycoon"], "Name at least two strategies"),
        (["tycoon", "clever"], "'clever' does not play mcmulti"),
        (["tycoon", "random", "--lost-by", "random"], "need --folder"),
        (["tycoon", "random", "--lost-by", "me", "--folder", "x"], "'me' is not one of the strategies"),
        (["tycoon", "random", "--players", "9"], "9 is not in the range"),
        (["tycoon", "./nothing"], "./nothing is not an executable program"),
        (["tycoon", "random", "random", "--sprt", "0", "50"], "--sprt compares two strategies"),
        (["tycoon", "random", "--sprt", "50", "50"], "50 is not below 50"),
        (["tycoon", "random", "--sprt", "0", "50", "--folder", "x", "--sign", "y"], "--sprt stops early"),
        (["tycoon", "random", "--sprt", "0", "inf"], "not in the range"),
    ],
)
def test_what_cannot_be_played_is_refused(arguments: list[str], said: str) -> None:
    refused = CliRunner().invoke(arena, arguments)
    assert refused.exit_code == 2
    assert said in " ".join(refused.output.split())


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Anna")
    refused = CliRunner().invoke(arena, ["tycoon", "random", "--folder", str(tmp_path)])
    assert refused.exit_code == 1
    assert "is not an arena folder" in refused.output
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_folder_of_another_arena_is_not_mixed_up(tmp_path: Path) -> None:
    asked = ["--ruleset", "marracash", "--games", "1", "--folder", str(tmp_path / "kept")]
    reported(*asked, "merchant", "random")
    refused = CliRunner().invoke(arena, [*asked, "random", "merchant"])
    assert "has games of another arena" in refused.output
    games = sorted((tmp_path / "kept" / "games").iterdir())
    games[0].write_bytes(games[1].read_bytes())
    refused = CliRunner().invoke(arena, [*asked, "merchant", "random"])
    assert (refused.exit_code, "others sit at it" in refused.output) == (1, True)


def test_the_same_strategies_play_at_a_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where positions are kept
    bad = f"{strategies(tmp_path)}:raises"
    with running("serve", "--port", "0", "--folder", str(tmp_path / "data"), temporary=tmp_path) as serve:
        server = serve.line("Serving at ")
        report = reported("--ruleset", "marracash", "--games", "3", "--server", server, "merchant", "random", bad)
        listed = json.loads(httpx.get(f"{server}/v1/games", params={"status": "finished"}).content)["games"]
    won = {standing["entrant"]: standing["victories"] for standing in report["standings"]}
    assert sum(won.values()) == report["played"] == len(report["results"]) == len(listed) >= 3
    assert won[0] > won[1]
    assert won[2] == 0
    assert [failure["kind"] for failure in report["failures"]] == ["raised"] * report["played"]
    winners = sorted(table["outcome"]["winners"] for table in listed)
    assert winners == sorted(result["winners"] for result in report["results"])
    names = {seat["name"].rpartition(" ")[0] for table in listed for seat in table["seats"] if seat["name"]}
    assert names >= {"merchant", "random"}


def test_a_server_that_is_not_there_ends_the_arena_with_a_sentence() -> None:
    asked = command("--server", "nowhere", "merchant", "random", "--ruleset", "marracash", "--games", "3")
    ended = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=600)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "'nowhere' is not the address of a server" in ended.stderr


def test_a_folder_of_games_that_were_played_here_is_none_for_a_server(tmp_path: Path) -> None:
    asked = ["--ruleset", "marracash", "--games", "1", "--folder", str(tmp_path / "kept"), "merchant", "random"]
    reported(*asked)
    refused = CliRunner().invoke(arena, [*asked, "--server", "http://127.0.0.1:9"])
    assert (refused.exit_code, "has games of another arena" in refused.output) == (1, True)
    assert not (tmp_path / "kept" / ".players.json").exists()

"""The command line: what it refuses, and with which messages."""

import json
import signal
from pathlib import Path
from unittest.mock import patch

import pytest

from mcmulti.cli import main
from mcmulti.domain.rulesets import CURRENT
from mcmulti.server.running import run

GAME = "00000000-0000-4000-8000-000000000000"


def _run(*arguments: str) -> int | str | None:
    with patch("sys.argv", ["mcmulti", *arguments]), pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code or 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["demo", "--players", "5"], "5 is not in the range 2<=x<=4"),
        (["demo", "--strategy", "clever"], "'clever' does not play mcmulti"),
        (["demo", "--strategy", "nowhere.py:Mine"], "There is no file nowhere.py."),
        (["demo", "--strategy", "tycoon,./nothing"], "./nothing is not an executable program."),
        (["demo", "--strategy", "tycoon,random", "--players", "3"], "2 strategies for 3 players"),
        (["demo", "--strategy", "random,random,random,random,random"], "5 strategies for 4 players"),
        (["demo", "--target", "800"], "'800' is not one of"),
        (["demo", "--ruleset", "chess"], "'chess' is not one of 'mcmulti', 'postal'"),
        (["demo", "--ruleset", "postal", "--players", "3"], "McMulti by post, postal rules 4.0 is always for 4."),
        (["demo", "--ruleset", "postal", "--target", "750"], "has no option 'target'. Options:"),
        (["demo", "--set", "seats"], "'seats' must look like NAME=VALUE."),
        (["demo", "--set", "chairs=3"], "has no option 'chairs'. Options: seats, target, first_seat,"),
        (["demo", "--set", "target=800"], "target: Invalid enum value 800."),
        (["demo", "--set", "first_seat=3", "--players", "2"], "The first seat is not one of the table's seats."),
        (["demo", "--set", "seats=3", "--players", "2"], "seats has an option of its own."),
        (["bot", "--game", "x", "--set", "seats=3"], "--set is for a new game"),
        (["bot", "--set", "seats=many"], "seats: Expected `int`, got `str`."),
        (["demo", "--players", "2", "--leave", "3"], "--leave needs three players or more"),
        (["demo", "--leave", "0"], "0 is not in the range x>=1"),
        (["demo", "--leave", "3", "--set", "if_left=passes"], "--leave needs a table that allows substitutes"),
        (["demo", "--clock", "soon"], "'soon' must look like 60+600"),
        (["demo", "--clock", "1"], "clock: Expected `int` >= 5."),
        (["demo", "--clock", "31d"], "clock: Expected `int` <= 2592000."),
        (["demo", "--clock", "24h", "--set", "clock=null"], "clock has an option of its own."),
        (["demo", "--ruleset", "postal", "--clock", "24h"], "has deadlines of its own and no clocks."),
        (["bot", "--passcode", "MAYSITDOWNATONCE"], "--passcode is for an existing table"),
        (["bot", "--game", "x", "--clock", "24h"], "--clock is for a new game"),
        (["demo", "--seed", "-1"], "-1 is not in the range"),
        (["demo", "--folder", "/etc/passwd"], "is a file"),
        (["serve", "--port", "65536"], "65536 is not in the range"),
        (["serve", "--folder", "x", "--database-url", "y"], "Give either --folder or --database-url"),
        (["serve", "--log-format", "xml"], "'xml' is not one of"),
        (["chat", "--remove", "here"], "'here' must be the id of a game, a slash, and the id of a message"),
        (["chat", "--remove", f"{GAME}/1", "--game", GAME], "Give only one of --game, --remove, and --dismiss."),
        (["serve", "--rate-limit", "many"], "'many' must look like 2000/10 seconds"),
        (["serve", "--processor-time", "5s"], "'5s' must look like 5000/10 seconds"),
        (["serve", "--registrations", "many"], "'many' must look like 300/hour"),
        (["serve", "--new-games", "1/fortnight"], "'1/fortnight' must look like 600/hour"),
        (["serve", "--bot-games", "none"], "'none' must look like 600/hour"),
        (["serve", "--bot-requests", "9"], "'9' must look like 20000/10 seconds"),
        (["serve", "--open-games", "0"], "'0' must be a number up to 1000, or off."),
        (["serve", "--open-games", "many"], "'many' must be a number up to 1000, or off."),
        (
            ["serve", "--trusted-proxy", "proxy.example"],
            "'proxy.example' does not appear to be",
        ),
        (["serve", "--cors-origin", "https://a.example", "--cors-origin", "*"], "'*' is not an origin"),
        (["serve", "--log-level", "loud"], "'loud' is not one of"),
        (["serve", "--workers", "65"], "65 is not in the range 1<=x<=64"),
        (["serve", "--pool-size", "0"], "0 is not in the range"),
        (["bot", "--strategy", "clever"], "'clever' does not play mcmulti: magnate or random or tycoon"),
        (["openapi"], "Missing argument 'FOLDER'"),
        (["migrate"], "Missing option '--database-url'"),
        (["fly"], "No such command 'fly'"),
    ],
)
def test_bad_usage_is_refused(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert _run(*arguments) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["bot", "--server", "http://127.0.0.1:1"], "The server at http://127.0.0.1:1 does not answer"),
        (["bot", "--server", "nowhere"], "'nowhere' is not the address of a server"),
        (["migrate", "--database-url", "a=b"], "This is not a database address"),
        (["migrate", "--database-url", "postgresql://127.0.0.1:1/x"], "The database is not responding"),
        (["serve", "--port", "0", "--database-url", "postgresql://127.0.0.1:1/x"], "The database is not responding"),
        (["serve", "--port", "0", "--folder", "/etc"], "/etc is not empty"),
        (["serve", "--host", "192.0.2.1"], "Cannot listen on port 8000 of 192.0.2.1"),
        (["openapi", "/dev/null"], "Cannot write to /dev/null"),
    ],
)
def test_what_goes_wrong_is_told_in_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(*arguments) in (1, 2)
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1 or said.startswith("Usage")


def test_the_openapi_document_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("openapi", str(tmp_path / "new")) == 0
    document = json.loads((tmp_path / "new" / "openapi.json").read_text())
    assert document["openapi"].startswith("3.1")
    assert capsys.readouterr().out.splitlines() == [
        str(tmp_path / "new" / name)
        for name in (
            "openapi.json",
            "contract.txt",
            "openapi.yaml",
            "bots.json",
            *(f"{ruleset}.json" for ruleset in CURRENT),
            "game-file.schema.json",
        )
    ]


def test_it_tells_its_version_and_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--version") == 0
    assert capsys.readouterr().out.startswith("mcmulti, version ")
    assert _run("--help") == 0
    assert "mcmulti demo" in capsys.readouterr().out


def test_signals_are_handled_as_before_when_the_work_is_done() -> None:
    async def work() -> int:
        return 3

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    assert run(work()) == 3
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)] == before

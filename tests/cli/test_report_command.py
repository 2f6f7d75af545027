"""``report``: what the referee of a game in rounds writes."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mcmulti.cli import cli
from mcmulti.events.store.game_file import lines, record_of
from tests.cli.command import running
from tests.golden.games import load

GOLDEN = Path(__file__).parents[1] / "golden"
GAME = load(GOLDEN / "by-post-sales.jsonl")
ROUNDS = sum(event.type == "RoundBegan" for event in GAME)
"""The game is over, so every round that began was refereed."""


@pytest.fixture(scope="module")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A finished game by post in a file."""
    file = tmp_path_factory.mktemp("games") / "post.game"
    file.write_bytes(b"".join(lines(record_of(GAME))))
    return str(file)


def printed(*arguments: str, code: int = 0) -> str:
    """The output of the command."""
    result = CliRunner().invoke(cli, ["report", *arguments])
    assert result.exit_code == code, result.output
    return result.output


def test_the_last_round_is_reported_unless_told(game_file: str) -> None:
    told = printed(game_file)
    assert told.startswith(f"McMulti by post, round {ROUNDS}\n===")
    assert "has won, with $" in told
    assert all(len(line) <= 80 for line in told.splitlines())
    assert told == printed(game_file, "--round", str(ROUNDS))


def test_all_rounds_are_reported_in_order(game_file: str) -> None:
    told = printed(game_file, "--round", "all", "--language", "de")
    titles = [line for line in told.splitlines() if line.startswith("McMulti per Post, Runde ")]
    assert titles == [f"McMulti per Post, Runde {number}" for number in range(1, ROUNDS + 1)]


def test_markdown_and_json(game_file: str) -> None:
    assert printed(game_file, "--round", "2", "--format", "markdown").startswith("# McMulti by post, round 2\n")
    documents = [json.loads(line) for line in printed(game_file, "--round", "all", "--format", "json").splitlines()]
    assert [document["round"] for document in documents] == list(range(1, ROUNDS + 1))
    (last,) = (event for event in GAME if event.type == "GameFinished")
    assert documents[-1]["winners"] == json.loads(last.data)["winners"]


def test_what_cannot_be_reported_ends_in_a_sentence(game_file: str, tmp_path: Path) -> None:
    box = tmp_path / "box.game"
    box.write_bytes(b"".join(lines(record_of(load(GOLDEN / "two-players.jsonl")))))
    begun = tmp_path / "begun.game"
    second = [event.seq for event in GAME if event.type == "RoundBegan"][1]
    begun.write_bytes(b"".join(lines(record_of(GAME[:second]))))
    first = tmp_path / "first.game"
    first.write_bytes(b"".join(lines(record_of(GAME[:7]))))
    assert f"has no round {ROUNDS + 1}." in printed(game_file, "--round", str(ROUNDS + 1), code=1)
    assert "is not played in rounds." in printed(str(box), "--round", "1", code=1)
    assert "is not played in rounds." in printed(str(box), "--round", "all", code=1)
    assert "Round 2 has not been refereed yet" in printed(str(begun), "--round", "2", code=1)
    assert "round 1\n" in printed(str(begun))
    assert "No round of this game has been refereed yet." in printed(str(first), code=1)
    assert "no-such-folder" in printed(str(tmp_path / "no-such-folder"), code=1)


def test_a_game_that_is_not_played_in_rounds_is_reported_as_a_whole_and_others_if_asked(
    game_file: str, tmp_path: Path
) -> None:
    box = tmp_path / "box.game"
    box.write_bytes(b"".join(lines(record_of(load(GOLDEN / "two-players.jsonl")))))
    for told in (printed(str(box)), printed(str(box), "--whole")):
        assert told.startswith("McMulti: who won, and why\n===")
        assert "How it ended" in told
    assert "wer gewann, und warum\n===" in printed(game_file, "--whole", "--language", "de")
    assert json.loads(printed(game_file, "--whole", "--format", "json"))["status"] == "finished"


@pytest.mark.parametrize(
    "wrong",
    [("--whole", "--round", "1"), ("--round", "0"), ("--round", "last"), ("--format", "html"), ("--language", "fr")],
)
def test_bad_usage_is_told(game_file: str, wrong: tuple[str, ...]) -> None:
    assert "Usage:" in printed(game_file, *wrong, code=2)


def test_as_a_process_of_its_own(game_file: str, tmp_path: Path) -> None:
    with running("report", game_file, "--round", "1", temporary=tmp_path) as command:
        assert command.code() == 0, command.said
        assert command.printed.startswith("McMulti by post, round 1\n")
        assert command.said == ""

"""`mcmulti replay`: the story of a game on paper, as frames, and at a terminal."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonpatch
import msgspec
import pytest

from mcmulti.cli import main
from mcmulti.domain.core.table import presented
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from mcmulti.events.log.codec import fold
from mcmulti.events.store.game_file import lines, record_of
from tests.cli.command import running
from tests.games import CALLED
from tests.golden.games import files_of
from tests.pure.replay.golden import recorded_lines, story, turn_beginnings

GAME = "two-players"
PATIENCE = 60.0
"""Seconds, long enough for a busy machine."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A golden game in a game file."""
    path = tmp_path_factory.mktemp("games") / "two.game"
    path.write_bytes(b"".join(lines(record_of(story(GAME).events, called=CALLED))))
    return path


@pytest.fixture
def replay(file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Replay the game file with these arguments. Return the exit code, standard output, and standard error."""

    def replay(*arguments: str, source: Path = file) -> tuple[Any, str, str]:
        monkeypatch.setattr("sys.argv", ["mcmulti", "replay", str(source), *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code or 0, *capsys.readouterr()

    return replay


def test_the_story_is_a_line_an_event_with_its_rule(replay: Any) -> None:
    code, printed, _ = replay()
    told = re.findall(r"^ +(\d+)  (.+)  \[(.+)\]$", printed, re.MULTILINE)
    recorded = recorded_lines(GAME)
    assert code == 0
    assert [(int(seq), rule) for seq, _, rule in told] == [(line["seq"], line["rule"]) for line in recorded]
    assert all(sentence.strip() for _, sentence, _ in told)
    assert "\x1b" not in printed


def game_file(folder: Path, name: str) -> Path:
    """A golden game in a game file."""
    path = folder / f"{name}.game"
    path.write_bytes(b"".join(lines(record_of(story(name).events, called=CALLED))))
    return path


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [file.stem for ruleset in SHIPPED for file in files_of(ruleset)[:2]])
def test_the_story_of_a_game_of_every_rule_set(replay: Any, tmp_path: Path, name: str, language: str) -> None:
    """One line per event, with its rule, and no placeholder left."""
    code, printed, _ = replay("--language", language, source=game_file(tmp_path, name))
    told = re.findall(r"^ +(\d+)  (.+)  \[(.+)\]$", printed, re.MULTILINE)
    assert code == 0
    assert [(int(seq), rule) for seq, _, rule in told] == [(line["seq"], line["rule"]) for line in recorded_lines(name)]
    assert not re.search(r"None|[{}]", printed)


def test_each_turn_has_a_heading_with_the_cash_of_all(replay: Any) -> None:
    """Both had 300. Player 2 bought a rig for 5; Player 1 two stations for 48, three refineries for 64, a rig for 5.

    In turn 1 Player 2 sold for 14, 5 and 4 and bought for 14 and 16; in turn 2 Player 1 bought a rig for 5.
    """
    _, printed, _ = replay()
    headings = [line for line in printed.splitlines() if line and not line.startswith(" ")]
    assert headings[:4] == [
        "Before the first turn",
        "Turn 1 · Player 1 7 · Player 2 295",
        "Turn 2 · Player 1 7 · Player 2 288",
        "Turn 3 · Player 1 2 · Player 2 288",
    ]
    assert len(headings) == 1 + len(turn_beginnings(GAME))


def test_a_part_of_it_is_told_in_paragraphs_and_in_german(replay: Any) -> None:
    """Turns 1 and 2 are events 20 to 34."""
    _, printed, _ = replay("--by", "turn", "--language", "de", "--from", "20", "--to", "34")
    first, second = printed.strip().split("\n\n")
    assert first.startswith("Zug 1 · Player 1 7 · Player 2 295\n")
    assert second.startswith("Zug 2 · Player 1 7 · Player 2 288\n")
    sentences = [line.sentence for line in story(GAME).lines("de")]
    assert " ".join(first.split("\n")[1:]) == " ".join(sentences[19:29])
    assert max(map(len, printed.splitlines())) <= 80


def test_paragraphs_leave_out_that_moves_can_be_taken_back_and_lists_of_events_do_not(
    replay: Any, tmp_path: Path
) -> None:
    game = tmp_path / "undo.game"
    game.write_bytes(b"".join(lines(record_of(story("mcmulti-undo").events[:200], called=CALLED))))
    _, paragraphs, _ = replay("--by", "turn", source=game)
    _, events, _ = replay(source=game)
    assert "has moved." in events
    assert "has moved." not in " ".join(paragraphs.split())


def test_a_moment_is_shown_with_its_board_and_what_everybody_has(replay: Any) -> None:
    """Net worth: in the recovery, a rig is worth 3, a station 24, a refinery 30."""
    code, printed, _ = replay("--at", "23")
    assert code == 0
    shown = printed.splitlines()
    assert shown[0].startswith("Turn 1, event 23: ")
    assert shown[0].endswith("[market/buy]")
    assert [line.split() for line in shown[-3:]] == [
        ["cash", "crude", "gasoline", "net", "worth"],
        ["Player", "1", "7", "2", "2", "148"],
        ["Player", "2", "288", "0", "3", "291"],
    ]
    board = "\n".join(shown[1:-3])
    assert board.count("R") >= 2
    assert "####" in board
    assert max(map(len, shown[1:])) <= 80
    assert "\x1b" not in printed


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_a_moment_of_a_game_of_every_rule_set_is_shown_in_80_columns(replay: Any, tmp_path: Path, ruleset: str) -> None:
    """Halfway through, and at its end."""
    name = files_of(ruleset)[1].stem
    recorded, path = recorded_lines(name), game_file(tmp_path, name)
    for seq in (len(recorded) // 2, len(recorded)):
        code, printed, _ = replay("--at", str(seq), source=path)
        first, *shown = printed.splitlines()
        assert code == 0
        assert f"event {seq}: " in first
        assert first.endswith(f"[{recorded[seq - 1]['rule']}]")
        assert max(map(len, shown)) <= 80
        assert not re.search(r"None|[{}]", printed)


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_the_frames_are_documents_whose_patches_lead_to_the_end(replay: Any, tmp_path: Path, ruleset: str) -> None:
    name = files_of(ruleset)[1].stem
    code, printed, _ = replay("--json", source=game_file(tmp_path, name))
    frames = [json.loads(line) for line in printed.splitlines()]
    assert code == 0
    assert [(frame["seq"], frame["happened"][0]["type"]) for frame in frames] == [
        (line["seq"], line["type"]) for line in recorded_lines(name)
    ]
    view: Any = None
    for frame in frames:
        view = jsonpatch.apply_patch(view, frame["patch"])
    end = CURRENT[ruleset].view(presented(fold(CURRENT[ruleset], story(name).events), CALLED), None)
    assert view == json.loads(msgspec.json.encode(end))


def test_frames_can_be_turns(replay: Any) -> None:
    _, printed, _ = replay("--json", "--by", "turn", "--to", "34")
    frames = [json.loads(line) for line in printed.splitlines()]
    assert [(frame["turn"], frame["seq"], len(frame["happened"])) for frame in frames] == [
        (0, 19, 19),
        (1, 29, 10),
        (2, 34, 5),
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--from", "749"], 1, "--from 749 is beyond the end. The game has 748 events."),
        (["--at", "749"], 1, "--at 749 is beyond the end. The game has 748 events."),
        (["--from", "20", "--to", "19"], 2, "--to 19 is before --from 20."),
        (["--from", "20", "--at", "19"], 2, "--at 19 is not between --from 20 and --to 748."),
        (["--at", "0"], 2, "0 is not in the range x>=1"),
        (["--at", "9", "--json"], 2, "--at shows a board"),
        (["--plain", "--json"], 2, "Give either --plain or --json, not both."),
        (["--language", "fr"], 2, "'fr' is not one of 'en', 'de'"),
        (["--game", "x"], 2, "'x' is not a valid UUID"),
        (["--game", "00000000-0000-4000-8000-000000000001"], 1, "not 00000000-0000-4000-8000-000000000001"),
    ],
)
def test_what_cannot_be_told_is_refused(replay: Any, arguments: list[str], code: int, sentence: str) -> None:
    ended, printed, said = replay(*arguments)
    assert (ended, printed) == (code, "")
    assert sentence in said


def test_a_source_that_is_none_is_refused(replay: Any, tmp_path: Path) -> None:
    ended, _, said = replay(source=tmp_path / "nothing")
    assert ended == 1
    assert "is not a folder with games, a game file, or an address." in said
    assert said.count("\n") == 1


def test_a_changed_log_is_told_with_a_warning(replay: Any, file: Path, tmp_path: Path) -> None:
    """Event 9 pays 5 for a rig."""
    changed = tmp_path / "changed.game"
    rows = file.read_bytes().splitlines(keepends=True)
    rows[9] = rows[9].replace(b'"price":5', b'"price":4')
    changed.write_bytes(b"".join(rows))
    code, printed, said = replay("--to", "12", source=changed)
    assert code == 0
    assert "buys a rig for $4M" in printed
    assert said.startswith("Warning: ")
    assert "Event 9 was changed" in said


def test_a_reader_that_has_enough_ends_it_quietly(file: Path, tmp_path: Path) -> None:
    """All frames are much larger than the buffer of a pipe."""
    with tmp_path.joinpath("said").open("w+") as said:
        command = subprocess.Popen(
            [sys.executable, "-m", "mcmulti", "replay", str(file), "--json"], stdout=subprocess.PIPE, stderr=said
        )
        assert command.stdout is not None
        assert json.loads(command.stdout.readline())["seq"] == 1
        command.stdout.close()
        assert command.wait(PATIENCE) == 128 + signal.SIGPIPE
        said.seek(0)
        assert said.read() == ""


def test_a_process_without_a_terminal_prints(file: Path, tmp_path: Path) -> None:
    with running("replay", str(file), "--to", "20", temporary=tmp_path) as command:
        assert command.code() == 0
        assert command.printed.startswith("Before the first turn\n     1  ")
        assert command.said == ""


def _at_a_terminal(file: Path, keys: bytes, number: signal.Signals | None = None) -> tuple[int, bytes]:
    """Run it at a terminal. Press the keys or send a signal once the board appears. Return exit code and output."""
    near, far = pty.openpty()
    command = subprocess.Popen(
        [sys.executable, "-m", "mcmulti", "replay", str(file), "--at", "23"],
        stdin=far,
        stdout=far,
        stderr=far,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"},
        start_new_session=True,
    )
    os.close(far)
    came, done = b"", False
    deadline = time.monotonic() + PATIENCE
    try:
        while time.monotonic() < deadline and select.select([near], [], [], PATIENCE)[0]:
            try:
                came += os.read(near, 65536)
            except OSError:  # the terminal closes with its last user
                break
            if not done and b"BarrelsBought" in came:
                done = True
                os.write(near, keys)
                if number is not None:
                    command.send_signal(number)
        return command.wait(PATIENCE), came
    finally:
        command.kill()
        os.close(near)


@pytest.mark.parametrize(("keys", "number", "code"), [(b"q", None, 0), (b"", signal.SIGTERM, 143)])
def test_at_a_terminal_it_is_an_application_that_leaves_the_terminal_as_it_was(
    file: Path, keys: bytes, number: signal.Signals | None, code: int
) -> None:
    ended, came = _at_a_terminal(file, keys, number)
    assert ended == code
    assert b"event 23 of 748" in came
    assert came.index(b"\x1b[?1049h") < came.rindex(b"\x1b[?1049l")

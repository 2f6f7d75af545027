"""What the README and the guides show at a console works as printed."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from tests.docs.transcript import Command, as_printed, commands, run

ROOT = Path(__file__).parents[2]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[int]:
    """The server that the README starts, on a free port."""
    (serve,) = re.findall(r"^\.venv/bin/mcmulti (serve .*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with (tmp_path / "server.log").open("w") as log:
        arguments = [sys.executable, "-m", "mcmulti", *serve.split(), "--port", str(port)]
        process = subprocess.Popen(arguments, cwd=tmp_path, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        for _ in range(600):
            if "Serving at" in (tmp_path / "server.log").read_text():
                break
            assert process.poll() is None, (tmp_path / "server.log").read_text()
            try:
                process.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


GUIDES = ("README.md", "docs/api.md", "docs/bots.md", "docs/post.md")


@pytest.mark.needs("curl")
@pytest.mark.timeout(900)
def test_the_guides_work_as_printed_one_after_another_and_again(server: int, tmp_path: Path) -> None:
    """Only the port is another one, and the programs are those of the interpreter that runs the tests."""
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for guide in (*GUIDES, *GUIDES):
        markdown = (ROOT / guide).read_text("utf-8")
        transcript = commands(markdown.replace("127.0.0.1:8000", f"127.0.0.1:{server}"))
        assert len(transcript) > 5
        printed = run(transcript, tmp_path, os.environ)
        assert len(printed) == len(transcript)
        for command, output in zip(transcript, printed, strict=True):
            told = f"{guide}: $ {command.typed}\n{output}\ninstead of\n{command.prints}"
            assert as_printed(command.prints, output), told


@pytest.mark.needs("curl")
def test_a_guide_shows_the_problem_where_an_answer_is_one(server: int, tmp_path: Path) -> None:
    """As a newcomer sees it whose name is taken, say."""
    for guide in GUIDES:
        (field,) = [each for each in commands((ROOT / guide).read_text("utf-8")) if each.typed.startswith("field()")]
        address, name = f"127.0.0.1:{server}/v1/players", f'{{"name": "{guide}"}}'
        register = f"curl -s {address} -H 'Content-Type: application/json' -d '{name}'"
        asked = Command(f"{register} | field \"['token']\"", "")
        first, again = run((field, asked, asked), tmp_path, os.environ)[1:]
        assert first.startswith("mcm_")
        assert "name_taken" in again
        assert "Traceback" not in again


def test_a_bot_of_the_guides_shows_the_problem_that_ends_it(server: int) -> None:
    bots = sorted((ROOT / "examples").glob("first_*.py"))
    assert bots
    for bot in bots:
        said = []
        for _ in range(2):
            arguments = [sys.executable, str(bot), f"http://127.0.0.1:{server}", str(uuid4()), bot.stem]
            ended = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False)
            assert ended.returncode == 1
            said.append(json.loads(ended.stderr)["code"])
        assert said == ["unknown_game", "name_taken"]

"""The README works as printed."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.transcript import as_printed, commands, run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[int]:
    """The server that the README starts, on a free port."""
    (serve,) = re.findall(r"^\.venv/bin/mcmulti (serve .*)$", README, re.MULTILINE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    arguments = [sys.executable, "-m", "mcmulti", *serve.split(), "--port", str(port)]
    process = subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith("Serving at"), line
        drain = subprocess.Popen(["cat"], stdin=process.stderr, stdout=subprocess.DEVNULL)
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    drain.wait(30)
    process.stderr.close()


def test_the_first_game_and_the_first_bot_work_as_printed(server: int, tmp_path: Path) -> None:
    """Only the port is another one, and the programs are those of the interpreter that runs the tests."""
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    transcript = commands(README.replace("127.0.0.1:8000", f"127.0.0.1:{server}"))
    assert len(transcript) > 15
    printed = run(transcript, tmp_path, os.environ)
    assert len(printed) == len(transcript)
    for command, output in zip(transcript, printed, strict=True):
        assert as_printed(command.prints, output), f"$ {command.typed}\n{output}\ninstead of\n{command.prints}"


def test_the_readme_names_files_that_are_there() -> None:
    for link in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / link).exists(), link


def test_the_readme_names_targets_that_the_makefile_has() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target

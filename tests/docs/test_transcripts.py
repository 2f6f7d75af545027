"""What the README and the guides show at a console works as printed."""

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


@pytest.mark.needs("curl")
@pytest.mark.parametrize("guide", ["README.md", "docs/api.md", "docs/bots.md", "docs/post.md"])
def test_a_guide_works_as_printed(guide: str, server: int, tmp_path: Path) -> None:
    """Only the port is another one, and the programs are those of the interpreter that runs the tests."""
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    markdown = (ROOT / guide).read_text("utf-8")
    transcript = commands(markdown.replace("127.0.0.1:8000", f"127.0.0.1:{server}"))
    assert len(transcript) > 5
    printed = run(transcript, tmp_path, os.environ)
    assert len(printed) == len(transcript)
    for command, output in zip(transcript, printed, strict=True):
        assert as_printed(command.prints, output), f"$ {command.typed}\n{output}\ninstead of\n{command.prints}"

"""The guides, typed at the server that the first guide starts."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.docs.manual import ROOT, page
from tests.docs.transcript import as_printed, commands, run

FIRST = "tutorials/first-game"
SERIES = (
    (FIRST,),
    ("tutorials/first-bot",),
    ("tutorials/first-server",),
    ("how-to/manage-players-and-tokens",),
    ("how-to/open-and-find-tables",),
    ("how-to/play-a-series",),
    ("how-to/play-moves",),
    ("how-to/follow-games",),
    ("how-to/look-back",),
    ("how-to/generate-a-client",),
    ("how-to/write-bots-for-other-games",),
    ("tutorials/first-round-by-post", "how-to/play-by-post", "reference/order-notation"),
)
"""Pages. Those of a series continue what was typed before."""


@contextmanager
def serving(folder: Path) -> Iterator[int]:
    """The server that the first guide starts, on a free port."""
    (serve,) = re.findall(r"^\.venv/bin/mcmulti (serve .*)$", page(FIRST), re.MULTILINE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    with (folder / "server.log").open("w") as log:
        arguments = [sys.executable, "-m", "mcmulti", *serve.split(), "--port", str(port)]
        process = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        for _ in range(600):
            if "Serving at" in (folder / "server.log").read_text():
                break
            assert process.poll() is None, (folder / "server.log").read_text()
            try:
                process.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=300)


def type_guides(port: int, folder: Path, *, tutorials: bool = False) -> None:
    """Type all of them or only the tutorials, one after another, and compare the output.

    Only the port differs, and the programs are those of the interpreter that runs the tests.
    """
    chosen = [series for series in SERIES if series[0].startswith("tutorials/") or not tutorials]
    written = {series[0]: page(*series) for series in chosen}
    if not tutorials:
        written["README"] = (ROOT / "README.md").read_text("utf-8")
    for guide, markdown in written.items():
        transcript = commands(markdown.replace("127.0.0.1:8000", f"127.0.0.1:{port}"))
        assert transcript
        printed = run(transcript, folder, os.environ)
        assert len(printed) == len(transcript)
        for command, output in zip(transcript, printed, strict=True):
            told = f"{guide}: $ {command.typed}\n{output}\ninstead of\n{command.prints}"
            assert as_printed(command.prints, output), told


def lay_out(folder: Path) -> None:
    """Put the programs and the examples where the guides expect them."""
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / "examples").symlink_to(ROOT / "examples")

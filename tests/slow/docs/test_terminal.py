"""What the guide to the terminal shows works as printed."""

import os
import sys
from pathlib import Path

from tests.cli.command import running
from tests.docs.manual import page
from tests.docs.transcript import as_printed, commands, run

GUIDE = page("how-to/play-at-the-terminal")


def test_the_guide_to_the_terminal_works_as_printed(tmp_path: Path) -> None:
    (tmp_path / ".venv").symlink_to(sys.prefix)
    with running("serve", "--port", "0", "--folder", str(tmp_path / "data"), temporary=tmp_path) as serve:
        address = serve.line("Serving at ")
        transcript = commands(GUIDE.replace("http://127.0.0.1:8000", address))
        assert len(transcript) > 10
        for command, output in zip(transcript, run(transcript, tmp_path, os.environ), strict=True):
            told = f"$ {command.typed}\n{output}\ninstead of\n{command.prints}"
            assert as_printed(command.prints, output), told

"""What the guide for language models shows works as printed."""

import json
import os
import re
import sys
from pathlib import Path

from tests.cli.command import running
from tests.docs.manual import page
from tests.docs.transcript import as_printed, commands, run

GUIDE = page("how-to/connect-a-language-model")


def test_the_guide_for_language_models_works_as_printed(tmp_path: Path) -> None:
    (tmp_path / ".venv").symlink_to(sys.prefix)
    [program] = re.findall(r"```python\n# look.py\n(.*?)```", GUIDE, re.DOTALL)
    (tmp_path / "look.py").write_text(program, "utf-8")
    with running("serve", "--port", "0", "--folder", str(tmp_path / "data"), temporary=tmp_path) as serve:
        address = serve.line("Serving at ")
        transcript = commands(GUIDE.replace("http://127.0.0.1:8000", address))
        assert len(transcript) == 3
        for command, output in zip(transcript, run(transcript, tmp_path, os.environ), strict=True):
            told = f"$ {command.typed}\n{output}\ninstead of\n{command.prints}"
            assert as_printed(command.prints, output), told


def test_what_programs_are_told_is_json() -> None:
    [told] = re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)
    assert json.loads(told)["mcpServers"]["mcmulti"]["args"] == ["mcp"]

"""The demo of a game, played to the end in a process of its own."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.cli.command import running


def whole_demo(ruleset: str, folder: Path) -> tuple[str, list[str]]:
    """What the demo of three players prints, and the commands that it suggests. All of these are run but the last.

    The demo succeeds, all checks of the proof pass, and every suggested command does what it says.
    """
    game = str(folder / "game")
    with running("demo", "--ruleset", ruleset, "--players", "3", "--folder", game, temporary=folder) as demo:
        assert (demo.code(), demo.said) == (0, "")
        printed = demo.printed
    assert (printed.count("✓"), printed.count("✗")) == (7, 0)
    assert "Who won, and why" in printed
    advised = re.findall(r"-m mcmulti (.*)$", printed[printed.index("To look further") :], re.MULTILINE)
    commands = [shlex.split(line, comments=True) for line in advised]
    for command in commands[:-1]:
        typed = [sys.executable, "-m", "mcmulti", *command]
        told = subprocess.run(typed, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
        assert (told.returncode, told.stderr) == (0, ""), command
    assert len(list(folder.glob("*.mcmulti.jsonl"))) == 1
    return printed, [name for name, *_ in commands]

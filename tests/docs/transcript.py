"""Console transcripts in Markdown: commands after ``$``, and their output."""

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_MARK = "--- end of command ---"


class Command(NamedTuple):
    """A command, and the lines it prints. "…" stands for anything."""

    typed: str
    prints: str


def commands(markdown: str) -> list[Command]:
    """The commands of all ``console`` blocks, in order."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", markdown, re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = part.splitlines()
            length = 1
            while _unfinished("\n".join(lines[:length])):
                length += 1
            found.append(Command("\n".join(lines[:length]), "\n".join(lines[length:])))
    return found


def _unfinished(typed: str) -> bool:
    """Whether a shell would wait for another line."""
    checked = subprocess.run(["bash", "-n", "-c", typed], capture_output=True, text=True, check=False)
    return typed.endswith("\\") or checked.returncode != 0


def run(typed: Sequence[Command], folder: Path, environment: Mapping[str, str]) -> list[str]:
    """The output of each command when all are typed into one shell in turn."""
    script = "".join(f"{command.typed}\necho '{_MARK}'\n" for command in typed)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=dict(environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=800,
        check=False,
    )
    return [printed.strip("\n") for printed in done.stdout.split(_MARK)[: len(typed)]]


def as_printed(expected: str, printed: str) -> bool:
    """Whether a command printed what the transcript shows."""
    pattern = ".*".join(re.escape(piece) for piece in expected.strip("\n").split("…"))
    lines = (line.rstrip() for line in printed.splitlines())
    return re.fullmatch(pattern, "\n".join(lines).strip("\n")) is not None

"""The bookkeepers' own tools."""

import subprocess
import sys
from pathlib import Path

from tests.needs import found

CHECKS = ("--strict", "ordereddates", "payees")
BEAN_CHECK = Path(sys.executable).with_name("bean-check")


def checked(form: str, journal: bytes, folder: Path) -> tuple[bool, str]:
    """Whether the tool accepts a journal, and what it says."""
    file = folder / f"game.{form}"
    file.write_bytes(journal)
    command = (
        [found("hledger"), "-f", str(file), "check", *CHECKS]
        if form == "hledger"
        else [str(BEAN_CHECK), "--no-cache", str(file)]
    )
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return ran.returncode == 0, ran.stdout + ran.stderr

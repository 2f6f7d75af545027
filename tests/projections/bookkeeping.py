"""The bookkeeping programs that read our journals."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from beancount import loader

from tests.needs import found

CHECKS = ("--strict", "ordereddates", "payees")
BEAN_CHECK = Path(sys.executable).with_name("bean-check")


def checked(form: str, journals: Mapping[str, bytes], folder: Path) -> tuple[bool, str]:
    """Whether the program accepts each of these named journals, and its messages.

    hledger reads them one by one in a single process. For beancount, this is what `bean-check` calls.
    """
    if form == "beancount":
        said = [loader.load_string(journal.decode())[1] for journal in journals.values()]
        return not any(said), "\n".join(
            f"{name}: {errors}" for name, errors in zip(journals, said, strict=True) if errors
        )
    files = list[str]()
    for name, journal in journals.items():
        file = folder / f"{name}.hledger"
        file.write_bytes(journal)
        files += ("-f", str(file))
    return _ran(found("hledger"), *files, "check", *CHECKS)


def bean_checked(journal: bytes, folder: Path) -> tuple[bool, str]:
    """The messages of beancount about a journal."""
    file = folder / "game.beancount"
    file.write_bytes(journal)
    return _ran(str(BEAN_CHECK), "--no-cache", str(file))


def _ran(*command: str) -> tuple[bool, str]:
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    return ran.returncode == 0, ran.stdout + ran.stderr

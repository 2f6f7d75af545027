"""Backups of databases, as operators make them."""

import os
import subprocess
from pathlib import Path

from mcmulti.events.embedded.server import binaries


def dump(url: str, file: Path, *options: str) -> None:
    """Back up a database into a file."""
    _run("pg_dump", "--format=custom", f"--file={file}", *options, f"--dbname={url}")


def restore(file: Path, url: str, *options: str, code: int = 0) -> None:
    """Restore it into another, empty database. The exit code is 1 if PostgreSQL continued after errors."""
    _run("pg_restore", *options, f"--dbname={url}", str(file), code=code)


def _run(program: str, *arguments: str, code: int = 0) -> None:
    done = subprocess.run(
        [binaries() / program, *arguments], env=os.environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr

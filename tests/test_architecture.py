"""The contracts of import-linter hold, and notice a module that has no place."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mcmulti

PACKAGE = Path(mcmulti.__file__).parent


def linted_imports(root: Path) -> "subprocess.CompletedProcess[str]":
    """The findings of import-linter about the package in a folder."""
    return subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_imports_run_downwards_only() -> None:
    """The contracts of import-linter in pyproject.toml."""
    linted = linted_imports(PACKAGE.parent)
    assert linted.returncode == 0, linted.stdout + linted.stderr
    assert "0 broken" in linted.stdout


@pytest.mark.parametrize("folder", ["", "cli", "events", "referee", "server", "training"])
def test_a_new_module_that_has_no_place_in_the_house_is_refused(folder: str, tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "mcmulti", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PACKAGE.parent / "pyproject.toml", tmp_path)
    (tmp_path / "mcmulti" / folder / "loose.py").write_text("")
    linted = linted_imports(tmp_path)
    assert linted.returncode == 1
    assert "1 broken" in linted.stdout
    assert ".".join(filter(None, ("mcmulti", folder, "loose"))) in linted.stdout

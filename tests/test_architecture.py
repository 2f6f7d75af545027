"""Who imports whom, and what the rules never touch."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import mcmulti

PACKAGE = Path(mcmulti.__file__).parent
TESTS = Path(__file__).parent
DOMAIN = sorted((PACKAGE / "domain").rglob("*.py"))
FORBIDDEN = {"asyncio", "datetime", "os", "pathlib", "random", "secrets", "socket", "sys", "threading", "time", "uuid"}


def test_imports_run_downwards_only() -> None:
    """The contracts of import-linter in pyproject.toml."""
    linted = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr
    assert "0 broken" in linted.stdout


@pytest.mark.parametrize("file", DOMAIN, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_the_rules_have_no_clock_no_random_and_no_network(file: Path) -> None:
    imported: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module.partition(".")[0])
    assert imported & FORBIDDEN == set()
    third_party = imported - set(sys.stdlib_module_names) - {"mcmulti"}
    assert third_party <= {"msgspec"}


@pytest.mark.parametrize("file", DOMAIN, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_the_rules_know_no_floats(file: Path) -> None:
    constants = (node.value for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Constant))
    assert not [value for value in constants if isinstance(value, float)]


def test_what_several_tests_need_stands_in_helpers() -> None:
    """No test module is imported by another one, nor by a helper: who reads it reads tests alone."""
    imported = {
        f"{file.relative_to(TESTS)}:{node.lineno}"
        for file in TESTS.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests")
        for name in (node.module or "", *(alias.name for alias in node.names))
        if name.rpartition(".")[2].startswith("test_")
    }
    assert imported == set()

"""Random examples are the same in every run, whatever ran before."""

import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

import mcmulti


def _examples() -> list[int]:
    """The example that a test gets, which is the same in every run."""
    found: list[int] = []

    @settings(derandomize=True, max_examples=200)
    @given(st.integers(0, 10**12))
    def note(number: int) -> None:
        found.append(number)

    note()
    return found


def test_examples_do_not_depend_on_what_was_imported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hypothesis would try the constants of every imported module of the project."""
    before = _examples()
    module = ModuleType("imported_meanwhile")
    module.__file__ = str(Path(mcmulti.__file__).with_name("imported_meanwhile.py"))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    constants = Constants(integers={734_529_000_000 + number for number in range(500)})
    monkeypatch.setattr(providers, "constants_from_module", lambda of: constants)
    assert _examples() == before

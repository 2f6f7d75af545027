"""Mutants match their descriptions. Needs cosmic-ray, which `make mutants` installs."""

from pathlib import Path

import pytest

CODE = '''"""A module."""


def least(prices: list[int] | None, more: bool = True) -> int | None:
    """The least price."""
    return prices[0] if prices and more else None
'''


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "least.py").write_text(CODE)
    return tmp_path


def test_every_mutant_is_another_module_that_can_be_compiled(module: Path) -> None:
    pytest.importorskip("cosmic_ray")
    from tests.slow.mutants.mutants import mutants

    found = list(mutants(module, Path("least.py")))
    codes = [mutant.code(module) for mutant in found]
    assert CODE.replace("= True", "= False") in codes
    assert CODE.replace("prices and more", "prices or more") in codes
    assert all("list[int] | None" in code and "-> int | None" in code for code in codes), "annotations stay"
    for mutant, code in zip(found, codes, strict=True):
        assert code != CODE
        assert mutant.diff(module).count("\n") == 1
        compile(code, "least.py", "exec")


def test_every_place_with_mutants_has_tests() -> None:
    pytest.importorskip("cosmic_ray")
    from tests.slow.mutants.__main__ import ROOT, TESTS

    for place, tests in TESTS.items():
        assert (ROOT / place).is_dir()
        for each in map(ROOT.joinpath, tests):
            assert each.is_file() or any(each.glob("test_*.py")), each

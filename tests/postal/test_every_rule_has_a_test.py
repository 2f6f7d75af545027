"""Every rule has a test that is named after it, and every text in both languages."""

import ast
from pathlib import Path

import pytest

from mcmulti.domain.postal.components import RULES
from mcmulti.domain.postal.limits import LIMITS

# The ids of the rules as they were written before the code, typed by hand.
WRITTEN = """
postal/start postal/markets postal/target postal/prices postal/strike-cost postal/demand postal/climate postal/order
postal/orders postal/phase-1 postal/phase-2 postal/phase-3 postal/two-changes postal/pump postal/no-orders
table/standstill
"""

NAMES = frozenset(
    node.name
    for path in Path(__file__).parent.glob("test_*.py")
    for node in ast.walk(ast.parse(path.read_text("utf-8")))
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
)
"""The functions in the files beside this one."""


@pytest.mark.parametrize("rule", RULES["en"])
def test_a_test_is_named_after_the_rule(rule: str) -> None:
    """`postal/phase-1` has a test whose name begins with `test_postal_phase_1__`."""
    beginning = f"test_{rule.replace('/', '_').replace('-', '_')}__"
    assert any(name.startswith(beginning) for name in NAMES), f"no test begins with {beginning}"


@pytest.mark.parametrize("rule", WRITTEN.split())
def test_a_written_rule_is_published(rule: str) -> None:
    assert rule in RULES["en"]


def test_every_rule_is_published_in_german_too() -> None:
    assert RULES["en"].keys() == RULES["de"].keys()
    assert not [rule for rule, text in RULES["en"].items() if RULES["de"][rule] == text]


@pytest.mark.parametrize("code", [code for code, limit in LIMITS.items() if limit.rule])
def test_a_limit_names_a_rule_that_is_published(code: str) -> None:
    assert LIMITS[code].rule in RULES["en"]

"""Every rule has a test that is named after it."""

import ast
from pathlib import Path

import pytest

from mcmulti.domain.marracash.components import RULES
from mcmulti.domain.marracash.limits import LIMITS

# The ids of the rules as they were written before the code, typed by hand.
WRITTEN = """
shops/count visitors/count start/capital
round/start round/first
auction/offer auction/bids auction/signs auction/commission auction/order auction/unable auction/waiting
turn/two-actions move/group
customer/enter customer/income customer/commission
entrance/refill end/last-round end/winner table/standstill
"""

NAMES = frozenset(
    node.name
    for path in Path(__file__).parent.glob("test_*.py")
    for node in ast.walk(ast.parse(path.read_text("utf-8")))
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
)
"""The functions in the files beside this one."""


@pytest.mark.parametrize("rule", RULES)
def test_a_test_is_named_after_the_rule(rule: str) -> None:
    """`auction/bids` has a test whose name begins with `test_auction_bids__`."""
    beginning = f"test_{rule.replace('/', '_').replace('-', '_')}__"
    assert any(name.startswith(beginning) for name in NAMES), f"no test begins with {beginning}"


@pytest.mark.parametrize("rule", WRITTEN.split())
def test_a_written_rule_is_published(rule: str) -> None:
    assert rule in RULES


@pytest.mark.parametrize("code", [code for code, limit in LIMITS.items() if limit.rule])
def test_a_limit_names_a_rule_that_is_published(code: str) -> None:
    assert LIMITS[code].rule in RULES

"""Every rule has a test that is named after it."""

import ast
from pathlib import Path

import pytest

from mcmulti.domain.millionenspiel import RULESET

# The ids of the rules as they were written before the code, typed by hand.
WRITTEN = """
track/fields purse/denominations purse/exchange bank/pieces pension/cards
stake/order pension/buy stake/pieces roll/decline roll/double settle/colour settle/decider pension/pay
stake/return stake/nobody end/million end/at-stake table/standstill
"""
RULES = RULESET.texts.rules["en"]
NAMES = frozenset(
    node.name
    for path in Path(__file__).parent.glob("test_*.py")
    for node in ast.walk(ast.parse(path.read_text("utf-8")))
    if isinstance(node, ast.FunctionDef)
)
"""The functions in the files beside this one."""


@pytest.mark.parametrize("rule", RULES)
def test_a_test_is_named_after_the_rule(rule: str) -> None:
    """`stake/order` has a test whose name begins with `test_stake_order__`."""
    beginning = f"test_{rule.replace('/', '_').replace('-', '_')}__"
    assert any(name.startswith(beginning) for name in NAMES), f"no test begins with {beginning}"


@pytest.mark.parametrize("rule", WRITTEN.split())
def test_a_written_rule_is_published_in_every_language(rule: str) -> None:
    assert all(rule in rules for rules in RULESET.texts.rules.values())


@pytest.mark.parametrize("code", [code for code, limit in RULESET.texts.limits.items() if limit.rule])
def test_a_limit_names_a_rule_that_is_published(code: str) -> None:
    assert RULESET.texts.limits[code].rule in RULES

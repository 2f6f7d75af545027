"""Every rule has a test that is named after it."""

import ast
from pathlib import Path

import pytest

from mcmulti.domain.mcmulti.components import RULES
from mcmulti.domain.mcmulti.limits import LIMITS

# The ids of the rules as they were written before the code, typed by hand.
WRITTEN = """
board/quadrants board/neighbours
market/start market/buy market/sell market/one-per-turn
consumer/start consumer/sale consumer/red-fields
economy/cards economy/change
news/double news/next-card news/debt-reduction-tax news/global-warming-threat news/state-sales-tax
news/long-cold-winter news/snap-inspection news/world-market-uncertainty news/foreign-embargo
news/domestic-price-freeze
setup/seats setup/start-capital setup/first-player setup/news setup/target
purchase/round purchase/cash-only
site/one-asset site/refinery
turn/phases
dice/production-roll dice/difference
production/hit production/order production/station production/refinery production/well production/rig
neighbour/lines neighbour/single-hits neighbour/ghost neighbour/two-players
assets/buy assets/sell
end/declare end/last-round
final/liquidation final/winner
table/standstill
forced/sale
supply/unlimited
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
    """`market/one-per-turn` has a test whose name begins with `test_market_one_per_turn__`."""
    beginning = f"test_{rule.replace('/', '_').replace('-', '_')}__"
    assert any(name.startswith(beginning) for name in NAMES), f"no test begins with {beginning}"


@pytest.mark.parametrize("rule", WRITTEN.split())
def test_a_written_rule_is_published(rule: str) -> None:
    assert rule in RULES


@pytest.mark.parametrize("code", [code for code, limit in LIMITS.items() if limit.rule])
def test_a_limit_names_a_rule_that_is_published(code: str) -> None:
    assert LIMITS[code].rule in RULES

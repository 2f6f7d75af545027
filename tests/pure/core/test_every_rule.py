"""Every rule of every game has a test that is named after it, and a text in every language."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.rulesets import CURRENT, SHIPPED

TESTS = Path(__file__).parents[1]

WRITTEN = {
    "mcmulti": """
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
    """,
    "postal": """
        postal/start postal/markets postal/target postal/prices postal/strike-cost postal/demand postal/climate
        postal/order postal/orders postal/phase-1 postal/phase-2 postal/phase-3 postal/two-changes postal/pump
        postal/no-orders table/standstill
    """,
    "millionenspiel": """
        track/fields purse/denominations purse/exchange bank/pieces pension/cards
        stake/order pension/buy stake/pieces roll/decline roll/double settle/colour settle/decider pension/pay
        stake/return stake/nobody end/million end/at-stake table/standstill
    """,
    "marracash": """
        shops/count visitors/count start/capital
        round/start round/first
        auction/offer auction/bids auction/signs auction/commission auction/order auction/unable auction/waiting
        turn/two-actions move/group
        customer/enter customer/income customer/commission
        souvenirs/open souvenirs/sale
        entrance/refill end/last-round end/winner table/standstill
    """,
}
"""The ids of the rules, typed by hand before the code was written."""


@cache
def _tests(name: str) -> frozenset[str]:
    """The functions in the test files of a game, and of what all games share."""
    return frozenset(
        node.name
        for path in (*(TESTS / name).glob("test_*.py"), *(TESTS / "core").glob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_a_test_is_named_after_each_rule(name: str) -> None:
    """`market/one-per-turn` of mcmulti has a test in tests/pure/mcmulti that begins with `test_market_one_per_turn__`.

    The test of a rule that all games share may be in tests/pure/core.
    """
    for rule in CURRENT[name].texts.rules["en"]:
        beginning = f"test_{rule.replace('/', '_').replace('-', '_')}__"
        found = any(test.startswith(beginning) for test in _tests(name))
        assert found, f"no test in tests/pure/{name} begins with {beginning}"


@pytest.mark.parametrize("name", SHIPPED)
def test_all_rules_that_were_written_are_published(name: str) -> None:
    assert set(WRITTEN[name].split()) - set(CURRENT[name].texts.rules["en"]) == set()


@pytest.mark.parametrize("name", CURRENT)
def test_a_rule_says_the_same_figures_in_every_language(name: str) -> None:
    rules = CURRENT[name].texts.rules
    for rule in rules["en"]:
        texts = [rules[language][rule] for language in LANGUAGES]
        assert len(set(texts)) == len(texts), rule
        figures = [sorted(re.findall(r"\d+", text)) for text in texts]
        assert all(found == figures[0] for found in figures), (rule, figures)


@pytest.mark.parametrize("name", CURRENT)
def test_every_language_has_the_same_rules_in_the_same_order(name: str) -> None:
    rules = CURRENT[name].texts.rules
    assert all(list(rules[language]) == list(rules["en"]) for language in LANGUAGES)


@pytest.mark.parametrize("name", CURRENT)
def test_a_limit_names_a_rule_that_is_published(name: str) -> None:
    texts = CURRENT[name].texts
    assert {limit.rule for limit in texts.limits.values() if limit.rule} <= texts.rules["en"].keys()

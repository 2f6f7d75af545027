"""Every rule of every game has a test that is named after it, and a text in every language."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from tests.profiles import profile_of

TESTS = Path(__file__).parents[1]


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
    assert set(profile_of(name).written.split()) - set(CURRENT[name].texts.rules["en"]) == set()


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

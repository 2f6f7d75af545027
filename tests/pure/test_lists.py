"""A game is a folder and nothing else: no other place lists the games.

What tests know about a game is in its profile (tests/profiles.py). Elsewhere, a test may take a game as an example, or
compare two, but no list or mapping goes through them.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcmulti.domain.rulesets import SHIPPED

ROOT = Path(__file__).parents[2]
OWN = tuple(f"{folder}/{name}/" for folder in ("mcmulti/domain", "tests/pure") for name in SHIPPED)
"""The folders of the games, and of their own tests."""
NOT_LISTS = ("mcmulti/domain/rulesets.py", "mcmulti/bots/types.py")
"""The registry, and what is generated from it."""
EXCEPTIONS = {
    "tests/api/ended_games.py": "the order and the sizes of these games matter",
    "tests/api/hidden.py": "what is hidden differs from game to game, and each case plays one until then",
}
"""Files with a list of games, and why."""
MOST = 2
"""Games in a list: two that are compared."""
FILES = sorted(
    file
    for folder in ("mcmulti", "tests", "benchmarks", "examples", "deploy")
    for file in (ROOT / folder).rglob("*.py")
)
RECORDED = re.compile(rf"({'|'.join(SHIPPED)}|by-post)-[a-z-]+(\.jsonl)?")
"""The name of a golden game. Those of the box game have no prefix."""


def lists(text: str) -> Iterator[tuple[int, set[str]]]:
    """The line of each outermost literal of a module with several members, and the games that it names."""
    tree = ast.parse(text)
    alias = dict(_imported(tree))
    waiting: list[ast.AST] = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict | ast.BoolOp | ast.Compare):
                yield node.lineno, {game for each in ast.walk(node) for game in _named(each, alias)}
            else:
                waiting.append(node)


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What is imported from the folder of a game, and the game."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                [*_, package, last] = ("", *f"{node.module}.{name.name}".split(".")[:3])
                if package in ("domain", "pure") and last in SHIPPED:
                    yield name.asname or name.name, last


def _named(node: ast.AST, alias: dict[str, str]) -> Iterator[str]:
    if isinstance(node, ast.Name) and node.id in alias:
        yield alias[node.id]
    elif isinstance(node, ast.Constant) and node.value in SHIPPED:
        yield str(node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and (found := RECORDED.fullmatch(node.value)):
        yield found[1].replace("by-post", "postal")


def test_no_list_goes_through_the_games() -> None:
    found, listing = [], set()
    for file in FILES:
        place = str(file.relative_to(ROOT))
        if place.startswith(OWN) or place in NOT_LISTS or "node_modules" in place:
            continue
        long = [
            f"{place}:{line}: {sorted(games)}" for line, games in lists(file.read_text("utf-8")) if len(games) > MOST
        ]
        listing |= {place} if long else set()
        found += long if place not in EXCEPTIONS else []
    assert found == [], "tests/profiles.py is the place for what differs from game to game"
    assert listing == EXCEPTIONS.keys(), "an exception that is none anymore"


@pytest.mark.parametrize(
    "listed",
    [
        'SEATS = {"mcmulti": 2, "postal": 4, "marracash": 3}',
        'for name in ("mcmulti", "postal", "millionenspiel"): pass',
        'if name == "postal" or name == "marracash" or name == "mcmulti": pass',
        'GAMES = (Kind("mcmulti"), Kind("postal", seats=4), Kind("millionenspiel"))',
        "from mcmulti.domain.postal import RULESET as POSTAL\nfrom mcmulti.domain import marracash, mcmulti\n"
        "ALL = [POSTAL, marracash.RULESET, mcmulti.RULESET]",
        'FILES = ["by-post-sales", "marracash-undo", "millionenspiel-clock.jsonl"]',
    ],
)
def test_a_list_is_found_in_any_form(listed: str) -> None:
    assert any(len(games) > MOST for _, games in lists(listed))


def test_templates_for_reports_list_no_games() -> None:
    titles = {ruleset.called("en") for ruleset in SHIPPED.values()} - {"McMulti"}
    for file in (ROOT / ".github").rglob("*.yml"):
        assert not [title for title in titles if title in file.read_text("utf-8")], file

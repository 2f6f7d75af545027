"""No test that goes through all games is forgotten when another one is plugged in."""

import re

from tests.toy.with_another_game import CHEAP, OF_ALL_GAMES, OF_THE_GAME, TESTS

THROUGH_ALL = re.compile(
    r"^(?!.*parametrize\().*"
    r"(?:\bfor [\w, ]+ in (?:CURRENT|LEVELS|NARROWED)\b(?!\[)|\bCURRENT\.(?:values|items)\(|\(CURRENT\)|\{\*CURRENT\})",
    re.MULTILINE,
)
"""How tests read the list of games, except to have each as a parameter."""


def test_what_goes_through_all_games_runs_with_another_one() -> None:
    listed = {chosen.partition("::")[0] for chosen in (*OF_THE_GAME, *OF_ALL_GAMES, *CHEAP)}
    assert [name for name in sorted(listed) if not (TESTS / name).exists()] == []
    files = [file for file in TESTS.rglob("test_*.py") if TESTS / "slow" not in file.parents]
    found = {str(file.relative_to(TESTS)) for file in files if THROUGH_ALL.search(file.read_text("utf-8"))}
    assert len(found) > 10
    assert sorted(found - listed) == []

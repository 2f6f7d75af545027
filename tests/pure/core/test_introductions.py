"""The texts of each game begin with its aim, how a turn goes, and a worked example, which the rules carry out."""

import pytest

from mcmulti.domain.core.wording.introduction import introduction_of
from mcmulti.domain.core.wording.telling import LANGUAGES
from mcmulti.domain.rulesets import CURRENT, SHIPPED
from tests.profiles import profile_of

every = pytest.mark.parametrize("name", SHIPPED)


@every
def test_game_aim__how_a_turn_goes_and_an_example_come_first_and_the_table_last(name: str) -> None:
    for language in LANGUAGES:
        ids = list(CURRENT[name].texts.rules[language])
        assert ids[:3] == ["game/aim", "game/turn", "game/example"]
        groups = [each.split("/")[0] for each in ids]
        first = min(groups.index("table"), groups.index("chance"))
        assert set(groups[first:]) == {"table", "chance"}


@every
def test_game_turn__the_rules_follow_in_the_order_of_a_turn(name: str) -> None:
    ids = [rule.split("/")[0] for rule in CURRENT[name].texts.rules["en"]]
    firsts = [ids.index(group) for group in profile_of(name).order.split()]
    assert firsts == sorted(firsts)


@every
def test_the_title_names_the_edition_in_both_languages(name: str) -> None:
    ruleset = CURRENT[name]
    english, german = (introduction_of(ruleset, language).title for language in LANGUAGES)
    assert english == ruleset.title
    assert german.startswith(ruleset.title.split(",")[0].replace("by post", "per Post"))
    assert "edition" not in german


@every
def test_game_turn__is_told_to_you(name: str) -> None:
    assert " you" in CURRENT[name].texts.rules["en"]["game/turn"]
    assert "{" not in "".join(CURRENT[name].texts.rules["en"].values())

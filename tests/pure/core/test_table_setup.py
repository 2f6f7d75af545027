"""The options of a table: only those that its game has."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.rulesets import CURRENT
from tests.profiles import profile_of
from tests.scripted_chance import ScriptedChance

SELDOM = ("clock", "undo", "instructions")
"""Options that not every game has."""


@pytest.mark.parametrize(
    ("game", "setup", "code", "field"), [(name, *each) for name in CURRENT for each in profile_of(name).refused]
)
def test_table_setup__what_the_game_cannot_honor_is_refused(
    game: str, setup: Mapping[str, Any], code: str, field: str
) -> None:
    ruleset = CURRENT[game]
    opened = ruleset.open("game", msgspec.convert(setup, ruleset.setup), ScriptedChance())
    assert isinstance(opened, Rejection)
    assert (opened.code, opened.field) == (code, field)


@pytest.mark.parametrize(
    ("game", "option"),
    [(name, option) for name in CURRENT for option in SELDOM if option not in profile_of(name).options],
)
def test_table_setup__nobody_can_agree_on_what_the_game_has_not(game: str, option: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=f"unknown field `{option}`"):
        msgspec.convert({option: None}, CURRENT[game].setup)

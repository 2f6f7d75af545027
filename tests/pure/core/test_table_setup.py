"""The options of a table: only those that its game has."""

from typing import Any

import msgspec
import pytest

from mcmulti.domain.core.chance import ScriptedChance
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.rulesets import CURRENT


@pytest.mark.parametrize(
    ("game", "setup", "code", "field"),
    [
        ("mcmulti", {"if_left": "bot"}, "house_needs_clock", "if_left"),
        ("mcmulti", {"instructions": 5, "clock": {"move_seconds": 20}}, "answers_too_late", "instructions"),
        ("postal", {"if_left": "sold"}, "not_sold", "if_left"),
        ("millionenspiel", {"if_left": "bot"}, "house_needs_clock", "if_left"),
        ("millionenspiel", {"if_left": "sold"}, "not_sold", "if_left"),
        ("marracash", {"if_left": "bot"}, "house_needs_clock", "if_left"),
        ("marracash", {"if_left": "sold"}, "not_sold", "if_left"),
    ],
)
def test_table_setup__what_the_game_cannot_honor_is_refused(
    game: str, setup: dict[str, Any], code: str, field: str
) -> None:
    ruleset = CURRENT[game]
    opened = ruleset.open("game", msgspec.convert(setup, ruleset.setup), ScriptedChance())
    assert isinstance(opened, Rejection)
    assert (opened.code, opened.field) == (code, field)


@pytest.mark.parametrize(
    ("game", "option"),
    [
        ("postal", "clock"),
        ("postal", "undo"),
        ("postal", "instructions"),
        ("millionenspiel", "instructions"),
        ("marracash", "instructions"),
    ],
)
def test_table_setup__nobody_can_agree_on_what_the_game_has_not(game: str, option: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=f"unknown field `{option}`"):
        msgspec.convert({option: None}, CURRENT[game].setup)

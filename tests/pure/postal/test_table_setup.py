"""What a table can be set up with: only what its game has."""

from typing import Any

import msgspec
import pytest

from mcmulti.domain.core.chance import ScriptedChance
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.postal import RULESET


@pytest.mark.parametrize(
    ("setup", "code", "field"),
    [
        ({"if_left": "sold"}, "not_sold", "if_left"),
    ],
)
def test_table_setup__what_the_game_cannot_honor_is_refused(setup: dict[str, Any], code: str, field: str) -> None:
    opened = RULESET.open("game", msgspec.convert(setup, RULESET.setup), ScriptedChance())
    assert isinstance(opened, Rejection)
    assert (opened.code, opened.field) == (code, field)


@pytest.mark.parametrize("option", ["clock", "undo", "instructions"])
def test_table_setup__nobody_can_agree_on_what_the_game_has_not(option: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=f"unknown field `{option}`"):
        msgspec.convert({option: None}, RULESET.setup)

"""Standing instructions, in games that have none."""

from typing import Any

import pytest

from mcmulti.domain.core.chance import SeededChance
from mcmulti.domain.core.offers import Rejection
from mcmulti.domain.marracash import RULESET as MARRACASH
from mcmulti.domain.millionenspiel import RULESET as MILLIONENSPIEL
from mcmulti.domain.postal import RULESET as POSTAL


@pytest.mark.parametrize("ruleset", [MARRACASH, MILLIONENSPIEL, POSTAL], ids=lambda ruleset: ruleset.name)
def test_table_instruct__games_that_have_none_refuse_a_table_with_them(ruleset: Any) -> None:
    refusal = ruleset.open("game", ruleset.setup(instructions=5), SeededChance(bytes(32), "game"))
    assert isinstance(refusal, Rejection)
    assert (refusal.code, refusal.rule) == ("no_instructions", "table/instruct")

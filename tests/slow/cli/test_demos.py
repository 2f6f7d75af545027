"""The demos of MarraCash and Millionenspiel, to their ends, in processes of their own."""

import re
from pathlib import Path

import pytest

from tests.cli.demos import whole_demo

ADVISED = ["replay", "report", "statistics", "audit", "verify", "export", "serve"]


@pytest.mark.timeout(240)
def test_a_game_of_marracash_is_played_told_and_proven_and_all_advice_can_be_typed(tmp_path: Path) -> None:
    printed, advised = whole_demo("marracash", tmp_path)
    assert re.search(r"1 +(Amber|Basalt|Cobalt) ★ +merchant +\d+", printed)
    assert re.search(r"^ +sum( +0){3} *$", printed, re.MULTILINE)
    assert advised == ADVISED


@pytest.mark.timeout(240)
def test_a_millionenspiel_is_played_told_and_proven_and_all_advice_can_be_typed(tmp_path: Path) -> None:
    printed, advised = whole_demo("millionenspiel", tmp_path)
    assert re.search(r"1 +(Amber|Basalt|Cobalt) ★ +gambler +\d{7}", printed)
    assert re.search(r"^ +sum( +0)+ *$", printed, re.MULTILINE)
    assert "[end/million]" in printed
    assert advised == ADVISED
